import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import type { RuleExamples } from '../../compiler/report/rule-page.js'
import { asJson } from '../shared/output/as-json.js'
import { CliError } from '../shared/errors/cli-error.js'
import { packageRoot } from '../shared/files/package-root.js'
import { printOut } from '../shared/output/print.js'

/** `svc explain`: the page of a rule, or what a field does, offline. */
export function registerExplain(program: Command): void {
  program
    .command('explain')
    .summary('explain a rule, field, change or failure')
    .description(
      'Print what a rule requires and why, with a bad and a good example; what a change that svc diff reports ' +
        'means; what a field of the manifest, or a word that it takes, means and does at run time; what a keyword ' +
        'of x-schema takes; or what a failure means, and what to do next. Works offline.',
    )
    .argument(
      '<name>',
      'a rule: SVC2205 or scope-empty-on-read; a change: SVC9001; a field: requires_principal or resolution.mode; ' +
        'a word: cost_ceiling; a keyword: uniqueItems; a failure: budget_exceeded',
    )
    .option('--json', 'print the rule as JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (code: string, options: { readonly json?: boolean }) => {
      printOut(await explanation(code, options.json === true))
    })
}

async function explanation(wanted: string, isData: boolean): Promise<string> {
  const { RULES } = await import('../../compiler/rules/index.js')
  const { ruleFacts, rulePage, RULES_VERSION } = await import('../../compiler/report/rule-page.js')
  const rule = RULES.find(({ code, slug }) => code === wanted.toUpperCase() || slug === wanted.toLowerCase())
  if (rule === undefined) {
    const { otherExplanation, otherNames } = await import('./other.js')
    const other = await otherExplanation(wanted, isData)
    if (other !== undefined) return other
    const names = [...RULES.flatMap(({ code, slug }) => [code, slug]), ...(await otherNames())]
    throw new CliError(await unknownName(wanted, names))
  }
  const examples = examplesOf(rule.slug)
  return isData
    ? asJson({ version: RULES_VERSION, ...ruleFacts(rule), ...examples })
    : rulePage(rule, examples, 'terminal')
}

async function unknownName(wanted: string, names: readonly string[]): Promise<string> {
  const { nearest, question } = await import('../../compiler/nearest.js')
  const said = `Nothing is called \`${wanted}\`: no rule, change, field, word or failure.${question(nearest(wanted, names))}`
  const { referencePath } = await import('./reference-path.js')
  return `${said} \`svc rules\` lists the rules, ${referencePath('reference')} has the rest.`
}

function examplesOf(slug: string): RuleExamples {
  const text = readFileSync(join(packageRoot(), 'schemas', 'rule-examples.json'), 'utf8')
  return (JSON.parse(text) as { readonly [slug: string]: RuleExamples })[slug] ?? {}
}

const EXAMPLES = `
Examples:
  svc explain SVC2205              the page of a code that svc validate reported
  svc explain scope-empty-on-read  the same rule by its name
  svc explain SVC2205 --json       the same as JSON
  svc explain SVC9001              a change that svc diff reported
  svc explain requires_principal   what a field means, and does at run time
  svc explain resolution.mode      a field of one block
  svc explain budget_exceeded      a failure, and what to do next
  svc explain uniqueItems          a keyword of x-schema
  svc explain cumulative           a word of messages and guides, such as budget or bindings.issue

Exit codes: 0 printed, 2 no such name, 3 internal error.
`
