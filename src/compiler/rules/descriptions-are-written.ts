import { textsOf } from './facts/texts.js'
import type { Rule } from './rule.js'

const PLACEHOLDER = /\b(?:TODO|TBD|FIXME|XXX)\b|\blorem ipsum\b|^\s*(?:todo|tbd|description|placeholder|\.\.\.|-)\s*$/i

export const descriptionsAreWritten = {
  code: 'SVC6104',
  slug: 'description-placeholder',
  severity: 'warning',
  source: 'L',
  section: '2.4',
  law: 'No text is a placeholder.',
  ofCapability({ capability }, tell) {
    for (const { text, spot } of textsOf(capability))
      if (PLACEHOLDER.test(text)) tell(spot, `\`${text.slice(0, 40)}\` is a placeholder; write the text.`)
  },
} satisfies Rule
