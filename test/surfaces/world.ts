/** A service with something of everything that is governed, for agents on every surface. */
import { onTestFinished } from 'vitest'
import { toolsOf } from '../../src/protocol/tools.js'
import type { Capability } from '../../src/protocol/manifest.js'
import type { HandlerContext } from '../../src/runtime/index.js'
import { serve } from '../../src/runtime/node.js'
import { mcp } from '../../src/runtime/surfaces/mcp/index.js'
import { capability, declares, input, manifestOf } from '../runtime/fixture/manifest.js'
import { startFixture, type Given } from '../runtime/fixture/service.js'
import type { Place } from './agents/agent.js'

const policy = { allowed_grant_types: ['one_time'], default_grant_type: 'one_time', expires_in_seconds: 900, max_uses: 1 } as const // prettier-ignore
const texts = (...names: readonly string[]) => ({
  type: 'object',
  fields: names.map((name) => ({ name, type: 'string' }) as const),
})
const eur = (amount: number) => ({ certainty: 'fixed', financial: { currency: 'EUR', amount } }) as const
const books = {
  side_effect: { type: 'irreversible' },
  minimum_scope: ['travel.book'],
  output: texts('booked'),
} as const

const CAPABILITIES: { readonly [name: string]: Capability } = {
  search: capability({ description: 'Finds hotels.', inputs: [input('city'), input('stars', { type: 'integer', required: false, default: 3 })], output: texts('found') }),
  'trip.book': capability({ ...books, inputs: [input('hotel')], approval: { required: 'always', grant_policy: policy } }),
  refund: capability({ ...books, inputs: [input('amount', { type: 'number' })], approval: { required: { when: [{ input: 'amount', above: 100 }] }, grant_policy: policy } }),
  note: capability({ side_effect: { type: 'write' }, inputs: [input('text')], output: texts('noted') }),
  pay: capability({ side_effect: { type: 'transactional', rollback_window: 'PT1H' }, inputs: [input('what')], output: texts('paid'), cost: eur(30) }),
  quote: capability({ inputs: [input('price', { type: 'number' })], output: { type: 'quote', fields: [{ name: 'quote_id', type: 'string' }] } }),
  buy: capability({ ...books, minimum_scope: ['travel.search'], inputs: [input('quote_id')], cost: { certainty: 'estimated', financial: { currency: 'EUR' } }, requires_binding: [{ type: 'quote', field: 'quote_id', source_capability: 'quote', max_age: 'PT15M' }] }),
  ask: capability({ inputs: [input('place', { resolution: { mode: 'clarify' } as never })], output: texts('place') }),
  grade: capability({ inputs: [input('grade', { allowed_values: ['a', 'b'], resolution: { mode: 'closed_values' } as never })], output: texts('grade') }),
  slow: capability({ inputs: [], response_modes: ['unary', 'streaming'], output: texts('done') }),
  sold_out: capability(declares('sold_out')),
  broken: capability({}),
  broken_write: capability({ side_effect: { type: 'write' } }),
  secret: capability({ minimum_scope: ['never.given'] }),
  human: capability({ requires_principal: ['human'], minimum_scope: ['travel.search'] }),
} // prettier-ignore

const APPROVALS = { request_ttl: 'PT1H', denial_holds: 'PT10M', allow_agents: false, separation_of_duties: true } as const // prettier-ignore
const MANIFEST = { approvals: { ...APPROVALS, approver_scope: 'approver:book' } }

/** What no model, trace or log may show. */
export const SECRET = 'sk-not-for-models'

export async function startWorld(given: Given = {}) {
  const effects: object[] = []
  const passed = { ms: 0 }
  const effect = (what: object, result: object) => (effects.push(what), result)
  const handlers: Given['handlers'] = {
    search: ({ city, stars }: { readonly city: string; readonly stars: number }) => ({ found: `Hotels in ${city} with ${stars} stars` }),
    'trip.book': (inputs: { readonly hotel: string }) => effect(inputs, { booked: inputs.hotel }),
    refund: (inputs: { readonly amount: number }) => effect(inputs, { booked: `refund of ${inputs.amount}` }),
    note: (inputs: { readonly text: string }) => effect(inputs, { noted: inputs.text }),
    pay: (inputs: { readonly what: string }) => effect(inputs, { paid: inputs.what }),
    quote: async ({ price }: { readonly price: number }, { bindings }: HandlerContext) => ({
      quote_id: await bindings.issue({ type: 'quote', price: { currency: 'EUR', amount: price } }),
    }),
    buy: (inputs: object) => effect(inputs, { booked: 'bought' }),
    ask: ({ place }: { readonly place: string }) => ({ place }),
    grade: ({ grade }: { readonly grade: string }) => ({ grade }),
    slow: async (_: object, { progress }: HandlerContext) => (await progress({ done: 1 }), { done: 'slowly' }),
    sold_out: (_: object, ctx: HandlerContext) => ctx.fail('sold_out', 'Nothing is left.', { left: 0 }),
    broken: () => Promise.reject(new Error(`Database ${SECRET} is away`)),
    broken_write: () => Promise.reject(new Error(`Database ${SECRET} is away`)),
  } // prettier-ignore
  const fixture = await startFixture({
    clock: () => Date.now() + passed.ms,
    capabilities: CAPABILITIES,
    handlers,
    manifest: MANIFEST,
    limits: { shutdownMs: 100 },
    ...given,
  })
  const { url, close } = await serve(fixture.service, { port: 0, surfaces: [mcp()] })
  onTestFinished(close)
  const { tools } = toolsOf(manifestOf(CAPABILITIES, MANIFEST))
  /** A token of the agent, as ana delegates it. */
  const delegate = (body: object = {}) =>
    fixture.root({ subject: 'agent:planner', scope: ['travel.search', 'travel.book'], ...body })
  const first = await delegate()
  const watcher = await fixture.root()
  const place: Place = { url, token: first.token, tools }
  const pending = async () =>
    ((await fixture.call('GET', '/svc/approval_requests', { bearer: 'ana-key' })).body['approval_requests'] ??
      []) as unknown as readonly Asked[]
  return {
    fixture, url, close, tools, place, effects, delegate, token: first.token, token_id: first.token_id,
    /** The requests of ana's agents, newest first. */
    requests: pending,
    approve: (id: string) => fixture.post('/svc/approval_grants', 'bob-key', { approval_request_id: id }),
    deny: (id: string, reason: string) => fixture.post(`/svc/approval_requests/${id}/deny`, 'bob-key', { reason }),
    sendBack: (id: string, reason: string) => fixture.post(`/svc/approval_requests/${id}/deny`, 'bob-key', { reason, holds: false }),
    withdraw: (id: string) => fixture.post(`/svc/approval_requests/${id}/withdraw`, 'ana-key', {}),
    revokeGrant: (id: string) => fixture.post(`/-/approval_grants/${id}/revoke`, 'bob-key', {}),
    /** Moves the clock of the service. */
    later: (ms: number) => void (passed.ms += ms),
    /** A token that the agent hands on. */
    below: (body: object) => fixture.issued(first.token, { parent_token: first.token_id, subject: 'agent:helper', ...body }),
    revoke: (token_id: string) => fixture.post('/svc/tokens/revoke', 'ana-key', { token_id }),
    trail: async () => (await fixture.trail(watcher.token)).filter(({ entry_type }) => entry_type === 'invocation'),
  } // prettier-ignore
}

export interface Asked {
  readonly approval_request_id: string
  readonly status: string
  readonly capability: string
}

export type World = Awaited<ReturnType<typeof startWorld>>
