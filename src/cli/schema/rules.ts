import { PRESETS, RULES_VERSION, SOURCES } from '../../compiler/report/rule-page.js'
import { closed, flagSchema, listOf, oneOfSchema, textSchema, versionOf } from '../../compiler/report/closed.js'
import { CODE, RULE_PAGE, SEVERITY, SLUG } from '../../compiler/report/diagnostics-schema.js'

const sources = Object.entries(SOURCES).map(([letter, meaning]) => `${letter}: ${meaning}`)

const facts = {
  code: CODE,
  slug: SLUG,
  severity: SEVERITY,
  source: oneOfSchema(`Where it comes from. ${sources.join(' ')}`, Object.keys(SOURCES)),
  description: textSchema('Requirement, as one sentence.'),
  presets: listOf('The presets in which it runs.', { enum: [...PRESETS] }),
  suppressible: flagSchema('True if a comment with a reason can suppress it.'),
  docs: RULE_PAGE,
} as const
const more = {
  section: textSchema('Sections of the interface document; absent when it has none.'),
  why: textSchema('Why it matters or how to fix it, where the description does not say.'),
} as const

/** The shape of what `svc rules --json` prints. */
export const RULES_SHAPE = closed('The rules of svc validate.', {
  version: versionOf(RULES_VERSION),
  rules: listOf('The rules, in the order of their codes.', closed('A rule.', facts, more)),
})

/** The shape of what `svc explain --json` prints. */
export const RULE = closed(
  'A rule with examples.',
  { version: versionOf(RULES_VERSION), ...facts },
  {
    ...more,
    bad: textSchema('A manifest that breaks it, as YAML.'),
    output: textSchema('Report of svc validate.'),
    good: textSchema('A manifest that follows it, as YAML.'),
  },
)
