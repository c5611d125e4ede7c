import { textsOf } from '../facts/texts.js'
import type { Rule } from '../rule.js'

export const MARKUP =
  /<\s*(?:script|iframe|object|embed|style|img|svg|link|meta|form)\b|\bjavascript:|\bon(?:error|load|click)\s*=|!\[[^\]]*\]\(\s*https?:/i

/** All markup holds one of these, and hardly any description does. */
const SIGNS = ['<', ':', '=', '!']

export const markupInText = {
  code: 'SVC5105',
  slug: 'markup-in-text',
  severity: 'warning',
  source: 'L',
  section: '2.4',
  description: 'Text has no active markup.',
  why: 'Tools render it.',
  ofCapability({ capability }, report) {
    for (const { text, span } of textsOf(capability)) {
      if (!SIGNS.some((sign) => text.includes(sign))) continue
      const markup = MARKUP.exec(text)?.[0]
      if (markup !== undefined) report(span, `The text holds \`${markup}\`, which tools may render; write plain text.`)
    }
  },
} satisfies Rule
