import type { Command } from 'commander'
import { asJson } from '../shared/output/as-json.js'
import { printOut } from '../shared/output/print.js'

/** `svc rules`: lists every rule. */
export function registerRules(program: Command): void {
  program
    .command('rules')
    .summary('list the rules of svc validate')
    .description('List every rule of svc validate: code, severity, name and description.')
    .option('--json', 'print the rules as JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (options: { readonly json?: boolean }) => {
      const { RULES } = await import('../../compiler/rules/index.js')
      const { ruleFacts, RULES_VERSION } = await import('../../compiler/report/rule-page.js')
      if (options.json) return void printOut(asJson({ version: RULES_VERSION, rules: RULES.map(ruleFacts) }))
      for (const { code, severity, slug, description } of RULES)
        printOut(`${code} ${severity.padEnd(7)} ${slug.padEnd(32)} ${description}\n`)
    })
}

const EXAMPLES = `
Examples:
  svc rules               one line for each rule
  svc rules --json        code, name, severity and section of each as JSON
  svc rules | grep -i scope

Exit codes: 0 printed, 2 usage, 3 internal error.
`
