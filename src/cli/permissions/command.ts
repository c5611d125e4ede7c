import type { Command } from 'commander'
import { serviceOptions } from '../shared/arguments/service-options.js'
import type { ConnectionOptions } from '../service/connection.js'

/** `svc permissions` and `svc why`: what a token may do, and what stands in the way of one call. */
export function registerPermissions(program: Command): void {
  serviceOptions(program.command('permissions'))
    .summary('list what your token may call')
    .description('List each capability and what the token lacks for it, by the checks of a call.')
    .addHelpText('after', PERMISSIONS_EXAMPLES)
    .action(async (options: ConnectionOptions) => {
      process.exitCode = await (await import('./run.js')).printPermissions(options)
    })
  serviceOptions(program.command('why'))
    .summary('show which check refuses a call')
    .description(
      'List the checks of a call in their order, as far as they can be judged without calling, and the one that ' +
        'refuses. ' +
        'The manifest is read, not verified.',
    )
    .argument('<capability>', 'the capability')
    .addHelpText('after', WHY_EXAMPLES)
    .action(async (capability: string, options: ConnectionOptions) => {
      process.exitCode = await (await import('./why.js')).why(capability, options)
    })
}

const PERMISSIONS_EXAMPLES = `
Examples:
  SVC_TOKEN_FILE=agent.token svc permissions --url https://travel.example
  svc permissions --json

The credential is read from SVC_TOKEN_FILE, SVC_TOKEN or the login there, the address from --url or SVC_URL.
Exit codes: 0 done, 1 the service refused, 2 usage or no answer, 3 internal error.
`

const WHY_EXAMPLES = `
Examples:
  SVC_TOKEN_FILE=agent.token svc why book_flight
  svc why book_flight --json

The credential is read from SVC_TOKEN_FILE, SVC_TOKEN or the login there, the address from --url or SVC_URL.
Exit codes: 0 nothing that can be judged refuses, 1 a check refuses, 2 usage or no answer, 3 internal error, 4 it needs an approval.
`
