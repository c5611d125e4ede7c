import { beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../../src/protocol/manifest.js'
import { startFixture } from '../runtime/fixture/service.js'
import { compiled, orderManifest, troubleOf, type Compiled } from './compiled.js'

const ORDER = {
  type: 'object',
  properties: {
    lines: {
      type: 'array',
      minItems: 1,
      maxItems: 3,
      items: {
        type: 'object',
        properties: {
          sku: { type: 'string', pattern: '^[A-Z]{2}-\\d{4}$' },
          quantity: { type: 'integer', minimum: 1 },
          price: { $ref: '#/x-schemas/Money' },
          note: { type: ['string', 'null'], maxLength: 5 },
        },
        required: ['sku', 'quantity'],
        additionalProperties: false,
      },
    },
    ship_at: { type: 'string', format: 'date' },
    tags: { type: 'array', items: { type: 'string' }, uniqueItems: true },
    labels: { type: 'object', additionalProperties: { type: 'string', minLength: 1 }, maxProperties: 2 },
    state: { enum: ['new', 'rush', null] },
    category: { $ref: '#/x-schemas/Category' },
    'a/b~c': { type: 'number', exclusiveMaximum: 1, multipleOf: 2 },
    payment: { anyOf: [{ type: 'null' }, { $ref: '#/x-schemas/Card' }] },
  },
  required: ['lines'],
  additionalProperties: false,
}
const SHARED = {
  Money: { type: 'object', properties: { currency: { enum: ['EUR', 'USD'] }, amount: { type: 'number', minimum: 0 } }, required: ['currency', 'amount'], additionalProperties: false },
  Category: { type: 'object', properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/x-schemas/Category' } } }, required: ['name'] },
  Card: { type: 'object', properties: { number: { type: 'string', minLength: 12 } }, required: ['number'] },
} // prettier-ignore
const RECEIPT = { type: ['object', 'null'], properties: { id: { type: 'string' } }, required: ['id'] }
const LINE = { sku: 'AB-1234', quantity: 2 }

let made: Compiled
beforeAll(async () => {
  made = await compiled(orderManifest(ORDER, RECEIPT, SHARED))
})

describe('what is inside a value', () => {
  it.each<[Json]>([
    [{ lines: [LINE] }],
    [
      {
        lines: [{ ...LINE, price: { currency: 'EUR', amount: 0 }, note: null }],
        ship_at: '2026-02-28',
        tags: ['a', 'b'],
      },
    ],
    [{ lines: [{ ...LINE, note: '🧩🧩🧩🧩🧩' }], state: null, labels: { a: 'b' }, payment: null }],
    [{ lines: [LINE], category: { name: 'a', more: 1, children: [{ name: 'b', children: [] }] }, 'a/b~c': -2 }],
  ])('takes %j', (order) => {
    expect(troubleOf(made, order)).toBeUndefined()
  })

  it.each<[Json, string]>([
    [[], ' must be an object'],
    [{}, '/lines must be given'],
    [{ lines: [] }, '/lines must have at least 1 item'],
    [{ lines: [LINE, LINE, LINE, LINE] }, '/lines must have at most 3 items'],
    [{ lines: [LINE], line: 1 }, '/line is not known here'],
    [{ lines: [LINE, { ...LINE, sku: 'ab-1234' }] }, '/lines/1/sku must match ^[A-Z]{2}-\\d{4}$'],
    [{ lines: [{ ...LINE, quantity: 0 }] }, '/lines/0/quantity must be at least 1'],
    [{ lines: [{ ...LINE, quantity: 2 ** 53 }] }, '/lines/0/quantity must be at most 9007199254740991'],
    [{ lines: [{ ...LINE, quantity: '2' }] }, '/lines/0/quantity must be a whole number'],
    [{ lines: [{ ...LINE, note: 'too long' }] }, '/lines/0/note must have at most 5 characters'],
    [{ lines: [{ ...LINE, note: 7 }] }, '/lines/0/note must be a string or null'],
    [{ lines: [{ ...LINE, price: { currency: 'SEK', amount: 1 } }] }, '/lines/0/price/currency must be one of ["EUR","USD"]'],
    [{ lines: [{ ...LINE, price: { currency: 'EUR' } }] }, '/lines/0/price/amount must be given'],
    [{ lines: [LINE], ship_at: '2026-02-30' }, '/ship_at must be a calendar date, as 2026-02-28'],
    [{ lines: [LINE], tags: ['a', 'b', 'a'] }, '/tags must not repeat an item; 0 and 2 are the same'],
    [{ lines: [LINE], labels: { a: '' } }, '/labels/a must have at least 1 character'],
    [{ lines: [LINE], state: 'old' }, '/state must be one of ["new","rush",null]'],
    [{ lines: [LINE], 'a/b~c': 4 }, '/a~1b~0c must be below 1'],
    [{ lines: [LINE], 'a/b~c': -3 }, '/a~1b~0c must be a multiple of 2'],
    [{ lines: [LINE], category: { name: 'a', children: [{ name: 'b', children: [{}] }] } }, '/category/children/0/children/0/name must be given'],
    [{ lines: [LINE], payment: { number: '1' } }, '/payment/number must have at least 12 characters'],
    [{ lines: [LINE], payment: 5 }, '/payment must be null or an object'],
  ])('of %j says: %s', (order, trouble) => {
    expect(troubleOf(made, order)).toBe(trouble)
  }) // prettier-ignore

  it('writes the name of a member as a part of a pointer (RFC 6901)', () => {
    expect(troubleOf(made, { lines: [LINE], 'p/q~r': 1 })).toBe('/p~1q~0r is not known here')
  })

  it('shows no more of a name than forty characters', () => {
    expect(troubleOf(made, { lines: [LINE], ['x'.repeat(1e5)]: 1 })).toBe(`/${'x'.repeat(40)}… is not known here`)
  })
})

describe('a choice between objects that a member tells apart', () => {
  const branch = (kind: string, member: string, type: object = { type: 'string', minLength: 2 }) => ({
    type: 'object',
    properties: { kind: { const: kind }, [member]: type },
    required: ['kind', member],
    additionalProperties: false,
  })
  const tree = { oneOf: [branch('leaf', 'name'), { $ref: '#/x-schemas/Node' }] }
  const Node = branch('node', 'children', { type: 'array', items: { $ref: '#/x-schemas/Tree' } })

  it.each(['oneOf', 'anyOf'])('of %s is judged by the branch that its tag names', async (keyword) => {
    const card = branch('card', 'number')
    const bank = { $ref: '#/x-schemas/Bank' }
    const order = await compiled(orderManifest({ [keyword]: [card, bank] }, {}, { Bank: branch('bank', 'iban') }))
    const troubles = [
      { kind: 'bank', iban: 'DE' },
      { kind: 'bank', iban: 'D' },
      { kind: 'bank' },
      { kind: 'bank', iban: 'DE', number: '12' },
      { kind: 'card', number: '1' },
      { kind: 'cash' },
      { kind: 1 },
      {},
      [],
    ].map((value) => troubleOf(order, value))
    expect(troubles).toEqual([
      undefined,
      '/iban must have at least 2 characters',
      '/iban must be given',
      '/number is not known here',
      '/number must have at least 2 characters',
      '/kind must be one of ["card","bank"]',
      '/kind must be one of ["card","bank"]',
      '/kind must be given',
      ' must be an object',
    ])
  })

  it('may lead back to itself', async () => {
    const order = await compiled(orderManifest({ $ref: '#/x-schemas/Tree' }, {}, { Tree: tree, Node }))
    const nested = (name: string) => ({
      kind: 'node',
      children: [{ kind: 'node', children: [{ kind: 'leaf', name }] }],
    })
    expect(troubleOf(order, nested('oak'))).toBeUndefined()
    expect(troubleOf(order, nested('o'))).toBe('/children/0/children/0/name must have at least 2 characters')
  })

  it.each<[string, object, unknown]>([
    ['a tag that one branch does not require', { oneOf: [branch('a', 'x'), { ...branch('b', 'y'), required: [] }] }, {}],
    ['a tag named as what every object has', { oneOf: [branch('constructor', 'x'), branch('b', 'y')] }, { kind: 'b', y: 'yy' }],
    ['an empty tag', { oneOf: [branch('', 'x'), branch('b', 'y')] }, { kind: '', x: 'xx' }],
    ['one tag in two branches', { anyOf: [branch('a', 'x'), branch('a', 'y')] }, { kind: 'a', y: 'yy' }],
  ])('takes what fits with %s, too', async (_, schema, value) => {
    expect(troubleOf(await compiled(orderManifest(schema)), value)).toBeUndefined()
  }) // prettier-ignore
})

describe('a call with a structured value', () => {
  const start = (receipt: unknown, side = made.manifest.capabilities['place_order']!) =>
    startFixture({
      capabilities: { place_order: { ...side, minimum_scope: ['travel.search'] } },
      manifest: { extensions: made.manifest.extensions! },
      handlers: { place_order: () => ({ receipt }) },
      validators: made.validators,
    })

  it.each<[unknown, unknown]>([
    [{ id: 'r1' }, { receipt: { id: 'r1' } }],
    [null, { receipt: null }],
    [{}, 'outcome_unknown'],
    [{ id: 1 }, 'outcome_unknown'],
    [undefined, 'outcome_unknown'],
  ])('whose handler gives %j ends as %j', async (receipt, ended) => {
    const { root, invoke } = await start(receipt)
    const { body } = await invoke('place_order', (await root()).token, { parameters: { order: { lines: [LINE] } } })
    expect(body['success'] ? body['result'] : body['failure']?.['type']).toEqual(ended)
  })

  it('is refused by the pointer of what is wrong, before approval and budget are asked for', async () => {
    const { root, invoke } = await start(null, {
      ...made.manifest.capabilities['place_order']!,
      cost: { certainty: 'fixed', financial: { currency: 'EUR', amount: 5 } },
      approval: { required: 'always', grant_policy: { allowed_grant_types: ['one_time'], default_grant_type: 'one_time', expires_in_seconds: 60, max_uses: 1 } },
    }) // prettier-ignore
    const { token } = await root({ budget: { currency: 'EUR', max_amount: 1 } })
    const order = { lines: [{ ...LINE, quantity: 0 }] }
    const { status, body } = await invoke('place_order', token, { parameters: { order } })
    expect([status, body['failure']?.['type'], body['failure']?.['detail']]).toEqual([
      400,
      'invalid_parameters',
      'Not valid: /order/lines/0/quantity must be at least 1.',
    ])
    const fitting = await invoke('place_order', token, { parameters: { order: { lines: [LINE] } } })
    expect(fitting.body['failure']?.['type']).toBe('budget_exceeded')
  })
})

describe('generated code', () => {
  it('imports the runtime and nothing else, and makes no code from text', () => {
    const text = made.files.get('generated/checks.ts')!
    expect([...text.matchAll(/^import .* from '([^']+)'$/gmu)].map(([, from]) => from)).toEqual([
      'svc-kit/runtime',
      'svc-kit/runtime/patterns',
    ])
    expect(text).not.toMatch(/require\(|new Function|\beval\b|import\(|ajv/u)
    expect(text).toMatch(/^[\n -~]*$/u)
  })

  it('has the types of what is inside', () => {
    expect(made.files.get('generated/types.ts')).toContain('readonly lines: readonly PlaceOrder_OrderLinesItem[]')
    expect(made.files.get('generated/values.ts')).toContain('readonly children?: readonly Category[]')
  })
})
