/** H09: what a caller and the trail read when a store fails under a call, whichever it is: nothing of what its driver said. */
import { expect, it } from 'vitest'
import type { HandlerContext } from '../../src/runtime/index.js'
import { StorageUnavailable } from '../../src/runtime/storage/contract.js'
import { capability, input, ONE_TIME } from './fixture/manifest.js'
import { startFixture } from './fixture/service.js'

const SAID = 'connect ECONNREFUSED db-7.internal:5432, role svc_writer, relation ledger'
const LEAKS = /ECONNREFUSED|db-7|svc_writer|relation/u

/** A token and a grant for a call that asks each store for something. */
async function start() {
  const fixture = await startFixture({
    capabilities: {
      quote: capability({ output: { type: 'quote', fields: [{ name: 'quote_id', type: 'string' }] } }),
      book: capability({
        inputs: [input('quote_id')],
        side_effect: { type: 'irreversible' },
        cost: { certainty: 'estimated', financial: { currency: 'EUR', range_max: 9 } },
        requires_binding: [{ type: 'quote', field: 'quote_id', source_capability: 'quote' }],
        approval: { required: 'always', grant_policy: ONE_TIME },
      }),
    },
    handlers: {
      quote: async (_: object, { bindings }: HandlerContext) => ({
        quote_id: await bindings.issue({ type: 'quote', price: { currency: 'EUR', amount: 5 } }),
      }),
    },
  })
  const budget = { currency: 'EUR', max_amount: 9, mode: 'cumulative' }
  const { token } = await fixture.root({ subject: 'agent:planner', budget, concurrent_branches: 'exclusive' })
  const { quote_id } = (await fixture.invoke('quote', token)).body['result']!
  const { approval_request_id } = (await fixture.invoke('book', token, { parameters: { quote_id } })).body['failure']!
  const granted = await fixture.post('/svc/approval_grants', 'bob-key', { approval_request_id, grant_type: 'one_time' })
  const body = { parameters: { quote_id }, approval_grant: granted.body['grant_id'] }
  const calls = {
    quote: () => fixture.invoke('quote', token),
    book: () => fixture.invoke('book', token, body, { 'idempotency-key': 'k' }),
    token: () => fixture.post('/svc/tokens', 'ana-key', { scope: ['travel.search'] }),
  }
  return { ...fixture, calls }
}

it.each([
  ['token', 'operators', 'blockOf'],
  ['token', 'tokens', 'insert'],
  ['quote', 'bindings', 'insert'],
  ['book', 'tokens', 'chain'],
  ['book', 'idempotency', 'start'],
  ['book', 'bindings', 'get'],
  ['book', 'approvals', 'grant'],
  ['book', 'leases', 'acquire'],
  ['book', 'intents', 'record'],
  ['book', 'ledger', 'reserve'],
  ['book', 'approvals', 'spend'],
] as const)('%s, without the store of %s (%s)', async (name, store, verb) => {
  const { storage, calls } = await start()
  Object.assign(storage[store], { [verb]: () => Promise.reject(new StorageUnavailable(SAID)) })
  const { status, body } = await calls[name]()
  expect([status, body['failure']?.['type']]).toEqual([503, 'service_unavailable'])
  expect(JSON.stringify(body)).not.toMatch(LEAKS)
  expect(JSON.stringify(await storage.audit.newest(undefined, 100))).not.toMatch(LEAKS)
})
