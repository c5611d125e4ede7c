/** What the trail keeps of the approval of a step: inputs of the whole, as far as the whole lets it (section 2.9). */
import { expect, it } from 'vitest'
import type { Json } from '../../src/protocol/manifest.js'
import { capability, composition, input, ONE_TIME } from './fixture/manifest.js'
import { startFixture } from './fixture/service.js'

/** The whole asks for hotel and card, and lets the trail keep what is named; its step has inputs of the same names. */
async function pending(ofWhole: object, ofStep: object) {
  const inputs = [input('hotel'), input('card')]
  const side_effect = { type: 'irreversible' } as const
  const pay = capability({
    inputs,
    side_effect,
    approval: { required: 'always', grant_policy: ONE_TIME },
    observability: ofStep,
  })
  const input_mapping = { one: { hotel: '$.input.hotel', card: '$.input.card' } }
  const steps = composition([{ id: 'one', capability: 'pay' }], { input_mapping })
  const trip = capability({ kind: 'composed', inputs, side_effect, composition: steps, observability: ofWhole })
  const fixture = await startFixture({ capabilities: { pay, trip } })
  const { token } = await fixture.root({ subject: 'agent:planner' })
  const { body } = await fixture.invoke('trip', token, { parameters: { hotel: 'Ritz', card: '4711' } })
  const id = body['failure']?.['approval_request_id'] as string
  const kept = async () => {
    const entries = (await fixture.trail(token)).filter(({ approval }) => approval !== undefined)
    return entries.map(({ entry_type, capability: of, parameters }) => [entry_type, of, parameters as Json])
  }
  return { ...fixture, token, id, kept }
}

const approve = { approval_request_id: '', grant_type: 'one_time' }
const logging = (...fields_logged: readonly string[]) => ({ fields_logged })

it.each([
  [logging('hotel'), logging('card'), { hotel: 'Ritz' }],
  [logging('card'), logging('hotel'), { card: '4711' }],
  [logging('hotel', 'card'), logging(), { hotel: 'Ritz', card: '4711' }],
  [logging(), logging('hotel', 'card'), {}],
  [{ logged: false, ...logging('hotel') }, logging('hotel'), {}],
])('where the whole keeps %j and the step %j, every entry keeps %j', async (ofWhole, ofStep, parameters) => {
  const granted = await pending(ofWhole, ofStep)
  const { body } = await granted.post('/svc/approval_grants', 'bob-key', { ...approve, approval_request_id: granted.id })
  await granted.post(`/-/approval_grants/${body['grant_id'] as string}/revoke`, 'bob-key', { reason: 'A mistake.' })
  expect(await granted.kept()).toEqual([
    ['grant_revoked', 'trip', parameters],
    ['approval_granted', 'trip', parameters],
    ['approval_requested', 'trip', parameters],
  ])
  const denied = await pending(ofWhole, ofStep)
  await denied.post(`/svc/approval_requests/${denied.id}/deny`, 'bob-key', { reason: 'Too dear.' })
  expect(await denied.kept()).toEqual([
    ['approval_denied', 'trip', parameters],
    ['approval_requested', 'trip', parameters],
  ])
}) // prettier-ignore

it('the approval of a step is asked for where the whole was called from, and for the task that its caller named', async () => {
  const { invoke, root, trail, storage } = await pending({}, {})
  const { token } = await root({ subject: 'agent:other' })
  const from = { parent_invocation_id: 'inv-00000000000a', task_id: 'trip-7' }
  const { body } = await invoke('trip', token, { parameters: { hotel: 'Ritz', card: '4711' }, ...from })
  const id = body['failure']?.['approval_request_id'] as string
  expect(await storage.approvals.get(id)).toMatchObject({ ...from, capability: 'trip' })
  const asked = (await trail(token)).find(({ entry_type }) => entry_type === 'approval_requested')
  expect(asked).toMatchObject({ parent_invocation_id: from.parent_invocation_id, approval_request_id: id })
})
