import { textsOf } from '../facts/texts.js'
import type { Rule } from '../rule.js'

const PLACEHOLDER = /\b(?:TODO|TBD|FIXME|XXX)\b|\blorem ipsum\b/i
/** Every placeholder within a text holds one of these, and few descriptions do. */
const SIGNS = ['todo', 'tbd', 'fixme', 'xxx', 'lorem']
/** Texts that are nothing else. */
const WHOLE: ReadonlySet<string> = new Set(['description', 'placeholder', '...', '-'])

function isPlaceholder(text: string): boolean {
  const lower = text.toLowerCase()
  return WHOLE.has(lower.trim()) || (SIGNS.some((sign) => lower.includes(sign)) && PLACEHOLDER.test(text))
}

export const descriptionPlaceholder = {
  code: 'SVC6104',
  slug: 'description-placeholder',
  severity: 'warning',
  source: 'L',
  section: '2.4',
  description: 'No text is a placeholder.',
  ofCapability({ capability }, report) {
    for (const { text, span } of textsOf(capability))
      if (isPlaceholder(text)) report(span, `\`${text.slice(0, 40)}\` is a placeholder; write the text.`)
  },
} satisfies Rule
