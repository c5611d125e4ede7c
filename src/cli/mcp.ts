import { Option, type Command } from 'commander'
import type { ConfigOptions } from './mcp/config.js'

/** `svc mcp`: a service for the MCP clients that people have. */
export function registerMcp(program: Command): void {
  const mcp = program
    .command('mcp')
    .summary('configure MCP clients to call a service')
    .description('Let an MCP client start a built service and call its capabilities as tools.')
    .addHelpText('after', EXAMPLES)
  mcp
    .command('config')
    .description('Print the configuration with which a client starts the service, or write it into the client’s file.')
    .argument('[dir]', 'the folder of the built service', '.')
    .addOption(new Option('--client <client>', 'which client it is for').choices(CLIENT_NAMES).makeOptionMandatory())
    .option('--token-file <file>', 'a file with a delegation token; read again at each call', 'agent.token')
    .option('--write', 'write it into the project’s file of that client, beside what is there', false)
    .action(async (folder: string, options: ConfigOptions) => {
      process.exitCode = await (await import('./mcp/config.js')).config(folder, options)
    })
}

/** The clients whose configuration is known. */
const CLIENT_NAMES = ['claude-code', 'cursor', 'vscode', 'inspector'] as const

const EXAMPLES = `
Examples:
  svc mcp config --client claude-code            print .mcp.json
  svc mcp config --client cursor --write         write .cursor/mcp.json
  svc mcp config shop --client inspector > mcp.json

The configuration names the file of a token, and never holds one.
Exit codes: 0 done, 2 usage or a service that is not built, 3 internal error.
`
