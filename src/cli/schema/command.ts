import { Argument, type Command } from 'commander'
import { SCHEMAS, SCHEMA_NAMES, publishedSchemaOf, type SchemaName } from './table.js'
import { printOut } from '../shared/output/print.js'

/** `svc schema`: prints the JSON Schemas of what authors write and tools read. */
export function registerSchema(program: Command): void {
  program
    .command('schema')
    .summary('print a JSON Schema')
    .description('Print the JSON Schema of manifests, or of the JSON that a command prints.')
    .addArgument(new Argument('[name]', 'which schema').choices(SCHEMA_NAMES).default('manifest'))
    .addHelpText('after', `\nSchemas:\n${lines()}${EXAMPLES}`)
    .action(async (name: SchemaName) => {
      printOut(`${JSON.stringify(await publishedSchemaOf(name), null, 2)}\n`)
    })
}

function lines(): string {
  const width = Math.max(...SCHEMA_NAMES.map((name) => name.length))
  return SCHEMA_NAMES.map((name) => `  ${name.padEnd(width)}  ${SCHEMAS[name].of}\n`).join('')
}

const EXAMPLES = `
Examples:
  svc schema > manifest.schema.json
  svc schema diagnostics           the JSON of svc validate --json

Exit codes: 0 printed, 2 usage, 3 internal error.
`
