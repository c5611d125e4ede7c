import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { newMemo, rememberNothing, type Remember } from '../../../src/compiler/plan/memo.js'
import { planService } from '../../../src/compiler/plan/plan-service.js'
import { jsonSchemas } from '../../../src/compiler/targets/documents/json-schemas.js'
import { openapi } from '../../../src/compiler/targets/documents/openapi.js'
import { reference } from '../../../src/compiler/targets/documents/reference.js'
import type { Capability, Composition, GrantPolicy, Manifest } from '../../../src/protocol/manifest.js'
import { capability, input, manifestOf } from '../../runtime/fixture/manifest.js'

const grant_policy: GrantPolicy = {
  allowed_grant_types: ['one_time'],
  default_grant_type: 'one_time',
  expires_in_seconds: 60,
  max_uses: 1,
}
const WORDS = [
  'string',
  'integer',
  'number',
  'boolean',
  'date',
  'datetime',
  'duration',
  'object',
  'array',
  'uri',
  'email',
  'uuid',
  'airport_code',
]
const fields = WORDS.map((type) => ({ name: `a_${type}`, type }))

/** A service of all that a document may say. */
const ALL: { readonly [name: string]: Capability } = {
  plain: capability(),
  words: capability({ inputs: WORDS.map((type) => input(`a_${type}`, { type })), output: { type: 'object', fields: [...fields, { name: 'whatever', type: 'any', description: 'What there *is*.' }] } }),
  said: capability({
    description: `${'Says much, '.repeat(12)}and more.`,
    inputs: [
      input('city', { description: 'Where | to.' }), input('size', { allowed_values: ['s', 'm'], default: 's', required: false }), input('day', { type: 'date', required: false, default: '2026-01-01' }),
      input('count', { type: 'integer', allowed_values: [1, 2] }), input('team', { resolution: { mode: 'actor_policy', on_missing: 'deny' } }),
      input('place', { allowed_values: ['here'], resolution: { mode: 'backend_resolved', resolver_ref: 'places.resolver', on_missing: 'clarify' } }),
    ],
    requires: [{ capability: 'plain', reason: 'It must be plain.' }, { capability: 'gone', reason: 'It is not here.' }],
    refresh_via: ['words', 'words'], verify_via: ['plain'], minimum_scope: ['travel.search', 'travel.book'],
    side_effect: { type: 'write', compensation: 'plain' },
  }),
  streams: capability({ response_modes: ['unary', 'streaming'] }),
  approved: capability({ approval: { required: 'always', grant_policy }, extensions: { 'x-failures': { sold_out: 'Says why.', gone: { status: 410, description: 'Says when.' }, late: null } } }),
  sometimes: capability({ approval: { required: { when: [{ input: 'x', above: 1 }] }, grant_policy } }),
  paid: capability({ cost: { certainty: 'fixed', financial: { currency: 'EUR', amount: 5 } } }),
  paid_too: capability({ cost: { certainty: 'estimated', financial: { currency: 'USD' } } }),
  composed: capability({ kind: 'composed', output: { type: 'object', fields: [...fields, { name: 'whatever', type: 'any' }] }, composition: { steps: [{ id: 'a', capability: 'plain' }, { id: 'b', capability: 'approved' }], empty_result_policy: 'deny' } as unknown as Composition }),
} // prettier-ignore

const LINE = {
  type: 'object',
  description: 'What is *bought*.',
  required: ['sku'],
  additionalProperties: false,
  properties: {
    sku: { type: 'string', description: 'The code.', minLength: 2, maxLength: 20, pattern: '^[A-Z]+$' },
    count: { type: 'integer', minimum: 1, maximum: 99, multipleOf: 1 },
    weight: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 50 },
    parts: { type: 'array', items: { $ref: '#/x-schemas/line' }, minItems: 1, maxItems: 9 },
  },
}
const ORDER = {
  type: 'object',
  required: ['lines'],
  minProperties: 1,
  maxProperties: 9,
  properties: {
    lines: { type: 'array', items: { $ref: '#/x-schemas/line', description: 'One of them.' }, uniqueItems: true },
    due: { type: ['string', 'null'], format: 'date' },
    kind: { const: 'stock' },
    mode: { enum: ['air', 'sea'] },
    notes: { type: 'object', additionalProperties: { type: 'string', maxLength: 9 } },
    place: { oneOf: [{ type: 'object', properties: { city: { type: 'string' } } }, { type: 'integer' }] },
    who: { anyOf: [{ type: 'string' }, { type: 'null' }] },
  },
}
const wide = (count: number) => ({
  type: 'object',
  properties: Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index}`, { type: 'boolean' }])),
})

/** Structured values of all kinds, beside inputs and output fields that say more of themselves. */
const STRUCTURED: { readonly [name: string]: Capability } = {
  buy: capability({
    inputs: [
      input('order', { type: 'object', description: 'What is ordered.', 'x-schema': ORDER }),
      input('line', { type: 'any', 'x-schema': { $ref: '#/x-schemas/line' }, required: false, default: { sku: 'AB' } }),
      input('size', { allowed_values: ['s', 'm'], 'x-schema': { type: 'string', maxLength: 1 } }),
    ],
    output: {
      type: 'receipt',
      fields: [
        { name: 'receipt', type: 'object', description: 'What was bought.', 'x-schema': ORDER },
        { name: 'first', type: 'any', 'x-schema': { $ref: '#/x-schemas/line' } },
        { name: 'total', type: 'any' },
      ],
    },
  }),
  both: capability({
    kind: 'composed',
    output: { type: 'receipt', fields: [{ name: 'receipt', type: 'object', 'x-schema': ORDER }] },
    composition: {
      steps: [{ id: 'a', capability: 'buy', empty_result_source: true }],
      empty_result_policy: 'return_success_no_results',
    } as unknown as Composition,
  }),
  never: capability({ inputs: [input('code', { 'x-schema': { type: 'string', pattern: '^[^\\s\\S]$' } })] }),
}

const textOf = (manifest: Manifest, remember: Remember = rememberNothing): string =>
  [openapi, jsonSchemas, reference]
    .flatMap((target) => target(planService(manifest, 'svc', remember)))
    .map(({ path, ownership, text }) => `=== ${path} (${ownership})\n${text}`)
    .join('')

describe('the documents of a service', () => {
  it.each<[string, Manifest]>([
    ['of nothing', manifestOf({})],
    ['of one capability', manifestOf({ plain: ALL['plain']! }, { service_identity: { id: 'flights', name: 'Flights & more', description: 'Finds *flights*.' } })],
    ['that costs money in one call', manifestOf({ plain: ALL['plain']!, zoo: ALL['paid']! })],
    ['of all kinds', manifestOf(ALL)],
    ['of structured values', manifestOf(STRUCTURED, { extensions: { 'x-schemas': { line: LINE } } })],
  ])('%s', async (title, manifest) => {
    await expect(textOf(manifest)).toMatchFileSnapshot(join('shapes', `documents-${title.replaceAll(' ', '-')}.txt`))
  }) // prettier-ignore

  it.each([[100, '`order.m99`'], [101, '`order …`']])('of %d members end with %s', (count, last) => {
    const [file] = reference(planService(manifestOf({ buy: capability({ inputs: [input('order', { type: 'object', 'x-schema': wide(count) })] }) }), 'svc', rememberNothing))
    const rows = [...file!.text.matchAll(/^\| (`order[. ][^|]*`) *\| ([^|]*?) *\| ([^|]*?) *\| ([^|]*?) *\|$/gmu)].map((row) => row.slice(1))
    expect(rows).toHaveLength(count === 100 ? 100 : 101)
    expect(rows.at(-1)).toEqual(count === 100 ? [last, '`boolean`', 'no', ''] : [last, '', '', 'More: see the JSON Schema.'])
  }) // prettier-ignore

  it('are remembered for what they were made of, and for nothing else', () => {
    const remember = newMemo()
    const { plain: _, ...fewer } = ALL
    const changed = { ...ALL, plain: { ...ALL['words']!, minimum_scope: ['travel.book'] } }
    for (const capabilities of [ALL, ALL, changed, fewer, ALL])
      expect(textOf(manifestOf(capabilities), remember)).toBe(textOf(manifestOf(capabilities)))
  })
})
