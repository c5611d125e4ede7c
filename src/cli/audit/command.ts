import { Option, type Command } from 'commander'
import type { EraseOptions } from './erase.js'
import type { ExportOptions } from './export.js'
import type { ResumeOptions } from './resume.js'
import type { VerifyExportOptions } from './verify.js'
import type { WitnessOptions } from './witness.js'
import { registerReadingTrail } from './reading.js'
import { originOptions } from '../verify/origin-options.js'
import { chosenFormat, jsonOption, type JsonOption } from '../shared/arguments/json-option.js'

/** `svc audit`: the audit trail in a file, and whether such a file is true. */
export function registerAudit(program: Command): void {
  const audit = program
    .command('audit')
    .summary('read, export and verify the audit trail')
    .description(
      'Read the trail of a running service; write it with checkpoints, keys and proofs to a file, and verify such a ' +
        'file offline.',
    )
    .addHelpText('after', EXAMPLES)
  registerReadingTrail(audit)

  audit
    .command('export')
    .description('Write every entry covered by the last checkpoint, with its proof, as sealed JSON lines.')
    .option('--database <place>', 'SQLite file or postgresql:// address (default: $SVC_DATABASE)')
    .option('--keys <dir>', 'the key directory whose audit key seals the export (default: $SVC_KEYS, or keys)')
    .option('--service <id>', 'the service id (default: that of svc.yaml in this folder)')
    .option('--from <sequence>', 'sequence of the first entry', '1')
    .option('--out <file>', 'where to write; `-` is standard output', '-')
    .action(async (options: ExportOptions) => {
      process.exitCode = await (await import('./export.js')).exportTrail(options)
    })

  const verify = audit
    .command('verify')
    .description(
      'Verify signatures, checkpoints and the proof of each entry, and that none is missing. Names the first bad ' +
        'entry.',
    )
    .argument('<file>', 'the export; `-` reads standard input')
  originOptions(verify)
    .option('--since <checkpoint>', 'a checkpoint that you hold; the export must contain it')
    .addOption(new Option('--format <format>', 'output format').choices(['text', 'json']).default('text'))
    .addOption(jsonOption())
    .action(async (file: string, options: VerifyExportOptions & JsonOption) => {
      process.exitCode = await (
        await import('./verify.js')
      ).verifyTrail(file, { ...options, format: chosenFormat(options) })
    })

  audit
    .command('erase')
    .description(
      'Erase the content of entries before their retention ends, as privacy regulations may require; an audit ' +
        'entry keeps which and why.',
    )
    .requiredOption('--entries <sequences>', 'which: sequences and ranges, such as 17,20-25')
    .requiredOption('--reason <text>', 'reason, recorded in the audit trail; do not repeat the erased content')
    .option(
      '--database <place>',
      'SQLite file or postgresql:// address of the owner of the schema (default: $SVC_DATABASE)',
    )
    .action(async (options: EraseOptions) => {
      process.exitCode = await (await import('./erase.js')).eraseEntries(options)
    })

  audit
    .command('witness')
    .description('Ask a witness to cosign the newest checkpoint (c2sp.org/tlog-witness), and store the cosigned note.')
    .requiredOption('--service <url>', 'the base address of the service')
    .requiredOption('--witness <url>', 'the submission prefix of the witness')
    .requiredOption('--witness-key <key>', 'the key of the witness: name+hash+base64')
    .option('--out <file>', 'where to store the cosigned note', 'checkpoint.note')
    .action(async (options: WitnessOptions) => {
      process.exitCode = await (await import('./witness.js')).witnessTrail(options)
    })

  audit
    .command('resume')
    .description(
      'After restoring a backup: let the service sign again, although it has signed newer checkpoints than it holds.',
    )
    .requiredOption('--reason <text>', 'why the newer entries are lost; stored with the action')
    .option('--keys <dir>', 'where it remembers them (default: $SVC_STATE_DIR, else $SVC_KEYS, or keys)')
    .action(async (options: ResumeOptions) => {
      process.exitCode = await (await import('./resume.js')).resumeSigning(options)
    })
}

const EXAMPLES = `
Examples:
  SVC_TOKEN_FILE=agent.token svc audit list --since 24h --failed --url https://travel.example
  svc audit show inv-1f3a5c7e9b0d --lineage
  svc audit export --database data/shop.db --out trail.ndjson
  svc audit verify trail.ndjson --jwks jwks.json --manifest manifest.json --manifest-kid KID
  svc audit verify trail.ndjson --jwks jwks.json --manifest manifest.json --manifest-kid KID --since checkpoint-of-last-year.json
  svc audit erase --database data/shop.db --entries 17,20-25 --reason "request DSR-2041"

Exit codes: 0 done or verified, 1 differs from what was recorded, 2 usage or input, 3 internal error.
`
