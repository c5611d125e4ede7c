import { Option, type Command } from 'commander'
import type { SignerRunOptions } from './run.js'

/** `svc signer`: holds the keys of a service in a process of its own. */
export function registerSigner(program: Command): void {
  program
    .command('signer')
    .summary('run a remote signer')
    .description(
      'Sign for a service that holds no private key. Runs as another system user, on a unix socket or over mutual ' +
        'TLS, and signs with a key only what its role signs.',
    )
    .option('--keys <dir>', 'the key directory (default: $SVC_KEYS, or keys)')
    .addOption(new Option('--socket <path>', 'listen on a unix socket').conflicts('listen'))
    .addOption(
      new Option('--mode <mode>', 'of the socket: its owner alone, or its group too')
        .choices(['0600', '0660'])
        .default('0600'),
    )
    .option('--listen <host:port>', 'listen for mutual TLS instead')
    .option('--cert <file>', 'mutual TLS: certificate of the signer, PEM')
    .option('--key <file>', 'mutual TLS: private key of the signer, PEM')
    .option('--ca <file>', 'mutual TLS: authority of the service certificates, PEM')
    .option('--client <name>', 'mutual TLS: certificate name of an accepted service; may be repeated', all)
    .option('--rate <number>', 'signatures a second, at most', '2000')
    .option(
      '--command <command>',
      'what signs for keys whose private half is not in the directory: reads a SHA-256 digest, writes r and s',
    )
    .addHelpText('after', EXAMPLES)
    .action(async (options: SignerRunOptions) => {
      process.exitCode = await (await import('./run.js')).runSigner(options)
    })
}

const all = (name: string, names: readonly string[] = []): readonly string[] => [...names, name]

const EXAMPLES = `
Examples:
  svc signer --keys /var/lib/shop-signer/keys --socket /run/shop-signer/signer.sock --mode 0660
  svc signer --listen 0.0.0.0:4150 --cert signer.pem --key signer.key --ca services.pem --client shop

The service: SVC_SIGNER=unix:/run/shop-signer/signer.sock, and on both sides the same
SVC_SIGNER_SECRET (docs/guides/signer.md)

Exit codes: 0 ended by a signal, 2 usage, keys or address, 3 internal error.
`
