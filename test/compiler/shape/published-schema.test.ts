import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { SCHEMA_NAMES, publishedSchemaOf } from '../../../src/cli/schema/table.js'
import { schemaTrouble } from '../../schema-trouble.js'

/** Conditions require members that the shape beside them describes. */
const STRICT = { strict: true, strictRequired: false, allowUnionTypes: true }

it.each(SCHEMA_NAMES)('schemas/%s.schema.json is what its table says (UPDATE=1 writes it anew)', async (name) => {
  const file = `schemas/${name}.schema.json`
  const schema = await publishedSchemaOf(name)
  const text = `${JSON.stringify(schema, null, 2)}\n`
  if (process.env['UPDATE'] === '1') writeFileSync(file, text)
  expect(readFileSync(file, 'utf8')).toBe(text)
  expect(schemaTrouble(schema, undefined, STRICT)).toEqual([])
})

it('publishes no schema that the table does not name', () => {
  const published = readdirSync('schemas').filter((file) => file.endsWith('.schema.json'))
  expect(published.sort()).toEqual(SCHEMA_NAMES.map((name) => `${name}.schema.json`).sort())
})

it.each(SCHEMA_NAMES.filter((name) => name !== 'manifest' && name !== 'fragment'))(
  '%s says what each member means',
  async (name) => {
    expect(undescribed(await publishedSchemaOf(name), '')).toEqual([])
  },
)

/** The properties without a description, a constant apart. */
function undescribed(schema: unknown, path: string): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([name, value]: [string, object]) =>
    name === 'properties'
      ? Object.entries(value).flatMap(([member, each]: [string, object]) => [
          ...('description' in each || 'const' in each ? [] : [`${path}/${member}`]),
          ...undescribed(each, `${path}/${member}`),
        ])
      : undescribed(value, `${path}/${name}`),
  )
}

/** An editor calls wrong what the schema refuses; an empty description is a lint of `svc validate`. */
it('lets an optional description be empty, as svc validate does', async () => {
  const manifest: unknown = parse(readFileSync('test/rules/style/description-empty/svc.yaml', 'utf8'))
  expect(schemaTrouble(await publishedSchemaOf('manifest'), manifest, STRICT)).toEqual([])
})
