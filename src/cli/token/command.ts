import type { Command } from 'commander'
import type { ConnectionOptions } from '../service/connection.js'
import type { IssueOptions } from './run.js'
import type { TreeOptions } from '../operate/token-tree.js'
import { serviceOptions } from '../shared/arguments/service-options.js'

/** `svc token`: delegation tokens of a running service. */
export function registerToken(program: Command): void {
  const token = program
    .command('token')
    .summary('issue and revoke delegation tokens')
    .description('Issue a token that narrows what a credential may do, show what one says, and end it.')
    .addHelpText('after', EXAMPLES)
  narrowing(serviceOptions(token.command('issue')))
    .summary('issue a token, narrower than your credential')
    .description('Issue a root token for a bootstrap credential, or a child of a delegation token.')
    .action(async (options: IssueOptions) => {
      process.exitCode = await (await import('./run.js')).printNewToken(options)
    })
  narrowing(serviceOptions(token.command('delegate')))
    .summary('issue a token below the one that you hold')
    .description('Issue a child of the delegation token that you hold: it may do less, and ends with it at the latest.')
    .action(async (options: IssueOptions) => {
      process.exitCode = await (await import('./run.js')).delegateToken(options)
    })
  token
    .command('inspect')
    .summary('show what a delegation token says')
    .description('Show the claims of the token in SVC_TOKEN_FILE or SVC_TOKEN. Its signature is not verified here.')
    .action(async () => {
      process.exitCode = await (await import('./run.js')).inspect()
    })
  serviceOptions(token.command('tree'))
    .summary('show tokens with those below them')
    .description(
      'Show the tokens of everybody, or of one principal, each below the one that it came from. For operators.',
    )
    .option('--principal <principal>', 'bought by this principal, as human:ana@example.com')
    .action(async (options: TreeOptions) => {
      process.exitCode = await (await import('../operate/token-tree.js')).printTree(options)
    })
  serviceOptions(token.command('revoke'))
    .summary('end a token and everything below it')
    .description('End a token and everything that was delegated from it.')
    .argument('<id>', 'the token id, as tok_1f3a')
    .action(async (id: string, options: ConnectionOptions) => {
      process.exitCode = await (await import('./run.js')).revokeToken(id, options)
    })
}

const narrowing = (command: Command): Command =>
  command
    .requiredOption('--scope <scope...>', 'what the token may reach')
    .option('--subject <principal>', 'who holds it, as agent:planner')
    .option('--budget <amount>', 'the most that one call may cost, as 500:EUR')
    .option('--cumulative', 'the budget counts all calls together', false)
    .option('--capability <name>', 'for this capability alone')
    .option('--task <id>', 'the task that calls are for')
    .option('--session <id>', 'the session that calls belong to')
    .option('--ttl-hours <hours>', 'how long it lives')
    .option('--out <file>', 'write it to a file that nobody else may read, and print nothing of it')

const EXAMPLES = `
Examples:
  SVC_TOKEN=$SVC_DEVELOPER_KEY svc token issue --scope travel.search travel.book --subject agent:planner --budget 500:EUR --out agent.token
  SVC_TOKEN_FILE=agent.token svc token delegate --scope travel.search --subject agent:helper --out helper.token
  SVC_TOKEN_FILE=agent.token svc token inspect
  SVC_TOKEN_FILE=~/.operator svc token tree --principal human:ana@example.com
  svc token revoke tok_1f3a

The credential is read from SVC_TOKEN_FILE, SVC_TOKEN or the login there, the address from --url or SVC_URL.
Exit codes: 0 done, 1 the service refused, 2 usage or no answer, 3 internal error.
`
