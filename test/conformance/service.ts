import type { HandlerContext } from '../../src/runtime/index.js'
import { serve, type Running } from '../../src/runtime/node.js'
import type { Storage } from '../../src/runtime/storage/contract.js'
import { capability, input } from '../runtime/fixture/manifest.js'
import { startFixture } from '../runtime/fixture/service.js'

const policy = {
  allowed_grant_types: ['one_time', 'session_bound'],
  default_grant_type: 'one_time',
  expires_in_seconds: 900,
  max_uses: 3,
} as const
const fields = (...names: readonly string[]) => ({
  type: 'object',
  fields: names.map((name) => ({ name, type: 'any' })),
})

/** What a quote fixes the price of, and needs an approval above an amount. */
const paysFor = (field: string, source_capability: string) =>
  capability({
    inputs: [input(field)],
    side_effect: { type: 'irreversible' },
    minimum_scope: ['travel.book'],
    cost: { certainty: 'estimated', financial: { currency: 'EUR' } },
    requires_binding: [{ type: 'night', field, source_capability, max_age: 'PT15M' }],
    approval: { required: { when: [{ cost: { above: 200 } }] }, grant_policy: policy },
  })

/** One capability for each thing that the interface document speaks of. */
const capabilities = {
  accompany: capability({ inputs: [input('city')], response_modes: ['streaming'] }),
  advise: capability({ inputs: [input('city')], output: fields('text'), response_modes: ['unary', 'streaming'] }),
  search: capability({
    inputs: [
      input('city'),
      input('stars', { type: 'integer', allowed_values: [3, 4, 5], required: false, default: 3 }),
    ],
    output: fields('offers', 'quote'),
    observability: { fields_logged: ['city'] },
  }),
  describe: capability({ inputs: [input('city', { resolution: { mode: 'clarify' } })], output: fields('text') }),
  book: capability({
    inputs: [input('quote')],
    side_effect: { type: 'irreversible' },
    minimum_scope: ['travel.search', 'travel.book'],
    output: fields('booking'),
    cost: { certainty: 'estimated', financial: { currency: 'EUR' } },
    requires_binding: [{ type: 'quote', field: 'quote', source_capability: 'search', max_age: 'PT15M' }],
    control_requirements: [{ type: 'cost_ceiling' }],
    approval: { required: 'always', grant_policy: policy },
    refresh_via: ['search'],
  }),
  close: capability({
    minimum_scope: ['travel.close'],
    side_effect: { type: 'write' },
    requires_principal: ['human'],
    requires: [{ capability: 'search', reason: 'It shows what is closed.' }],
    cross_service: { handoff_to: [{ service: 'hotels', capability: 'hotels.close' }] },
  }),
  gift: capability({
    inputs: [input('amount', { type: 'number' })],
    side_effect: { type: 'write' },
    cost: { certainty: 'dynamic', financial: { currency: 'EUR', upper_bound: 500, 'x-amount-input': 'amount' } },
  }),
  upgrade: capability({
    inputs: [input('seats', { type: 'integer', required: false })],
    side_effect: { type: 'write' },
    approval: { required: { when: [{ input: 'seats', above: 4 }] }, grant_policy: policy },
  }),
  night: capability({
    inputs: [input('price', { type: 'number', allowed_values: [80, 300] })],
    output: fields('night_quote'),
  }),
  dear_night: capability({
    inputs: [input('price', { type: 'number', allowed_values: [300] })],
    output: fields('dear_quote'),
  }),
  sleep: paysFor('night_quote', 'night'),
  sleep_well: paysFor('dear_quote', 'dear_night'),
  stay: capability({
    kind: 'composed',
    inputs: [input('city')],
    output: fields('offers'),
    composition: {
      authority_boundary: 'same_service',
      steps: [{ id: 'find', capability: 'search', empty_result_source: true, empty_result_path: '$.offers' }],
      input_mapping: { find: { city: '$.input.city' } },
      output_mapping: { offers: '$.steps.find.output.offers' },
      failure_policy: {
        child_clarification: 'propagate',
        child_denial: 'propagate',
        child_approval_required: 'propagate',
        child_error: 'fail_parent',
      },
      empty_result_policy: 'clarify',
      audit_policy: { record_child_invocations: true, parent_task_lineage: true },
    },
  }),
  weekend: capability({
    kind: 'composed',
    inputs: [input('city')],
    output: fields('offers', 'text'),
    composition: {
      authority_boundary: 'same_service',
      steps: [
        { id: 'find', capability: 'search' },
        { id: 'again', capability: 'search' },
        { id: 'tell', capability: 'advise' },
      ],
      input_mapping: {
        find: { city: '$.input.city' },
        again: { city: '$.input.city' },
        tell: { city: '$.input.city' },
      },
      output_mapping: { offers: '$.steps.find.output.offers', text: '$.steps.tell.output.text' },
      failure_policy: {
        child_clarification: 'propagate',
        child_denial: 'propagate',
        child_approval_required: 'propagate',
        child_error: 'fail_parent',
      },
      audit_policy: { record_child_invocations: true, parent_task_lineage: true },
    },
  }),
}

const quoteOf =
  (field: string) =>
  async ({ price }: { price: number }, { bindings }: HandlerContext) => ({
    [field]: await bindings.issue({ type: 'night', price: { currency: 'EUR', amount: price } }),
  })

const handlers = {
  night: quoteOf('night_quote'),
  dear_night: quoteOf('dear_quote'),
  search: async (_: object, { bindings }: HandlerContext) => ({
    offers: [],
    quote: await bindings.issue({ type: 'quote', price: { currency: 'EUR', amount: 80 } }),
  }),
  advise: () => ({ text: 'Go by train.' }),
  describe: () => ({ text: 'A city.' }),
  book: () => ({ booking: 'b-1' }),
  sleep: () => ({}),
  sleep_well: () => ({}),
}

/** A running service of all that, with its own checkpoints. */
export async function startService(storage?: Storage): Promise<Running> {
  const { service } = await startFixture({
    ...(storage && { storage }),
    capabilities,
    handlers,
    clock: Date.now,
    manifest: { trust: { level: 'anchored', anchoring: { cadence: 'PT1S' } } },
    limits: { badCredentialsPerMinute: 1000 },
  })
  return serve(service, { port: 0 })
}

export const CREDENTIALS = { developer: 'ana-key', approver: 'bob-key', agent: 'bot-key' } as const
