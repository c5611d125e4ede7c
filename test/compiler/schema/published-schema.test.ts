import { readFileSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { DIAGNOSTICS_SCHEMA } from '../../../src/compiler/schema/diagnostics-schema.js'
import { manifestSchema } from '../../../src/compiler/schema/json-schema.js'
import { schemaTrouble } from '../../schema-trouble.js'

it.each([
  ['schemas/manifest.schema.json', manifestSchema()],
  ['schemas/diagnostics.schema.json', DIAGNOSTICS_SCHEMA],
])('%s is the table of fields (UPDATE=1 writes it anew)', (file, schema) => {
  const text = `${JSON.stringify(schema, null, 2)}\n`
  if (process.env['UPDATE'] === '1') writeFileSync(file, text)
  expect(readFileSync(file, 'utf8')).toBe(text)
  expect(schemaTrouble(schema, undefined, { strict: true, allowUnionTypes: true })).toEqual([])
})
