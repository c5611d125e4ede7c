import { describe, expect, it } from 'vitest'
import { check } from '../../src/compiler/check.js'
import { orderManifest } from './compiled.js'

/** What somebody who knows TypeScript, and not JSON Schema, writes first: each slip is one finding that says what to write. */
const messages = (text: string): readonly string[] =>
  check([{ file: 'svc.yaml', text }], { preset: 'minimal' }).diagnostics.map(({ message }) => message)

const of = (property: unknown): string =>
  orderManifest({ type: 'object', properties: { it: property } }, { type: 'object' }, { Line: { type: 'string' } })

describe('a slip in a schema', () => {
  it.each<[unknown, string]>([
    ['string', 'A schema is a mapping of keywords; write `{ type: string }`.'],
    ['Line', "A schema is a mapping of keywords; write `{ $ref: '#/x-schemas/Line' }`."],
    [{ type: 'int', minimum: 1 }, '`int` is no type; there are string, integer, number, boolean, object, array, null. Did you mean `integer`?'],
    [{ type: 'list', items: { type: 'string' } }, '`list` is no type; there are string, integer, number, boolean, object, array, null. Did you mean `array`?'],
    [{ type: 'string', max: 5 }, '`max` is no keyword of structured values. Write `maximum` for numbers, `maxLength` for texts, `maxItems` for lists.'],
    [{ $ref: 'Line' }, '`Line` is no reference to a shared schema. Did you mean `#/x-schemas/Line`?'],
    [{ $ref: '#/$defs/Line' }, '`#/$defs/Line` is no reference to a shared schema. Did you mean `#/x-schemas/Line`?'],
    [{ $ref: 'line.yaml' }, '`line.yaml` leads out of the manifest. Put the schema under `x-schemas`, and write `#/x-schemas/<name>`.'],
    [{ type: 'string', required: true }, '`required` takes a list of names, and stands beside their `properties`.'],
  ])('%j', (property, message) => {
    expect(messages(of(property))).toContain(message)
    expect(messages(of(property)).filter((each) => !each.includes('`required` bounds'))).toHaveLength(1)
  }) // prettier-ignore
})

const withType = (word: string): string =>
  orderManifest({}, { type: 'object' }, { Line: { type: 'string' } }).replace('type: any', `type: ${word}`)

describe('the name of a shared schema as a type', () => {
  const message =
    "`Line` is a schema, and no type: the value would be any text. Write `type: object` and `x-schema: { $ref: '#/x-schemas/Line' }`."

  it('is an error for an input', () => expect(messages(withType('Line'))).toEqual([message]))

  it('is an error for an output field', () => {
    const text = orderManifest({}, { type: 'string' }, { Line: { type: 'string' } })
    expect(messages(text.replace('name: receipt, x-schema', 'name: receipt, type: Line, x-schema'))).toEqual([message])
  })

  it('is a domain type where no schema has the name', () => expect(messages(withType('string'))).toEqual([]))
})

describe('a keyword beside `x-schema`', () => {
  it('belongs inside of it', () => {
    const text = orderManifest({ type: 'integer' }).replace('type: any', 'type: any, minimum: 1')
    expect(messages(text)).toEqual([
      '`inputs[0]` has no field `minimum`. It belongs inside `x-schema`: `x-schema: { minimum: … }`.',
    ])
  })
})
