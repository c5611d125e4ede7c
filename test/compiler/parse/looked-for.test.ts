/** What is looked for in a text before it is parsed: files that it names, schemas that are too large, and whose it is. */
import { expect, it } from 'vitest'
import { includesOf } from '../../../src/compiler/parse/includes.js'
import { fileBeside, schemaFilesOf, schemaNameOf } from '../../../src/compiler/parse/schema-files.js'
import { MOST_SCHEMA_VALUES, tooManySchemaValues } from '../../../src/compiler/parse/schema-values.js'
import { serviceOf } from '../../../src/compiler/parse/service-of.js'

it.each([
  ['include: [a.yaml, "b c.yaml"]\n', ['a.yaml', 'b c.yaml']],
  ['"include": [a.yaml]\n', ['a.yaml']],
  ["'include' : [a.yaml]\n", ['a.yaml']],
  ['"\\x69nclude": [a.yaml]\n', ['a.yaml']],
  ['"incl\\u0075de" # why\n: [a.yaml]\n', []],
  ['include # why\n: [a.yaml]\n', []],
  ['{"include":["a.yaml"]}', ['a.yaml']],
  ['a: &i include\n*i : [a.yaml]\n', ['a.yaml']],
  ['? include\n: [a.yaml]\n', ['a.yaml']],
  ['include: a.yaml\n', []],
  ['include: [5, [a], null, a.yaml]\n', ['a.yaml']],
  ['capabilities: { include: [a.yaml] }\n', []],
  ['description: include this.\n', []],
])('%j includes %j', (text, wanted) => {
  expect(includesOf({ file: 'svc.yaml', text })).toEqual(wanted)
})

it.each([
  ['x-schema: { $ref: ./a.yaml }', ['./a.yaml']],
  ['x-schemas: { A: { items: { $ref: "./a.json" } } }', ['./a.json']],
  ['x-schemas: { A: { "$ref": ../a.yml } }', ['../a.yml']],
  ['x-schemas: { A: { "\\x24ref": ./a.yaml } }', ['./a.yaml']],
  ['x-schemas: { A: { "\\u0024ref": ./a.yaml } }', ['./a.yaml']],
  ['x-schemas: { A: { $ref: a.yaml } }', ['a.yaml']],
  ['x-schemas: { A: { $ref: https://a.example/b } }', ['https://a.example/b']],
  ['x-schemas: { A: { $ref: A } }', []],
  ['x-schemas: { A: { $ref: "#/x-schemas/A" } }', []],
  ['x-schemas: { A: { $ref: "./a.yaml#/A" } }', []],
  ['x-schemas: { A: { $ref: [./a.yaml] } }', []],
  ['inputs: { $ref: ./a.yaml }', []],
])('%j refers to %j', (text, wanted) => {
  expect(schemaFilesOf({ file: 'svc.yaml', text }, false)).toEqual(wanted)
})

it('a document that is a schema refers to files anywhere', () => {
  expect(schemaFilesOf({ file: 'a.yaml', text: 'items: { $ref: ./b.yaml }' }, true)).toEqual(['./b.yaml'])
})

it.each([
  ['svc.yaml', './a.yaml', 'a.yaml'],
  ['shop/svc.yaml', './a/b.yaml', 'shop/a/b.yaml'],
  ['shop/a/b.yaml', '../c.yaml', 'shop/c.yaml'],
  ['../svc.yaml', '../a.yaml', '../../a.yaml'],
  ['/shop/svc.yaml', '../a.yaml', '/a.yaml'],
  ['file:///shop/s%20vc.yaml', './a.yaml', 'file:///shop/a.yaml'],
  ['file:///a%20b/svc.yaml', './c.yaml', 'file:///a b/c.yaml'],
  ['a%20b/svc.yaml', './c.yaml', 'a%20b/c.yaml'],
  ['git:main:shop/svc.yaml', './a.yaml', 'git:main:shop/a.yaml'],
])('beside %s, %s is %s', (file, reference, wanted) => {
  expect(fileBeside(file, reference)).toBe(wanted)
})

it.each([
  ['schemas/order-line.yaml', 'OrderLine'],
  ['a/b/order_line.v2.json', 'OrderLineV2'],
  ['money.yml', 'Money'],
  ['9.yaml', '9'],
])('%s becomes %s', (file, name) => {
  expect(schemaNameOf(file)).toBe(name)
})

const commas = (count: number): string => ','.repeat(count)
const most = MOST_SCHEMA_VALUES
it.each([
  ['as many as may be', `x-schema: [${commas(most - 3)}]`, undefined],
  ['one more', `x-schema: [${commas(most - 2)}]`, 10],
  ['one more, after a line end and a tab', `x-schemas:\n\t[${commas(most - 2)}]`, 12],
  ['one more, of a mapping', `a: b\n"x-schemas" : {${commas(most - 2)}}`, 19],
  ['two that are too many together', `x-schema: [${commas(most / 2)}]\nx-schema: [${commas(most / 2)}]`, most / 2 + 23],
  ['one more beside schemas', `x-schema: [${commas(most - 3)}]\nmore: [,,,,,]`, undefined],
  ['what stands in quotes', `x-schema: ["${commas(most)}", '${commas(most)}']`, undefined],
  ['what follows an escaped quote', `x-schema: ["\\"${commas(most)}"]`, undefined],
  ['what follows a backslash in single quotes', `x-schema: ['\\', ${commas(most)}]`, 10],
  ['a quote within a word', `x-schema: [a'b, ${commas(most)}]`, 10],
  ['a quote after a blank', `x-schema: [\n '${commas(most)}']`, undefined],
  ['collections', `x-schema: [${'[],'.repeat(most / 4)}]`, 10],
  ['lines of a block', `x-schema:\n${'  a: 1\n'.repeat(most / 3)}`, undefined],
  ['one line more of a block', `x-schema:\n${'  a: 1\n'.repeat(most / 3 + 2)}`, 12],
  ['lines after a block', `x-schema:\n  a: 1\n${'b: 1\n'.repeat(most)}`, undefined],
  ['lines after comments in a block', `x-schema:\n# why\n\n${'  a: 1\n'.repeat(most / 3 + 2)}`, 10],
  ['no schema', `schema: [${commas(most)}]`, undefined],
] as const)('schemas of a text hold too much: %s', (_, text, at) => {
  expect(tooManySchemaValues(text)).toBe(at)
})

it('a service is named by the first file that does, and has the capabilities of all', () => {
  const files = [
    'capabilities: { one: {} }',
    'service_identity: { id: shop }\ncapabilities: { two: {} }',
    'service_identity: { id: other }\ncapabilities: [three]',
    '[',
  ].map((text, n) => ({ file: `${n}.yaml`, text }))
  expect(serviceOf(files)).toEqual({ id: 'shop', capabilities: new Set(['one', 'two']) })
  expect(serviceOf(files.slice(0, 1))).toBe(undefined)
  expect(serviceOf([{ file: 'a.yaml', text: 'service_identity: { id: 5 }' }])).toBe(undefined)
})
