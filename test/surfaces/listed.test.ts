/** S8: the tools that a token is shown are those that the permissions evaluator calls available; it refuses every other. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Capability } from '../../src/protocol/manifest.js'
import { capability, input } from '../runtime/fixture/manifest.js'
import { CLIENTS, startWorld, type World } from './mcp-world.js'

const costs = { certainty: 'fixed', financial: { currency: 'EUR', amount: 30 } } as const

const CAPABILITIES: { readonly [name: string]: Capability } = {
  search: capability({ inputs: [input('city')] }),
  'trip.list': capability({ minimum_scope: ['travel.list'] }),
  'trip.book': capability({ side_effect: { type: 'irreversible' }, minimum_scope: ['travel.book'] }),
  'trip.pay': capability({ side_effect: { type: 'write' }, minimum_scope: ['travel.book'], cost: costs }),
  both: capability({ minimum_scope: ['travel.search', 'travel.list'] }),
  human: capability({ requires_principal: ['human'] }),
  bounded: capability({ control_requirements: [{ type: 'cost_ceiling' }] }),
  alone: capability({ control_requirements: [{ type: 'stronger_delegation_required' }] }),
  never: capability({ minimum_scope: ['never.given'] }),
} // prettier-ignore

const SCOPES = ['travel.search', 'travel.list', 'travel.book', 'never.given']

const token = fc.record(
  {
    scope: fc.subarray(SCOPES, { minLength: 1 }),
    subject: fc.constantFrom('agent:planner', 'human:ana', 'service:batch'),
    budget: fc.option(fc.constantFrom({ currency: 'EUR', max_amount: 10 }, { currency: 'EUR', max_amount: 500 }, { currency: 'USD', max_amount: 5 }), { nil: undefined }), // prettier-ignore
    capability: fc.option(fc.constantFrom(...Object.keys(CAPABILITIES)), { nil: undefined }),
    ttl_hours: fc.constantFrom(1, 2),
  },
  { requiredKeys: ['scope', 'subject'] },
)

interface Unavailable {
  readonly capability: string
}

/** What the evaluator says, and what its refusals are called when the capability is called over HTTP. */
async function permitted(world: World, bearer: string) {
  const { body } = await world.fixture.post('/svc/permissions', bearer, {})
  const named = (each: unknown) => (each as readonly Unavailable[]).map(({ capability }) => capability).toSorted()
  const available = named(body['available'])
  const hidden = named([...(body['restricted'] as never as []), ...(body['denied'] as never as [])])
  return { available, hidden }
}

const toolOf = (capability: string) => capability.replaceAll('.', '__')

it('S8: lists what is available to each of 50 random tokens, and what it hides is refused by the evaluator', async () => {
  const effects: string[] = []
  const handlers = Object.fromEntries(Object.keys(CAPABILITIES).map((name) => [name, () => (effects.push(name), {})]))
  const world = await startWorld({ capabilities: CAPABILITIES, handlers, limits: { refusalsPerMinute: 1_000_000 } })
  const seen = { sizes: new Set<number>(), tokens: 0 }
  await fc.assert(
    fc.asyncProperty(token, fc.boolean(), async (asked, below) => {
      const reply = await world.fixture.post('/svc/tokens', 'ana-key', asked)
      if (reply.status !== 200) return
      const given = reply.body as never as { readonly token: string; readonly token_id: string }
      const child = { parent_token: given.token_id, subject: 'agent:helper', scope: asked.scope.slice(0, 1) }
      const bearer = below ? (await world.fixture.issued(given.token, child)).token : given.token
      const { available, hidden } = await permitted(world, bearer)
      expect([...available, ...hidden].toSorted()).toEqual(Object.keys(CAPABILITIES).toSorted())
      seen.sizes.add(available.length)
      seen.tokens++
      for (const [, over, connect] of CLIENTS) {
        const agent = await connect(world, { token: bearer, over })
        expect((await agent.list()).map(({ name }) => name).toSorted()).toEqual(available.map(toolOf).toSorted())
        for (const name of hidden) {
          const http = await world.fixture.invoke(name, bearer)
          const refused = (await agent.call(toolOf(name))).structuredContent as never as Refusal
          expect([name, refused.failure.type]).toEqual([name, (http.body as never as Refusal).failure.type])
          expect(refused.invocation_id).toMatch(/^inv-/u)
        }
      }
    }),
    { numRuns: 50 },
  )
  expect(effects).toEqual([])
  expect([seen.tokens > 25, seen.sizes.size > 3]).toEqual([true, true])
})

interface Refusal {
  readonly invocation_id: string
  readonly failure: { readonly type: string }
}
