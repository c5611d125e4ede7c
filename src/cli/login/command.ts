import { Option, type Command } from 'commander'
import { SENT_TOKENS } from '../service/logins/logins.js'
import type { LoginOptions } from './run.js'

const ADDRESS = ['--url <address>', 'the service (default: $SVC_URL, or http://127.0.0.1:4100)'] as const

/** `svc login` and `svc logout`: a person’s own credential for the commands that ask a running service. */
export function registerLogin(program: Command): void {
  program
    .command('login')
    .summary('sign in to a service')
    .description(
      'Sign in at the identity provider of a service, in the browser of this machine or with a code in another. The ' +
        'credential is kept for that service alone, readable by you alone, and is renewed where the provider allows.',
    )
    .option(...ADDRESS)
    .option('--issuer <address>', 'the identity provider (default: $SVC_OIDC_ISSUER, or that of the last login)')
    .option('--client-id <id>', 'this client there (default: $SVC_OIDC_CLIENT_ID, or that of the last login)')
    .option('--scope <scopes>', 'what to ask for (default: openid email, and offline_access where it is offered)')
    .option('--resource <address>', 'the audience to ask for (RFC 8707), where the provider needs it')
    .addOption(
      new Option('--send <token>', 'what the service takes (default: the access token if it is a JWT, else the ID token)').choices([...SENT_TOKENS]), // prettier-ignore
    )
    .option('--device', 'show a code to enter in another browser', false)
    .option('--no-browser', 'print the address, and do not open it')
    .addHelpText('after', EXAMPLES)
    .action(async (options: LoginOptions) => {
      process.exitCode = await (await import('./run.js')).login(options)
    })
  program
    .command('logout')
    .summary('sign out of a service')
    .description(
      'Delete the credential for a service, and revoke it at the identity provider if the provider supports that.',
    )
    .option(...ADDRESS)
    .addHelpText('after', LOGOUT_EXAMPLES)
    .action(async (options: { readonly url?: string }) => {
      process.exitCode = await (await import('./run.js')).logout(options)
    })
}

const EXAMPLES = `
Examples:
  svc login --url https://travel.example --issuer https://sso.example --client-id svc-cli
  svc login --url https://travel.example --device
  svc approvals list --url https://travel.example   uses it, unless SVC_TOKEN_FILE or SVC_TOKEN is set

The client at the provider is a public one, with the redirect address http://127.0.0.1/callback on any port.
Exit codes: 0 signed in, 2 usage, or the sign-in did not succeed, 3 internal error.
`

const LOGOUT_EXAMPLES = `
Examples:
  svc logout --url https://travel.example

Exit codes: 0 nobody is signed in any more, 2 usage, 3 internal error.
`
