/** G10: what finished steps gave and cost is under the signature of the grant, as long as the composition waits. */
import { expect, it } from 'vitest'
import type { FinishedStep } from '../../src/runtime/storage/contract.js'
import { capability, composition, ONE_TIME } from './fixture/manifest.js'
import { startFixture } from './fixture/service.js'

const steps = composition([
  { id: 'one', capability: 'look' },
  { id: 'two', capability: 'hold' },
  { id: 'three', capability: 'pay' },
])
const write = { side_effect: { type: 'write' } } as const
const costs = (amount: number) => ({ cost: { certainty: 'fixed', financial: { currency: 'EUR', amount } } }) as const
const output = { type: 'object', fields: [{ name: 'held', type: 'string' }] } as const

/** A trip for 90 that looks, holds for 40, and then waits until somebody lets it pay 50. */
async function waiting() {
  const effects: string[] = []
  const fixture = await startFixture({
    capabilities: {
      look: capability(write),
      hold: capability({ ...write, ...costs(40), output }),
      pay: capability({ ...write, ...costs(50), approval: { required: 'always', grant_policy: ONE_TIME } }),
      trip: capability({ ...write, ...costs(90), kind: 'composed', composition: steps }),
    },
    handlers: {
      look: () => (effects.push('look'), {}),
      hold: () => (effects.push('hold'), { held: 'h-1' }),
      pay: () => (effects.push('pay'), {}),
    },
  })
  const budget = { currency: 'EUR', max_amount: 90, mode: 'cumulative' }
  const { token, token_id } = await fixture.root({ subject: 'agent:planner', budget })
  const asked = await fixture.invoke('trip', token)
  const approval_request_id = String(asked.body['failure']?.['approval_request_id'])
  const granted = await fixture.post('/svc/approval_grants', 'bob-key', { approval_request_id, grant_type: 'one_time' })
  const approval_grant = granted.body['grant_id']
  const goOn = () => fixture.invoke('trip', token, { parameters: {}, approval_grant })
  return { ...fixture, effects, token_id, approval_request_id, goOn }
}

type Change = (look: FinishedStep, hold: FinishedStep) => readonly FinishedStep[]
const eur = (amount: number) => ({ currency: 'EUR', amount })
const without = ({ cost: _, ...rest }: FinishedStep): FinishedStep => rest

it('G10 finished steps are kept with what they gave and cost', async () => {
  const { storage, approval_request_id } = await waiting()
  expect((await storage.approvals.get(approval_request_id))?.progress).toEqual([
    { id: 'one', capability: 'look', output: {} },
    { id: 'two', capability: 'hold', output: { held: 'h-1' }, cost: eur(40) },
  ])
})

it.each<[string, boolean, Change]>([
  ['nothing is changed', true, (look, hold) => [look, hold]],
  ['members are written in another order', true, (look, { id, ...hold }) => [look, { ...hold, id }]],
  ['a step has cost less', false, (look, hold) => [look, { ...hold, cost: eur(0) }]],
  ['a step has cost a little less', false, (look, hold) => [look, { ...hold, cost: eur(39.99) }]],
  ['a step has cost more', false, (look, hold) => [look, { ...hold, cost: eur(41) }]],
  ['a step has cost another currency', false, (look, hold) => [look, { ...hold, cost: { ...eur(40), currency: 'USD' } }]],
  ['a step has cost nothing that is known', false, (look, hold) => [look, without(hold)]],
  ['a step that was free has cost something', false, (look, hold) => [{ ...look, cost: eur(1) }, hold]],
  ['the cost is that of another step', false, (look, hold) => [{ ...look, cost: hold.cost! }, without(hold)]],
  ['a step gave something else', false, (look, hold) => [look, { ...hold, output: { held: 'h-2' } }]],
  ['a step gave nothing', false, (look, hold) => [look, { ...hold, output: {} }]],
  ['a step has another id', false, (look, hold) => [look, { ...hold, id: 'other' }]],
  ['a step was of another capability', false, (look, hold) => [look, { ...hold, capability: 'look' }]],
  ['the steps are in another order', false, (look, hold) => [hold, look]],
  ['the last step is gone', false, (look) => [look]],
  ['a step is there twice', false, (look, hold) => [look, hold, hold]],
  ['every step is gone', false, () => []],
])('G10 in the store %s: a waiting composition goes on: %s', async (_, goesOn, change) => {
  const { storage, effects, goOn, call } = await waiting()
  const get = storage.approvals.get
  Object.assign(storage.approvals, {
    get: async (id: string) => {
      const { progress, ...request } = (await get(id))!
      return { ...request, progress: change(progress![0]!, progress![1]!) }
    },
  })
  const { status, body } = await goOn()
  const alarms = (await call('GET', '/-/ready')).body['alarms']
  expect([status, body['failure']?.['type'], effects, alarms]).toEqual(
    goesOn
      ? [200, undefined, ['look', 'hold', 'pay'], []]
      : [403, 'approval_grant_invalid', ['look', 'hold'], ['grant_integrity']],
  )
}) // prettier-ignore

it('G10 a request whose content was erased is no alarm, and nothing goes on from it', async () => {
  const { storage, effects, goOn, call } = await waiting()
  const { get, grant } = storage.approvals
  Object.assign(storage.approvals, {
    get: async (id: string) => {
      const { progress: _, step, ...request } = (await get(id))!
      return { ...request, step: { ...step, parameters: {} }, requested_parameters: {}, isErased: true }
    },
    grant: async (id: string) => ({ ...(await grant(id))!, isRevoked: true }),
  })
  const { body } = await goOn()
  const alarms = (await call('GET', '/-/ready')).body['alarms']
  expect([body['failure']?.['type'], effects, alarms]).toEqual(['approval_grant_invalid', ['look', 'hold'], []])
})
