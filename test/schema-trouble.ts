import { execFileSync } from 'node:child_process'

/** What is wrong with a value by a JSON Schema, as Ajv says it; with the schema itself, when there is no value. */
export function schemaTrouble(schema: object, value?: unknown, options: object = {}): readonly unknown[] {
  const { NODE_OPTIONS: _, ...env } = process.env
  const input = JSON.stringify({ schema, value, options })
  return JSON.parse(
    execFileSync(process.execPath, ['test/schema-judge.js'], {
      cwd: new URL('..', import.meta.url),
      input,
      env,
      encoding: 'utf8',
    }),
  ) as readonly unknown[]
}
