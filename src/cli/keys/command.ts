import { Option, type Command } from 'commander'
import { RING_ROLES, type RingRole } from '../../protocol/words.js'
import type { DirectoryOption } from './directory.js'
import type { GenerateOptions } from './generate.js'
import type { KeyListOptions } from './list.js'
import type { RetireOptions } from './retire.js'
import type { RotateOptions } from './rotate.js'

/** `svc keys`: the signing keys of a service. */
export function registerKeys(program: Command): void {
  const keys = program
    .command('keys')
    .summary('manage signing keys')
    .description(
      'Manage the key ring: one JWK file for each key (mode 0600), with its role and the times at which its ' +
        'state changes.',
    )
    .addHelpText('after', EXAMPLES)
  registerGenerate(keys)
  registerList(keys)
  registerPin(keys)
  registerRotate(keys)
  registerRetire(keys)
}

const directory = () => new Option('--dir <dir>', 'the key directory (default: $SVC_KEYS, or keys)')
const role = () => new Option('--role <role>', RING_ROLES.join(', ')).choices(RING_ROLES)

function registerGenerate(keys: Command): void {
  keys
    .command('generate')
    .description(
      'Generate a key for each role that has none. With --role, add a key: active if it is the first, else next.',
    )
    .addOption(directory())
    .addOption(role())
    .option('--print', 'print the key instead of writing a file, for an environment variable or a vault', false)
    .addOption(
      new Option(
        '--public-key <file>',
        'add a key that a module or a vault keeps, by its public half (PEM, DER or JWK); svc signer --command signs with it',
      ).conflicts('print'),
    )
    .action(async (options: GenerateOptions) => {
      process.exitCode = await (await import('./generate.js')).generate(options)
    })
}

function registerList(keys: Command): void {
  keys
    .command('list')
    .description('List the keys with role, state and times. Private parts are never printed.')
    .addOption(directory())
    .addOption(role())
    .addOption(new Option('--json', 'print the keys as JSON').conflicts(['jwks', 'kids']))
    .addOption(new Option('--kids', 'print only the key ids').conflicts('jwks'))
    .option('--jwks', 'print the public keys as a JWKS; the signed manifest lists their roles')
    .action(async (options: KeyListOptions) => {
      process.exitCode = await (await import('./list.js')).listKeys(options)
    })
}

function registerPin(keys: Command): void {
  keys
    .command('pin')
    .description(
      'Pin the keys that may sign the manifest in svc.lock.json, so that the generated client takes no others.',
    )
    .argument('[kid...]', 'their ids; by default those of the key directory, the next and the active ones')
    .addOption(directory())
    .action(async (kids: readonly string[], options: DirectoryOption) => {
      process.exitCode = await (await import('./pin.js')).pin(kids, options)
    })
}

function registerRotate(keys: Command): void {
  keys
    .command('rotate')
    .description(
      'Rotate a key: publish the new one now, sign with it after the lead time, keep the old one for verification.',
    )
    .addOption(directory())
    .addOption(role().makeOptionMandatory())
    .option(
      '--lead <duration>',
      'time between publishing the new key and signing with it (default: PT3M); a shorter one brings a scheduled ' +
        'change forward',
    )
    .option('--overlap <duration>', 'how long the old key still verifies after its last signature (default: see below)')
    .addHelpText('after', OVERLAP)
    .action(async (options: RotateOptions & { readonly role: RingRole }) => {
      process.exitCode = await (await import('./rotate.js')).rotate(options)
    })
}

function registerRetire(keys: Command): void {
  keys
    .command('retire')
    .description('Retire a key at once: it no longer signs or verifies, and its private part is removed.')
    .argument('<kid>', 'key id, or the beginning of one')
    .addOption(directory())
    .option('--keep-verifying', 'keep the key for verification', false)
    .addOption(
      new Option(
        '--until-checkpoint <file>',
        'of an audit key that has leaked: what it signed counts up to this checkpoint, the last that you trust',
      ).conflicts('keepVerifying'),
    )
    .action(async (kid: string, options: RetireOptions) => {
      process.exitCode = await (await import('./retire.js')).retire(kid, options)
    })
}

const EXAMPLES = `
Examples:
  svc keys generate                        a first key for each role
  svc keys rotate --role tokens            change the token key; no call is refused
  svc keys list
  svc keys list --role manifest --kids     what to hand to those who verify (svc verify --manifest-kid)
  svc keys list --jwks                     the public keys, as the service publishes them
  svc keys retire 3q2-7w                   a key that has leaked
  svc keys retire 9f1-x2 --until-checkpoint checkpoint.json
                                           an audit key that has leaked; what it signed counts up to there
  svc keys retire -- -7w3q2                a key whose id begins with a dash

Exit codes: 0 done, 2 usage or keys, 3 internal error.
`

const OVERLAP = `
The default overlap: tokens as long as the longest token or grant of svc.yaml may live and an hour more; manifest 31 days;
audit without an end, because checkpoints are verified for ever. With --overlap, no earlier key of the role verifies for
longer either, except audit keys. A secret (rows, connections) counts until it is retired, and takes no --overlap.
`
