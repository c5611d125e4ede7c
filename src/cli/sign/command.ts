import type { Command } from 'commander'
import type { SignOptions } from './run.js'

/** `svc sign`: signs the manifest for publication. */
export function registerSign(program: Command): void {
  program
    .command('sign')
    .summary('sign the manifest for publication')
    .description(
      'Write the manifest (RFC 8785), its detached signature (RFC 7515), the public keys, and digests.json, which lists ' +
        'all files of dist/. A service that is started with --manifest serves the same bytes. SOURCE_DATE_EPOCH dates it.',
    )
    .argument('[dir]', 'the folder of the service', '.')
    .option('--key <file>', 'sign with this private JWK, such as an offline publishing key; env:NAME reads a variable')
    .option('--keys <dir>', 'the key directory whose active manifest key signs (default: $SVC_KEYS, or keys)')
    .option(
      '--jwks <file>',
      'list the keys of the service where it runs, as svc keys list --jwks prints them there, and no others',
    )
    .option('--out <dir>', 'where to write manifest.json, manifest.jws and jwks.json (default: dist)')
    .option('--expires <when>', 'an ISO 8601 duration from now, or an RFC 3339 time', 'P30D')
    .addHelpText('after', EXAMPLES)
    .action(async (folder: string, options: SignOptions) => {
      const { sign } = await import('./run.js')
      process.exitCode = await sign(folder, options)
    })
}

const EXAMPLES = `
Examples:
  svc sign                                       sign with the active manifest key in keys/
  svc sign --key /media/offline/manifest.jwk     sign with a key that is kept elsewhere
  svc sign --key env:MANIFEST_KEY --expires P7D  sign in CI, for a week
  svc sign --jwks production.jwks.json           for a service that has other keys than this folder
  svc verify dist/manifest.json --jwks dist/jwks.json --manifest-kid KID

Exit codes: 0 signed, 1 the manifest has errors, 2 usage, key or input, 3 internal error.
`
