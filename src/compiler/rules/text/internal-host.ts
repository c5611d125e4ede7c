import { textsOf } from '../facts/texts.js'
import type { Rule } from '../rule.js'

const INTERNAL =
  /\b(?:10(?:\.\d{1,3}){3}|192\.168(?:\.\d{1,3}){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d{1,3}){2}|127\.0\.0\.1|localhost(?=:\d)|[\w-]+(?:\.[\w-]+)*\.(?:corp|internal|intranet|lan|local))\b/u

export const internalHost = {
  code: 'SVC5011',
  slug: 'internal-host',
  severity: 'info',
  source: 'L',
  section: '2.5',
  description: 'Text names no internal host.',
  ofCapability({ capability }, report) {
    for (const { text, span } of textsOf(capability)) {
      const host = INTERNAL.exec(text)?.[0]
      if (host !== undefined)
        report(span, `The text names the internal host ${host}; whoever reads the manifest learns of it.`)
    }
  },
} satisfies Rule
