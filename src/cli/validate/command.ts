import { InvalidArgumentError, Option, type Command } from 'commander'
import { chosenFormat, jsonOption, type JsonOption } from '../shared/arguments/json-option.js'
import { FORMAT_NAMES, PLAINLY, type ValidateOptions } from './options.js'

/** `svc validate`: finds every mistake in a manifest. */
export function registerValidate(program: Command): void {
  program
    .command('validate')
    .summary('find mistakes in a manifest')
    .description('Check manifests against the interface and its rules. Without files, check svc.yaml in this folder.')
    .argument('[files...]', 'files, folders or globs; `-` reads standard input')
    .addOption(new Option('--format <format>', 'output format').choices(FORMAT_NAMES).default(PLAINLY.format))
    .addOption(jsonOption())
    .option('--out <format=file>', 'also write a report to a file; may be repeated', collect, PLAINLY.out)
    .addOption(
      new Option('--fail-on <severity>', 'minimum severity that fails the run')
        .choices(['error', 'warning', 'info'])
        .default(PLAINLY.failOn),
    )
    .option('--max-problems <number>', 'how many findings to print; 0 prints all', wholeNumber)
    .option('--quiet', 'print errors only')
    .addOption(
      new Option('--preset <preset>', 'which lints run (default: "recommended")').choices([
        'minimal',
        'recommended',
        'strict',
      ]),
    )
    .option('--enable <code>', 'also run this lint; may be repeated', collect, PLAINLY.enable)
    .option('--stdin-filename <name>', 'file name to report for standard input')
    .option(
      '--relative-to <folder>',
      'name files from this folder in reports for CI (default: the root of the repository)',
    )
    .option('--baseline <file>', 'ignore the findings that this file lists')
    .option('--write-baseline', 'write the findings of this run to the baseline file')
    .option('--prune-baseline', 'remove findings from the baseline that no longer occur')
    .option('--fix', 'apply safe fixes, and report the rest')
    .option('--fix-dry-run', 'print what --fix would change, as a diff')
    .option('--unsafe-fixes', 'with --fix or --fix-dry-run: also apply likely fixes; review the result')
    .option('--statistics', 'print how often each rule found something, instead of the findings')
    .option('--watch', 'check again whenever a file changes')
    .option('--now <time>', 'check expiry against this time (RFC 3339)')
    .option('--color', 'colour the output')
    .option('--no-color', 'do not colour the output')
    .addHelpText('after', EXAMPLES)
    .action(async (files: readonly string[], options: ValidateOptions & JsonOption) => {
      const { validate } = await import('./run.js')
      process.exitCode = await validate(files, { ...options, format: chosenFormat(options) })
    })
}

const collect = (value: string, earlier: readonly string[]): readonly string[] => [...earlier, value]

function wholeNumber(value: string): number {
  if (!/^\d{1,9}$/u.test(value)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(value)
}

const EXAMPLES = `
Examples:
  svc validate                               check svc.yaml
  svc validate 'services/**/svc.yaml'        check several manifests
  svc validate --fix                         apply safe fixes
  svc validate --format json                 print the findings as data
  svc validate --out sarif=svc.sarif         also write a report for code scanning
  cat svc.yaml | svc validate -              check standard input

Exit codes: 0 nothing at or above --fail-on, 1 findings, 2 usage or input, 3 internal error.
`
