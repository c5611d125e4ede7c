import { PRESETS, SOURCES } from '../../compiler/report/rule-page.js'
import { closed, flag, listOf, oneOf, text, version } from '../../compiler/shape/closed.js'
import { CODE, DOCS, SEVERITY, SLUG } from '../../compiler/shape/diagnostics-schema.js'

const sources = Object.entries(SOURCES).map(([letter, meaning]) => `${letter}: ${meaning}`)

const facts = {
  code: CODE,
  slug: SLUG,
  severity: SEVERITY,
  source: oneOf(`Where it comes from. ${sources.join(' ')}`, Object.keys(SOURCES)),
  law: text('What must hold, as one sentence.'),
  presets: listOf('The presets in which it runs.', { enum: [...PRESETS] }),
  suppressible: flag('Whether a comment with a reason suppresses it.'),
  docs: DOCS,
} as const
const more = {
  section: text('Sections of the interface document; absent when it has none.'),
  why: text('Why it matters or how to mend it, where the law does not say.'),
} as const

/** The shape of what `svc rules --json` prints. */
export const RULES = closed('The rules of svc validate.', {
  version,
  rules: listOf('The rules, in the order of the interface document.', closed('A rule.', facts, more)),
})

/** The shape of what `svc explain --json` prints. */
export const RULE = closed(
  'A rule with examples.',
  { version, ...facts },
  {
    ...more,
    bad: text('A manifest that breaks it, as YAML.'),
    output: text('What svc validate says of that manifest.'),
    good: text('A manifest that keeps it, as YAML.'),
  },
)
