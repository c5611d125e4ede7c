import { Option, type Command } from 'commander'
import { FAIL_ON, type FailOn } from '../../compiler/diff/effects.js'
import type { DiffOptions } from './options.js'
import { DIFF_FORMATS } from './options.js'
import { CliError } from '../shared/errors/cli-error.js'
import { chosenFormat, jsonOption, type JsonOption } from '../shared/arguments/json-option.js'

/** `svc diff`: what changed between two manifests, and what it breaks or weakens. */
export function registerDiff(program: Command): void {
  program
    .command('diff')
    .summary('report breaking and weakening changes')
    .description(
      'Compare two manifests: what breaks callers, what weakens governance, and which contract_version does not ' +
        'say so.',
    )
    .argument('<old>', 'a branch or commit, git:REF:path, a file, a folder, or the address of a service')
    .argument('[new]', 'the same; the svc.yaml of this folder by default', '.')
    .addOption(new Option('--format <format>', 'output format').choices(DIFF_FORMATS).default('text'))
    .addOption(jsonOption())
    .option('--out <format=file>', 'also write a report to a file; may be repeated', collect, [])
    .option(
      '--fail-on <effects>',
      `effects that fail the run, joined by commas: ${FAIL_ON.join(', ')}, or never (default: all three)`,
      failOnOf,
      FAIL_ON,
    )
    .option(
      '--accepted <file>',
      'the file of accepted changes, also git:REF:path (default: svc.accepted.json beside the old manifest)',
    )
    .option(
      '--accept <reason>',
      'write the changes that fail the run to svc.accepted.json beside the new manifest, as accepted',
    )
    .option('--color', 'colour the output')
    .option('--no-color', 'do not colour the output')
    .addHelpText('after', EXAMPLES)
    .action(async (before: string, after: string, options: DiffOptions & JsonOption) => {
      const { diff } = await import('./run.js')
      process.exitCode = await diff(before, after, { ...options, format: chosenFormat(options) })
    })
}

const collect = (value: string, before: readonly string[]): readonly string[] => [...before, value]

function failOnOf(text: string): readonly FailOn[] {
  if (text === 'never') return []
  return text.split(',').map((word) => {
    const effect = FAIL_ON.find((each) => each === word.trim())
    if (effect === undefined) throw new CliError(`--fail-on \`${word}\` is none of ${FAIL_ON.join(', ')}, never.`)
    return effect
  })
}

const EXAMPLES = `
Examples:
  svc diff main                            what this branch changes
  svc diff git:v1.2.0:shop/svc.yaml shop   the same, of a service in a folder
  svc diff https://shop.example            what a deployment of this folder would change
  svc diff old.yaml new.yaml --fail-on weakened,unbumped
  svc diff git:main --format markdown      for a pull request
  svc diff main --accept "Agreed with all callers on 2 May."

Exit codes: 0 no change fails the run, 1 changes that do, 2 usage or input, 3 internal error.
`
