import { Option, type Command } from 'commander'
import type { McpImportOptions } from './choose-tools.js'
import type { OpenApiOptions } from './options.js'

/** `svc import`: governs what exists already. */
export function registerImport(program: Command): void {
  const command = program
    .command('import')
    .summary('govern an API that exists already')
    .description('Make capabilities of what exists already. What only a person can decide is left open.')
    .addHelpText('after', EXAMPLES)
  command
    .command('openapi')
    .description('Import chosen operations of an OpenAPI 3.0, 3.1, 3.2 or Swagger 2.0 document, in JSON or YAML.')
    .argument('<source>', 'a file, or an address')
    .option('--operation <id>', 'an operation by its id, or as "POST /path"; may be repeated', collect, [])
    .option('--tag <tag>', 'all operations that have a tag; may be repeated', collect, [])
    .option('--all', 'all operations that can be imported', false)
    .option('--rename <old=new>', 'what an operation is called as a capability; may be repeated', collect, [])
    .addOption(ANSWERS)
    .option('--list', 'print the operations, those of --tag if it is given, and import nothing', false)
    .option('--into <dir>', 'the folder of the service; a new one is made where there is none', '.')
    .option('--name <name>', 'what files, scopes and variables call the service behind')
    .option('--server <url>', 'the address of the service behind (default: as the document says)')
    .action(async (source: string, options: OpenApiOptions) => {
      process.exitCode = await (await import('./openapi.js')).importOpenApi(source, options)
    })
  command
    .command('mcp')
    .description('Import chosen tools of an MCP server, each pinned to what the server says of it now.')
    .argument('[command...]', 'after --: the command of an installed package with its arguments; or an address')
    .option('--tool <name>', 'a tool; may be repeated', collect, [])
    .option('--all', 'all tools', false)
    .option('--write <tools>', 'those that may change something, joined by commas, or none; the others read')
    .option('--cost <amount>', 'what a change costs of an agent’s budget, such as "1 EUR"')
    .addOption(ANSWERS)
    .option('--time-limit <limit>', 'seconds that a tool may take: 60, or <tool>=600; may be repeated', collect, [])
    .option('--env <name>', 'a variable that the server gets beside PATH and HOME; may be repeated', collect, [])
    .option('--path <path>', 'what the server may read and write beside its arguments; may be repeated', collect, [])
    .option('--allow <power>', 'what it may do besides: child-process, worker, addons; may be repeated', collect, [])
    .option('--network <hosts>', 'public hosts that it may reach: none, open, or names joined by commas', 'none')
    .option('--container <image>', 'start it from an image by its digest, with the arguments after --')
    .addOption(CONFINEMENT)
    .option('--reason <text>', 'with --confinement none: why, for those who read the pinned file')
    .option('--list', 'print the tools, and import nothing', false)
    .option('--update', 'show what the servers have changed since they were imported', false)
    .option('--yes', 'with --update: accept the changes', false)
    .option('--into <dir>', 'the folder of the service; a new one is made where there is none', '.')
    .option('--name <name>', 'what files, scopes and variables call the server behind')
    .action(async (server: readonly string[], options: McpImportOptions) => {
      process.exitCode = await (await import('./mcp.js')).importMcp(server, options)
    })
}

const ANSWERS = new Option('--answers <kind>', 'how reads judge answers that deviate from their description')
  .choices(['loose', 'strict'])
  .default('loose')

const CONFINEMENT = new Option('--confinement <kind>', 'its walls; none gives it all that you can reach')
  .choices(['namespaces', 'none'])
  .default('namespaces')

const collect = (value: string, before: readonly string[]): readonly string[] => [...before, value]

const EXAMPLES = `
Examples:
  svc import openapi shop.yaml --list
  svc import openapi shop.yaml --operation listOrders --operation cancelOrder
  svc import openapi shop.yaml --tag orders --into governed-shop
  svc import openapi shop.yaml --all --rename "POST /orders=order_goods"
  svc import openapi https://shop.example/openapi.json --operation "POST /orders"
  svc import mcp -- mcp-server-filesystem ~/docs
  svc import mcp --all --write write_file,edit_file --cost "1 EUR" -- mcp-server-filesystem ~/docs
  svc import mcp --update

Nothing is imported unless it is chosen. Effect, scope, cost and approval are TODO, which svc validate refuses.
Exit codes: 0 done, 1 the document has faults, 2 usage or input, 3 internal error.
`
