import { Argument, type Command } from 'commander'

/** `svc schema`: prints the JSON Schemas of what authors write and tools read. */
export function registerSchema(program: Command): void {
  program
    .command('schema')
    .summary('print a JSON Schema')
    .description('Print the JSON Schema of manifests, or of the findings that `svc validate --format json` prints.')
    .addArgument(new Argument('[name]', 'which schema').choices(['manifest', 'diagnostics']).default('manifest'))
    .action(async (name: 'manifest' | 'diagnostics') => {
      process.stdout.write(`${JSON.stringify(await schemaOf(name), null, 2)}\n`)
    })
}

async function schemaOf(name: 'manifest' | 'diagnostics') {
  if (name === 'diagnostics') return (await import('../compiler/schema/diagnostics-schema.js')).DIAGNOSTICS_SCHEMA
  return (await import('../compiler/schema/json-schema.js')).manifestSchema()
}
