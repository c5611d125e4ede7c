import { Option, type Command } from 'commander'
import type { ValidateOptions } from './validate/options.js'

/** `svc validate`: finds every mistake in a manifest. */
export function registerValidate(program: Command): void {
  program
    .command('validate')
    .summary('find every mistake in a manifest')
    .description(
      'Check manifests against the interface and its rules. Without files, svc.yaml of this folder is checked.',
    )
    .argument('[files...]', 'files, folders or globs; `-` reads standard input')
    .addOption(new Option('--format <format>', 'how findings are printed').choices(['text', 'json']).default('text'))
    .addHelpText('after', EXAMPLES)
    .action(async (files: readonly string[], options: ValidateOptions) => {
      const { validate } = await import('./validate/run.js')
      process.exitCode = await validate(files, options)
    })
}

const EXAMPLES = `
Examples:
  svc validate                         check svc.yaml
  svc validate 'services/**/svc.yaml'  check several manifests
  svc validate --format json           print the findings as data

Exit codes: 0 no errors, 1 errors, 2 usage or input, 3 internal error.
`
