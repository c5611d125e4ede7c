import { Option, type Command } from 'commander'
import { chosenFormat, jsonOption, type JsonOption } from '../shared/arguments/json-option.js'
import type { VerifyOptions } from './given.js'
import { ARTEFACT_KINDS } from './kinds.js'
import { originOptions } from './origin-options.js'

/** `svc verify`: verifies anything that a service signs, offline. */
export function registerVerify(program: Command): void {
  const command = program
    .command('verify')
    .summary('verify signed files offline')
    .description(
      'Verify a manifest, grant, checkpoint, entry or export with nothing but public keys, whose roles the ' +
        'signed manifest states.',
    )
    .argument('<kind-or-file>', `${ARTEFACT_KINDS.join(', ')} (detected from the file when omitted)`)
    .argument('[file]', 'the file to verify; `-` reads standard input')
  originOptions(command)
    .option(
      '--signature <file>',
      'the detached signature of a manifest (default: the file beside it that ends in .jws)',
    )
    .option('--source <file>', 'the svc.yaml that a manifest was built from, to list members that differ')
    .option('--checkpoint <file>', 'for an entry: the checkpoint, in detail form with its inclusion proof')
    .option('--allow-withheld', 'accept a redacted entry whose inclusion is proven', false)
    .option(
      '--since <file>',
      'for a checkpoint: an older one that it must extend; for an export: one that it must contain',
    )
    .addOption(new Option('--format <format>', 'output format').choices(['text', 'json']).default('text'))
    .addOption(jsonOption())
    .addHelpText('after', EXAMPLES)
    .action(async (first: string, second: string | undefined, options: VerifyOptions & JsonOption) => {
      const { verify } = await import('./run.js')
      process.exitCode = await verify(first, second, { ...options, format: chosenFormat(options) })
    })
}

const EXAMPLES = `
Examples:
  # KID is what \`svc keys list --role manifest\` prints where the service runs
  svc verify dist/manifest.json --jwks dist/jwks.json --manifest-kid KID
  svc verify grant grant.json --jwks jwks.json --manifest manifest.json --manifest-kid KID
  svc verify checkpoint checkpoint.json --jwks jwks.json --manifest manifest.json --manifest-kid KID
  svc verify entry entry.json --checkpoint checkpoint.json --jwks jwks.json --manifest manifest.json --manifest-kid KID

Exit codes: 0 verified, 1 differs from what was signed, 2 usage or input, 3 internal error.
`
