import { Option, type Command } from 'commander'
import type { TestOptions } from './run.js'

/** `svc test`: tests of what a manifest allows, without handlers. */
export function registerTest(program: Command): void {
  program
    .command('test')
    .summary('run policy tests (*.svctest.yaml)')
    .description(
      'Run the cases of *.svctest.yaml in process: given a token, parameters and a time, expect a decision, a ' +
        'failure, an approval, a cost.',
    )
    .argument('[files...]', 'files of cases, folders, or globs (default: every *.svctest.yaml below this folder)')
    .addOption(new Option('--format <format>', 'output format').choices(['text', 'junit']).default('text'))
    .option('--out <file>', 'also write the results to a file, as JUnit XML')
    .option('--min-coverage <percent>', 'fail if fewer of the manifest’s rules are tested', Number)
    .addHelpText('after', EXAMPLES)
    .action(async (files: readonly string[], options: TestOptions) => {
      process.exitCode = await (await import('./run.js')).test(files, options)
    })
}

const EXAMPLES = `
Examples:
  svc test                                 every *.svctest.yaml
  svc test shop.svctest.yaml --min-coverage 80
  svc test --out junit.xml

Handlers do not run: a stub gives each result, and issues no quotes. Where the steps of a composition quote, name the
handlers in the file of cases: handlers: src/handlers/index.ts. Without [files...], a folder without cases is no error.

Exit codes: 0 all as expected, 1 not so, 2 usage or input, 3 internal error.
`
