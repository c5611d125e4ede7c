import { readFileSync } from 'node:fs'
import { load } from 'js-yaml'
import { globSync } from 'tinyglobby'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { publishedSchemaOf } from '../../../src/cli/schema/table.js'
import { readDocument } from '../../../src/compiler/parse/read-document.js'
import { jsonOf } from '../../../src/compiler/shape/normalise.js'
import { schemaTrouble } from '../../schema-trouble.js'

const files = globSync(['examples/*/svc.yaml', 'test/rules/*/*/good.yaml']).toSorted()
const valueOf = (file: string): unknown => {
  const root = readDocument({ file, text: readFileSync(file, 'utf8'), base: 0 }, () => undefined)
  return root === undefined ? undefined : jsonOf(root)
}

it.each(files)('%s has one value for yaml, js-yaml and our tree', (file) => {
  const text = readFileSync(file, 'utf8')
  expect(valueOf(file)).toEqual(load(text))
  expect(valueOf(file)).toEqual(parse(text))
})

it('is valid by the published schema, too', async () => {
  const {
    definitions,
    $schema: _,
    $id: __,
    ...manifest
  } = (await publishedSchemaOf('manifest')) as {
    readonly definitions: object
    readonly $schema: string
    readonly $id: string
  }
  const all = { definitions, type: 'array', items: manifest }
  const troubles = schemaTrouble(all, files.map(valueOf), { strict: false }) as readonly object[]
  expect(troubles).toEqual([])
}, 60_000)
