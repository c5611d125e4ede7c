import { Option, type Command } from 'commander'
import type { ConfigOptions } from './config.js'
import type { ConnectOptions } from './connect.js'

/** `svc mcp`: a service for the MCP clients that people have. */
export function registerMcp(program: Command): void {
  const mcp = program
    .command('mcp')
    .summary('connect an MCP client')
    .description(
      'Let an MCP client start a built service or connect to a running one, and call its capabilities as tools.',
    )
    .addHelpText('after', EXAMPLES)
  mcp
    .command('config')
    .description('Print the configuration by which a client starts the service, or write it to the client’s file.')
    .argument('[dir]', 'the folder of the built service', '.')
    .addOption(new Option('--client <client>', 'which client it is for').choices(CLIENT_NAMES).makeOptionMandatory())
    .option('--token-file <file>', 'a file with a delegation token; read again at each call', 'agent.token')
    .option('--connect <url>', 'address of a running service; the client connects with svc mcp connect')
    .option('--scope <scope...>', 'with --connect: scopes of the agent')
    .option('--write', 'add it to the client’s configuration file in the project', false)
    .action(async (folder: string, options: ConfigOptions) => {
      process.exitCode = await (await import('./config.js')).config(folder, options)
    })
  mcp
    .command('connect')
    .summary('let an MCP client that starts processes reach a service over HTTP')
    .description('Serve an MCP client on standard input and output, and forward its calls to a running service.')
    .argument('<url>', 'the address of the service, such as https://svc.example')
    .option('--scope <scope...>', 'scopes of the agent; required unless the credential is a delegation token')
    .option('--subject <principal>', 'identity of the agent', 'agent:mcp')
    .option('--budget <amount>', 'budget per call, such as 500:EUR')
    .option('--cumulative', 'apply the budget to all calls with one token together', false)
    .option('--ttl-hours <hours>', 'lifetime of a token before it is renewed')
    .addHelpText('after', CONNECT_EXAMPLES)
    .action(async (url: string, options: ConnectOptions) => {
      process.exitCode = await (await import('./connect.js')).connectTo(url, options)
    })
}

/** The clients whose configuration is known. */
const CLIENT_NAMES = ['claude-code', 'cursor', 'vscode', 'inspector'] as const

const CONNECT_EXAMPLES = `
Examples:
  SVC_TOKEN_FILE=agent.token svc mcp connect https://svc.example
  SVC_TOKEN_FILE=login.token svc mcp connect https://svc.example --scope travel.search --subject agent:editor --budget 500:EUR

The credential is read from SVC_TOKEN_FILE, or SVC_TOKEN, whenever a token is drawn. Budgets hold for each token; one that holds for all
is that of a delegation token in SVC_TOKEN_FILE.
Exit codes: 0 the client has gone, 2 usage, 3 internal error.
`

const EXAMPLES = `
Examples:
  svc mcp config --client claude-code            print .mcp.json
  svc mcp config --client cursor --write         write .cursor/mcp.json
  svc mcp config shop --client inspector > mcp.json
  svc mcp config --client cursor --connect https://svc.example --scope travel.search
  svc mcp connect https://svc.example            pass the calls of a client to a service

The configuration names the file of a token, and never holds one.
Exit codes: 0 done, 2 usage or a service that is not built, 3 internal error.
`
