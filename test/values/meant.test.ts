import { describe, expect, it } from 'vitest'
import { check } from '../../src/compiler/check.js'
import { cpuTime } from '../cpu-time.js'
import { compiled, orderManifest, troubleOf } from './compiled.js'

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
    [{ $ref: null }, "`$ref` takes `#/x-schemas/<name>`. A `#` after a space begins a comment: write `'#/x-schemas/<name>'`, in quotes."],
    [{ type: 'integer', default: 1 }, '`default` is no keyword of structured values. A default is a member of the input, beside `x-schema`; within a schema there is none: let the handler fill it in.'],
    [{ $ref: 'line.yaml' }, 'There is no file `line.yaml`.'],
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
    "`Line` is a schema, and no type: the value would be any text. Write `type: string` and `x-schema: { $ref: '#/x-schemas/Line' }`."

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

describe('a type that is none', () => {
  const outcomes = (type: string): readonly string[] => {
    const text = orderManifest({}).replace('name: receipt, x-schema', `name: receipt, type: ${type}, x-schema`)
    return check([{ file: 'svc.yaml', text: text.replace('type: any', `type: ${type}`) }]).diagnostics.flatMap(
      ({ code, severity }) => (/^SVC23(?:01|19)$/u.test(code) ? [`${code} ${severity}`] : []),
    )
  }

  it.each([
    ['money', ['SVC2319 warning', 'SVC2319 warning']],
    ['enum', ['SVC2319 warning', 'SVC2319 warning']],
    ['decimal', ['SVC2301 warning', 'SVC2301 warning']],
    ['int', ['SVC2301 warning', 'SVC2301 warning']],
    ['airport_code', []],
    ['account', []],
    ['object', []],
  ])('%s is looked at in inputs and outputs', (type, expected) => expect(outcomes(type)).toEqual(expected))
})

describe('a field that there is not', () => {
  const withCost = (cost: string, binding = ''): readonly string[] =>
    messages(
      orderManifest(
        {},
        { type: 'object' },
        {},
        `    cost: { certainty: estimated, financial: { currency: EUR, ${cost} } }\n${binding}`,
      ),
    )

  it.each([
    ['range_min: 1, max: 5', '`financial` has no field `max`. Did you mean `range_max`?'],
    ['range_min: 1, range_max: 9, zzzzzzzz: 5', '`financial` has no field `zzzzzzzz`. There are currency, amount, upper_bound, range_min, range_max, typical.'],
  ])('%s', (cost, message) => expect(withCost(cost)).toContain(message)) // prettier-ignore

  it('is one of few, which are listed', () => {
    const binding = '    requires_binding: [{ type: quote, field: order, quote: order }]\n'
    expect(withCost('range_min: 1, range_max: 9', binding)).toContain(
      '`requires_binding[0]` has no field `quote`. There are type, field, source_capability, max_age.',
    )
  })
})

describe('items that are unique', () => {
  const unique = (items: object, shared: object) =>
    orderManifest({ type: 'array', uniqueItems: true, items }, { type: 'object' }, shared)

  it('may have their type where they refer to', async () => {
    const text = unique({ $ref: '#/x-schemas/Diet' }, { Diet: { anyOf: [{ $ref: '#/x-schemas/Word' }, { type: 'null' }] }, Word: { type: 'string', enum: ['vegan', 'halal'] } }) // prettier-ignore
    const made = await compiled(text)
    expect(troubleOf(made, ['vegan', null, 'halal'])).toBeUndefined()
    expect(troubleOf(made, ['vegan', 'halal', 'vegan'])).toBe(' must not repeat an item; 0 and 2 are the same')
    // A list as long as a body is looked through once, and not each with each.
    const many = await compiled(unique({ $ref: '#/x-schemas/Id' }, { Id: { type: 'integer' } }))
    const start = cpuTime()
    expect(
      troubleOf(
        many,
        Array.from({ length: 100_000 }, (_, index) => index),
      ),
    ).toBeUndefined()
    expect(cpuTime() - start).toBeLessThan(2000)
  })

  it('are no objects, wherever that is written', () => {
    const shared = { A: { $ref: '#/x-schemas/B' }, B: { anyOf: [{ type: 'string' }, { type: 'object' }] } }
    expect(messages(unique({ $ref: '#/x-schemas/A' }, shared))).toEqual([
      expect.stringContaining('`uniqueItems` goes with `items` whose `type` is string'),
    ])
  })
})
