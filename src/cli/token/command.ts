import type { Command } from 'commander'
import type { ConnectionOptions } from '../service/connection.js'
import type { IssueOptions } from './run.js'
import type { TreeOptions } from '../operate/token-tree.js'
import { serviceOptions } from '../shared/arguments/service-options.js'

/** `svc token`: delegation tokens of a running service. */
export function registerToken(program: Command): void {
  const token = program
    .command('token')
    .summary('issue, inspect and revoke tokens')
    .description('Issue a token that is narrower than your credential; inspect and revoke tokens.')
    .addHelpText('after', EXAMPLES)
  narrowing(serviceOptions(token.command('issue')))
    .summary('issue a token, narrower than your credential')
    .description('Issue a root token for a bootstrap credential, or a child of a delegation token.')
    .action(async (options: IssueOptions) => {
      process.exitCode = await (await import('./run.js')).printNewToken(options)
    })
  narrowing(serviceOptions(token.command('delegate')))
    .summary('issue a child of your token')
    .description('Issue a child of your delegation token. It is narrower, and expires no later.')
    .action(async (options: IssueOptions) => {
      process.exitCode = await (await import('./run.js')).delegateToken(options)
    })
  token
    .command('inspect')
    .summary('show the claims of a delegation token')
    .description('Show the claims of the token in SVC_TOKEN_FILE or SVC_TOKEN. Its signature is not verified here.')
    .action(async () => {
      process.exitCode = await (await import('./run.js')).inspect()
    })
  serviceOptions(token.command('tree'))
    .summary('show tokens with their child tokens')
    .description('Show all tokens, or those of one principal, each below its parent. For operators.')
    .option('--principal <principal>', 'tokens of this root principal, such as human:ana@example.com')
    .action(async (options: TreeOptions) => {
      process.exitCode = await (await import('../operate/token-tree.js')).printTree(options)
    })
  serviceOptions(token.command('revoke'))
    .summary('revoke a token and its child tokens')
    .description('Revoke a token and its child tokens.')
    .argument('<id>', 'the token id, such as tok_1f3a')
    .action(async (id: string, options: ConnectionOptions) => {
      process.exitCode = await (await import('./run.js')).revokeToken(id, options)
    })
}

const narrowing = (command: Command): Command =>
  command
    .requiredOption('--scope <scope...>', 'scopes of the token')
    .option('--subject <principal>', 'holder of the token, such as agent:planner')
    .option('--budget <amount>', 'budget per call, such as 500:EUR')
    .option('--cumulative', 'apply the budget to all calls together, not to each', false)
    .option('--capability <name>', 'tokens for this capability only')
    .option('--task <id>', 'task of its calls')
    .option('--session <id>', 'session of its calls')
    .option('--ttl-hours <hours>', 'lifetime of the token')
    .option('--out <file>', 'write the token to a file that only you can read; do not print it')

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
