import { Option, type Command } from 'commander'
import { serviceOptions } from '../shared/arguments/service-options.js'
import type { ConnectAccountOptions, AccountsOptions } from './run.js'

/** `svc connections`: accounts of yours at upstream systems, which agents use that act for you. */
export function registerConnections(program: Command): void {
  const connections = program
    .command('connections')
    .summary('connect accounts that agents use for you')
    .description(
      'List, connect and disconnect accounts at upstream systems. Agents that act for you use them, and see no token.',
    )
    .addHelpText('after', EXAMPLES)
  serviceOptions(connections.command('list'))
    .summary('list accounts')
    .description('List your accounts and the upstream systems that take one; with --all, those of everybody.')
    .option('--all', 'accounts of everybody; needs the role operator')
    .option('--principal <principal>', 'with --all, only those of this person')
    .option('--upstream <name>', 'with --all, only those at this upstream system')
    .action(async (options: AccountsOptions) => {
      process.exitCode = await (await import('./run.js')).listConnections(options)
    })
  serviceOptions(connections.command('connect'))
    .summary('connect an account in the browser')
    .description('Open the page that connects an account, and wait until it is connected.')
    .argument('<upstream>', 'upstream system, as svc connections list names it')
    .addOption(new Option('--no-browser', 'print the address only'))
    .action(async (upstream: string, options: ConnectAccountOptions) => {
      process.exitCode = await (await import('./run.js')).connectAccount(upstream, options)
    })
  serviceOptions(connections.command('disconnect'))
    .summary('disconnect an account')
    .description('End the use of an account by agents, and revoke the access at its provider.')
    .argument('<id>', 'the connection, such as con_1f3a')
    .action(async (id: string, options: AccountsOptions) => {
      process.exitCode = await (await import('./run.js')).disconnectAccount(id, options)
    })
}

const EXAMPLES = `
Examples:
  svc connections list --url https://clinic.example
  svc connections connect mail
  svc connections disconnect con_1f3a
  svc connections list --all --principal human:ana@example.com

The credential is read from SVC_TOKEN_FILE, SVC_TOKEN or the login there, the address from --url or SVC_URL.
Exit codes: 0 done, 1 the service refused, 2 usage or no answer, 3 internal error.
`
