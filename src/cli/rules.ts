import type { Command } from 'commander'
import { asJson } from './as-json.js'

/** `svc rules`: lists every rule. */
export function registerRules(program: Command): void {
  program
    .command('rules')
    .summary('list the rules of svc validate')
    .description('List every rule that `svc validate` knows: code, severity, name and law.')
    .option('--json', 'print the rules as data')
    .action(async (options: { readonly json?: boolean }) => {
      const { allRules } = await import('../compiler/rules/index.js')
      const { ruleFacts } = await import('../compiler/report/rule-page.js')
      if (options.json) return void process.stdout.write(asJson({ rules: allRules().map(ruleFacts) }))
      for (const { code, severity, slug, law } of allRules())
        process.stdout.write(`${code} ${severity.padEnd(7)} ${slug.padEnd(32)} ${law}\n`)
    })
}
