import { describe, expect, it } from 'vitest'
import type { Capability, Input } from '../../src/protocol/manifest.js'
import { toolsOf, type Tool } from '../../src/protocol/tools.js'
import { capability, manifestOf } from '../runtime/fixture/manifest.js'

const toolOf = (members: Partial<Capability>, name = 'search'): Tool =>
  toolsOf(manifestOf({ [name]: capability(members) })).tools[0]!

const input = (members: Partial<Input>): Input => ({ name: 'count', type: 'integer', required: true, ...members })
const schemaOf = (members: Partial<Input>) => toolOf({ inputs: [input(members)] }).input_schema

describe('a tool', () => {
  it('has a name without a dot, and the words of the name as its title', () => {
    expect(toolOf({}, 'pay.charge_card')).toMatchObject({
      name: 'pay__charge_card',
      title: 'Pay charge card',
      capability: 'pay.charge_card',
    })
  })

  it('takes its title from x-title', () => {
    expect(toolOf({ extensions: { 'x-title': 'Find flights' } }).title).toBe('Find flights')
    expect(toolOf({ extensions: { 'x-title': 3 } }).title).toBe('Search')
  })

  it('says what a call changes, costs and needs', () => {
    const cost = { certainty: 'fixed', financial: { currency: 'EUR', amount: 5 } } as const
    const description = 'Book a seat'
    const one = toolOf({ description, side_effect: { type: 'irreversible' }, cost })
    expect(one.description).toBe('Book a seat. Makes a permanent change. Costs 5 EUR.')
    expect(one).toMatchObject({ effect: 'irreversible', approval: 'never', financial: true, cost: { amount: 5 } })
  })

  it('has a description of at most 1,024 characters, whose last sentence is whole', () => {
    const { description } = toolOf({ description: '🛫'.repeat(700) })
    expect(description.length).toBeLessThanOrEqual(1024)
    expect(description).toMatch(/🛫… Changes nothing\.$/u)
  })

  it('has a description of just 1,024 characters where there is more to say', () => {
    const { description } = toolOf({ description: 'a'.repeat(2000) })
    expect(description.length).toBe(1024)
    expect(description).toMatch(/^a+… Changes nothing\.$/u)
  })

  it('needs what the steps of its composition need', () => {
    const grant_policy = {
      allowed_grant_types: ['one_time'],
      default_grant_type: 'one_time',
      expires_in_seconds: 60,
      max_uses: 1,
    } as const
    const pay = capability({ approval: { required: 'always', grant_policy } })
    const composition = { steps: [{ id: 'one', capability: 'pay' }] } as unknown as NonNullable<
      Capability['composition']
    >
    const { tools } = toolsOf(manifestOf({ pay, trip: capability({ kind: 'composed', composition }) }))
    expect(tools.map(({ name, approval }) => [name, approval])).toEqual([
      ['pay', 'always'],
      ['trip', 'sometimes'],
    ])
  })
})

describe('the input schema of a tool', () => {
  const closed = { type: 'integer', enum: [1, 2] }
  it.each([
    ['closed_values', closed],
    ['backend_resolved', 'open'],
    ['actor_policy', undefined],
    ['actor_policy_or_explicit', closed],
    ['app_selected', closed],
    ['explicit_only', closed],
    ['clarify', 'open'],
  ] as const)('for an input with allowed values and the mode %s is %j', (mode, schema) => {
    const { properties } = schemaOf({ allowed_values: [1, 2], resolution: { mode } }) as {
      properties: { count?: object }
    }
    const { count } = properties
    if (schema === 'open') expect(count).not.toHaveProperty('enum')
    else expect(count).toEqual(schema)
    expect(Object.hasOwn(properties, 'count')).toBe(schema !== undefined)
  })

  it('has no bounds beside closed values', () => {
    expect(schemaOf({ allowed_values: [1, 2] })['properties']).toEqual({ count: { type: 'integer', enum: [1, 2] } })
    expect(schemaOf({})['properties']).toMatchObject({ count: { maximum: Number.MAX_SAFE_INTEGER } })
  })

  it('leaves out what only the service sets, and refuses what is not declared', () => {
    expect(schemaOf({ resolution: { mode: 'actor_policy' } })).toEqual({
      type: 'object',
      properties: {},
      additionalProperties: false,
    })
  })

  it.each([
    [{}, ['count']],
    [{ required: false }, undefined],
    [{ resolution: { mode: 'explicit_only', on_missing: 'clarify' } }, undefined],
    [{ resolution: { mode: 'explicit_only', on_missing: 'deny' } }, ['count']],
  ] as const)('demands of %j: %j', (members, required) => {
    expect(schemaOf(members)['required']).toEqual(required)
  })
})

it('the output schema of a composition takes null for what no step gave', () => {
  const output = { type: 'trip', fields: [{ name: 'city', type: 'string' }, { name: 'more', type: 'any' }] }
  expect(toolOf({ output, kind: 'composed' }).output_schema).toEqual({
    type: 'object',
    properties: { city: { anyOf: [{ type: 'string' }, { type: 'null' }] }, more: {} },
    required: ['city', 'more'],
  })
}) // prettier-ignore

it.each([
  [{ minimum: 0 }, { minimum: 0 }],
  [{ maximum: 5 }, { maximum: 5 }],
  [{ exclusiveMinimum: 0 }, { exclusiveMinimum: 0 }],
  [
    { minimum: 0, maximum: 5 },
    { minimum: 0, maximum: 5 },
  ],
])('the schema of a number with %j has those bounds and no others', (given, bounds) => {
  const { properties } = schemaOf({ type: 'number', 'x-schema': given }) as { properties: { count: object } }
  expect(properties.count).toStrictEqual({ type: 'number', ...bounds })
})

describe('the output schema of a tool', () => {
  const output: Capability['output'] = { type: 'one', fields: [{ name: 'id', type: 'string' }] }

  it.each([
    ['read', undefined, ['id']],
    ['write', undefined, ['id']],
    ['read', {}, []],
    ['read', { answers: 'strict' }, ['id']],
    ['write', { answers: 'strict' }, []],
  ] as const)('of a %s with x-upstream %j requires %j', (type, terms, required) => {
    const one = toolOf({ output, side_effect: { type }, ...(terms && { extensions: { 'x-upstream': terms } }) })
    expect(one.output_schema['required']).toEqual(required)
  })

  it('has the types alone of what is beyond 8 kB of definitions', () => {
    const member = (next: number) => ({
      type: 'object' as const,
      properties: { next: { $ref: `#/x-schemas/S${next}` }, text: { type: 'string', description: 'a'.repeat(2500) } },
    })
    const schemas = Object.fromEntries(Array.from({ length: 6 }, (_, index) => [`S${index}`, member((index + 1) % 6)]))
    const fields = [{ name: 'first', type: 'object', 'x-schema': { $ref: '#/x-schemas/S0' } }]
    const manifest = manifestOf({ one: capability({ output: { type: 'one', fields } }) })
    const { output_schema } = toolsOf({ ...manifest, extensions: { 'x-schemas': schemas } } as never).tools[0]!
    const defined = output_schema['$defs'] as { readonly [name: string]: { readonly properties?: object } }
    expect(Object.entries(defined).map(([name, { properties }]) => [name, properties !== undefined])).toEqual([
      ['S0', true],
      ['S1', true],
      ['S2', true],
      ['S3', true],
      ['S4', false],
    ])
  })
})
