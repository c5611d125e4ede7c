import { PRESETS, RULES_VERSION, SOURCES } from '../../compiler/report/rule-page.js'
import { closed, flag, listOf, oneOf, text, versionOf } from '../../compiler/report/closed.js'
import { CODE, DOCS, SEVERITY, SLUG } from '../../compiler/report/diagnostics-schema.js'

const sources = Object.entries(SOURCES).map(([letter, meaning]) => `${letter}: ${meaning}`)

const facts = {
  code: CODE,
  slug: SLUG,
  severity: SEVERITY,
  source: oneOf(`Where it comes from. ${sources.join(' ')}`, Object.keys(SOURCES)),
  description: text('What must hold, as one sentence.'),
  presets: listOf('The presets in which it runs.', { enum: [...PRESETS] }),
  suppressible: flag('Whether a comment with a reason suppresses it.'),
  docs: DOCS,
} as const
const more = {
  section: text('Sections of the interface document; absent when it has none.'),
  why: text('Why it matters or how to fix it, where the description does not say.'),
} as const

/** The shape of what `svc rules --json` prints. */
export const RULES = closed('The rules of svc validate.', {
  version: versionOf(RULES_VERSION),
  rules: listOf('The rules, in the order of their codes.', closed('A rule.', facts, more)),
})

/** The shape of what `svc explain --json` prints. */
export const RULE = closed(
  'A rule with examples.',
  { version: versionOf(RULES_VERSION), ...facts },
  {
    ...more,
    bad: text('A manifest that breaks it, as YAML.'),
    output: text('What svc validate reports for it.'),
    good: text('A manifest that follows it, as YAML.'),
  },
)
