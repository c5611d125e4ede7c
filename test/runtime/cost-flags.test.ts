/** When an entry says that more was spent than was checked, and what budgets had held (section 6; threat N08). */
import { expect, it } from 'vitest'
import { sha256Hex } from '../../src/crypto/json/digest.js'
import { counters } from '../../src/crypto/trail/counters.js'
import type { JsonObject } from '../../src/protocol/manifest.js'
import type { HandlerContext } from '../../src/runtime/index.js'
import { capability, input } from './fixture/manifest.js'
import { API_KEYS, startFixture } from './fixture/service.js'

const financial = { currency: 'EUR', amount: 10 }
const euros = (amount: number) => ({ currency: 'EUR', amount })
const grant_policy = { allowed_grant_types: ['one_time'], default_grant_type: 'one_time', expires_in_seconds: 900, max_uses: 1 } as const // prettier-ignore
const composed = (steps: readonly string[], input_mapping = {}) =>
  capability({
    kind: 'composed',
    side_effect: { type: 'write' },
    composition: {
      authority_boundary: 'same_service',
      steps: steps.map((name, index) => ({ id: `s${index}`, capability: name })),
      input_mapping, output_mapping: {}, empty_result_policy: 'fail',
      failure_policy: { child_clarification: 'propagate', child_denial: 'propagate', child_approval_required: 'propagate', child_error: 'fail_parent' },
      audit_policy: { record_child_invocations: true, parent_task_lineage: true },
    },
  } as never) // prettier-ignore
const capabilities = {
  act: capability({ cost: { certainty: 'fixed', financial }, side_effect: { type: 'write' } }),
  ask: capability({ cost: { certainty: 'fixed', financial }, side_effect: { type: 'write' }, approval: { required: 'always', grant_policy } }),
  price: capability({ output: { type: 'quote', fields: [{ name: 'offer', type: 'string' }] } }),
  pay: capability({ inputs: [input('offer')], side_effect: { type: 'write' }, requires_binding: [{ type: 'quote', field: 'offer' }], cost: { certainty: 'estimated', financial: { currency: 'EUR' } } }),
  mixed: composed(['act', 'price', 'pay'], { s2: { offer: '$.steps.s1.output.offer' } }),
  tour: composed(['act', 'ask', 'act']),
} // prettier-ignore
const APPROVER = { id: 'approver', principal: 'human:cid', sha256: sha256Hex('approver-key'), scopes: ['approver:ask', 'approver:tour'] } as const // prettier-ignore
const price = async (_: object, { bindings }: HandlerContext) => ({
  offer: await bindings.issue({ type: 'quote', price: euros(30) }),
})
const reporting =
  (amount: number) =>
  (_: object, { cost }: HandlerContext) => (cost.report(euros(amount)), {})

async function start(handlers: object) {
  const fixture = await startFixture({ capabilities, handlers: { price, ...handlers }, apiKeys: [...API_KEYS, APPROVER] })
  /** The costs on the entries of invocations, and what `svc audit verify` says of budgets. */
  const said = async () => {
    const { storage } = fixture
    const texts = await storage.audit.texts(1, await storage.audit.size())
    const entries = texts.map(({ text }) => JSON.parse(text!) as JsonObject)
    const { note } = counters()
    const troubles = entries.flatMap((entry) => note(entry) ?? [])
    const amount = (entry: JsonObject, name: string) => (entry[name] as { amount?: number } | null)?.amount
    const costs = entries
      .filter((entry) => entry['entry_type'] === 'invocation' && entry['failure_type'] !== 'approval_required')
      .map((entry) => [
        entry['capability'],
        entry['cost_exceeded'] ?? false,
        ...['cost_actual', 'cost_charged', 'cost_checked'].map((name) => amount(entry, name)),
      ])
    return { costs: costs.filter(([name]) => name !== 'price'), troubles, ended: await fixture.service.counters.compare() }
  }
  return { ...fixture, said }
} // prettier-ignore

const pool = (max_amount: number, mode: 'cumulative' | 'per_invocation' = 'cumulative') => ({
  budget: { currency: 'EUR', max_amount, mode },
})

it('of a call that reported more: what was charged, and what was checked', async () => {
  const { root, invoke, said } = await start({ act: reporting(12) })
  expect((await invoke('act', (await root(pool(10))).token)).status).toBe(200)
  expect(await said()).toEqual({ costs: [['act', true, 12, 12, 10]], troubles: [], ended: 0 })
})

it('of a call that reported as much as was checked: what was charged', async () => {
  const { root, invoke, said } = await start({ act: reporting(10) })
  await invoke('act', (await root(pool(10))).token)
  expect((await said()).costs).toEqual([['act', false, 10, 10, undefined]])
})

it('under no cumulative budget: nothing was charged', async () => {
  const { root, invoke, said } = await start({ act: reporting(12) })
  await invoke('act', (await root(pool(10, 'per_invocation'))).token)
  await invoke('act', (await root()).token)
  expect((await said()).costs).toEqual([
    ['act', true, 12, undefined, undefined],
    ['act', true, 12, undefined, undefined],
  ])
})

it.each<[string, object, number | undefined]>([
  ['a cumulative budget', pool(100), 10],
  ['a budget for each call', pool(100, 'per_invocation'), undefined],
  ['no budget', {}, undefined],
])('under %s a step that was checked apart makes nobody take its composition for more', async (_, constraints, charged) => {
  const { root, invoke, said } = await start({})
  expect((await invoke('mixed', (await root(constraints)).token)).status).toBe(200)
  const { costs, troubles, ended } = await said()
  expect(costs.at(-1)).toEqual(['mixed', false, 40, charged, undefined])
  expect([troubles, ended]).toEqual([[], 0])
}) // prettier-ignore

it.each<[string, object, readonly unknown[]]>([
  ['a cumulative budget', pool(30), ['tour', true, 25, 25, 20]],
  ['no budget', {}, ['tour', true, 25, undefined, undefined]],
])('under %s what goes on after an approval is more than what was left to pay', async (_, constraints, expected) => {
  const { root, invoke, post, said } = await start({ ask: reporting(15) })
  const waiting = { parameters: {}, approval: 'continue' }
  const { token } = await root(constraints)
  const approval_request_id = (await invoke('tour', token, waiting)).body['failure']!['approval_request_id']
  await post('/svc/approval_grants', 'approver-key', { approval_request_id, grant_type: 'one_time' })
  const done = await invoke('tour', token, waiting)
  expect(done.status).toBe(200)
  const { costs, troubles, ended } = await said()
  expect(costs.at(-1)).toEqual(expected)
  expect([troubles, ended]).toEqual([[], 0])
}) // prettier-ignore

it('money that is spent again after the ledger was set back shows, though each call is flagged', async () => {
  const { root, invoke, said, storage } = await start({ act: reporting(10.01) })
  const { token, token_id } = await root(pool(11))
  expect((await invoke('act', token)).status).toBe(200)
  Object.assign(storage.ledger, { reserve: async () => ({ held: true, spentUnits: 0n }) })
  expect((await invoke('act', token)).status).toBe(200)
  expect((await said()).troubles).toEqual([`the cumulative budget of the token ${token_id} was exceeded`])
})
