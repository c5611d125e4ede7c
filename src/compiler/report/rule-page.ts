import type { Rule, RuleSource } from '../rules/rule.js'
import { citedSections, type CitedSection } from './sections.js'

/** Examples of a rule. */
export interface RuleExamples {
  /** A manifest that breaks the rule, and what svc says of it. */
  readonly bad?: string
  readonly output?: string
  readonly good?: string
}

/** Origins of rules. */
export const SOURCES: { readonly [source in RuleSource]: string } = {
  S: 'The interface document states it.',
  D: 'It follows from the interface document.',
  A: 'It is a decision of this implementation (docs/decisions).',
  Y: 'It keeps YAML and files free of traps.',
  L: 'It is a lint: presets choose whether it runs.',
}

/** Presets of lints; other rules run in each. */
export const PRESETS = ['minimal', 'recommended', 'strict'] as const

/** Returns the presets in which a rule runs. */
const presetsOf = ({ source, severity }: Rule): readonly (typeof PRESETS)[number][] =>
  source !== 'L' ? PRESETS : severity === 'info' ? ['strict'] : ['recommended', 'strict']

/** The version of what `svc rules --json` and `svc explain --json` print. */
export const RULES_VERSION = 2

/** A rule as data. */
export const ruleFacts = (rule: Rule) => ({
  code: rule.code,
  slug: rule.slug,
  severity: rule.severity,
  source: rule.source,
  ...(rule.section === undefined ? {} : { section: rule.section }),
  description: rule.description,
  ...(rule.why === undefined ? {} : { why: rule.why }),
  presets: presetsOf(rule),
  suppressible: rule.severity !== 'error',
  docs: `docs/reference/rules/${rule.slug}.md`,
})

/** Returns the link to a section: from the folder of the reference pages, or from the root of the package. */
const LEADS: { readonly [place in 'page' | 'terminal']: (section: CitedSection) => string } = {
  page: ({ name, page }) =>
    `[${name}](${page.replace(/^(?:reference\/)?/u, (above) => (above === '' ? '../../' : '../'))})`,
  terminal: ({ name, page }) => `${name} (docs/${page})`,
}

/** The reference page of a rule, in Markdown; in a terminal it names pages where a page links to them. */
export function rulePage(rule: Rule, { bad, output, good }: RuleExamples, place: keyof typeof LEADS = 'page'): string {
  const sections = rule.section === undefined ? [] : citedSections(rule.section)
  const section = sections.length === 0 ? '' : ` · section ${sections.map(LEADS[place]).join(', ')}`
  const isSuppressed =
    rule.severity === 'error'
      ? 'An error cannot be suppressed.'
      : `A comment with a reason, on the line above, suppresses it: \`# svc-disable-next-line ${rule.code} -- why\`.`
  const presets = `Presets: ${presetsOf(rule).join(', ')}. ${isSuppressed}`
  return [
    `# ${rule.code} ${rule.slug}\n`,
    `${rule.severity}${section}\n`,
    [rule.description, rule.why].filter(Boolean).join(' ') + '\n',
    `${SOURCES[rule.source]} ${presets}\n`,
    ...inSchema(rule),
    ...(bad === undefined ? [] : [`## Bad\n\n${fenced('yaml', bad)}`]),
    ...(output === undefined ? [] : [`svc says:\n\n${fenced('text', output)}`]),
    ...(good === undefined ? [] : [`## Good\n\n${fenced('yaml', good)}`]),
  ].join('\n')
}

/** Describes what tools find that use only the published JSON Schema. They find no warnings. */
function inSchema({ severity, schema, whyNot = '' }: Rule): readonly string[] {
  if (severity !== 'error') return []
  const found =
    schema === undefined ? 'does not find this' : whyNot === '' ? 'finds this, too' : 'finds some of this, too'
  return [`${`The JSON Schema (\`svc schema manifest\`) ${found}. ${whyNot}`.trimEnd()}\n`]
}

/** A fence longer than any in the text. */
function fenced(language: string, text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/gu)].map((match) => match[0].length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text.endsWith('\n') ? text : `${text}\n`}${fence}\n`
}
