/** What a call that did not succeed leaves: its cost, the request that it opened, and tokens that are read again. */
import { expect, it, vi } from 'vitest'
import type { HandlerContext } from '../../src/runtime/index.js'
import { recoverOrphans } from '../../src/runtime/lifecycle/recovery.js'
import { endingKeys } from '../../src/runtime/operate/ended-keys.js'
import { StorageUnavailable } from '../../src/runtime/storage/contract.js'
import { capability, declares, input } from './fixture/manifest.js'
import { startFixture } from './fixture/service.js'
import { draft } from './storage/examples.js'

const policy = { allowed_grant_types: ['one_time'], default_grant_type: 'one_time', expires_in_seconds: 900, max_uses: 1 } as const // prettier-ignore
const cost = { certainty: 'fixed', financial: { currency: 'EUR', amount: 5 } } as const
const pay = capability({ side_effect: { type: 'irreversible' }, cost, ...declares('sold_out') })

const composed = (steps: readonly string[], input_mapping: object = {}, child_error = 'propagate') =>
  capability({
    kind: 'composed',
    inputs: [input('text')],
    composition: {
      authority_boundary: 'same_service',
      steps: steps.map((name, at) => ({ id: ['one', 'two'][at]!, capability: name })),
      input_mapping,
      output_mapping: {},
      empty_result_policy: 'return_success_no_results',
      failure_policy: { child_clarification: 'propagate', child_denial: 'propagate', child_approval_required: 'propagate', child_error },
      audit_policy: { record_child_invocations: true, parent_task_lineage: true },
    } as never,
  }) // prettier-ignore

it.each([
  ['what it reports', 4.5, { currency: 'EUR', amount: 4.5 }, 4.5],
  ['nothing where it reports nothing', undefined, undefined, 0],
])('a handler that fails has cost %s', async (_, amount, cost_actual, budget_spent) => {
  const handlers = {
    pay: (_: object, { cost: { report }, fail }: HandlerContext) => {
      if (amount !== undefined) report({ currency: 'EUR', amount })
      return fail('sold_out' as never, 'None is left.')
    },
  }
  const { root, invoke, storage } = await startFixture({ capabilities: { pay }, handlers })
  const { token, token_id } = await root({ budget: { currency: 'EUR', max_amount: 9, mode: 'cumulative' } })
  const { body } = await invoke('pay', token)
  expect([body['failure']!['type'], body['cost_actual'], body['budget_context']!['budget_spent']]).toEqual(['sold_out', cost_actual, budget_spent]) // prettier-ignore
  expect(await storage.ledger.spent(token_id)).toBe(BigInt(budget_spent * 100))
})

it('the entry of a call that asks for an approval names the request that it opened', async () => {
  const book = capability({ side_effect: { type: 'irreversible' }, approval: { required: 'always', grant_policy: policy } }) // prettier-ignore
  const { root, invoke, trail } = await startFixture({ capabilities: { book } })
  const { token } = await root({ subject: 'agent:a' })
  const id = (await invoke('book', token)).body['failure']!['approval_request_id']
  const entry = (await trail(token)).find(({ entry_type }) => entry_type === 'invocation')
  expect([entry!['approval_request_id'], entry!['approval_grant_id'], entry!['success']]).toEqual([id, null, false])
})

it('the entry and the answer of a call say where it comes from', async () => {
  const { root, invoke, trail } = await startFixture({ capabilities: { pay } })
  const { token } = await root()
  const from = { client_reference_id: 'c', task_id: 't', parent_invocation_id: 'inv-00000000000a', upstream_service: 'travel' } // prettier-ignore
  expect((await invoke('pay', token, { parameters: {}, ...from })).body).toMatchObject(from)
  expect((await trail(token)).find(({ entry_type }) => entry_type === 'invocation')).toMatchObject(from)
})

it('a budget that was overspent has nothing left', async () => {
  const handlers = { pay: (_: object, { cost: { report } }: HandlerContext) => (report({ currency: 'EUR', amount: 12 }), {}) } // prettier-ignore
  const { root, invoke } = await startFixture({ capabilities: { pay }, handlers })
  const { token } = await root({ budget: { currency: 'EUR', max_amount: 9, mode: 'cumulative' } })
  expect((await invoke('pay', token)).body['budget_context']).toMatchObject({ budget_spent: 12, budget_remaining: 0 })
})

it('a refused step is no refused call: it takes no place among these', async () => {
  const trip = composed(['count'], { one: { n: '$.input.text' } })
  const count = capability({ inputs: [input('n', { type: 'integer' })] })
  const { root, invoke } = await startFixture({ capabilities: { trip, count }, limits: { refusalsPerMinute: 0 } })
  const { token } = await root()
  const { body } = await invoke('trip', token, { parameters: { text: 'no number' } })
  expect(body['failure']!['type']).toBe('invalid_parameters')
})

it('the entry that says what became of a call names the tokens only where their budget was settled', async () => {
  const { service, storage, post } = await startFixture()
  const invocation_id = 'inv-000000000001'
  await storage.intents.record({ invocation_id, owner: 'gone', draft: draft({ invocation_id, success: false, failure_type: 'outcome_unknown' }), started_at: 1 }) // prettier-ignore
  await recoverOrphans(service)
  const { status } = await post(`/-/invocations/${invocation_id}/resolve`, 'op-key', { happened: false, reason: 'r' })
  const [{ text } = { text: null }] = await storage.audit.texts(2, 1)
  const { operated, delegation_chain } = JSON.parse(text!) as { readonly [member: string]: object }
  expect([status, operated, delegation_chain]).toEqual([200, { name: 'invocation_resolved', target: { invocation_id }, happened: false, reason: 'r' }, []]) // prettier-ignore
})

it('what a handler does with its input changes nothing of what is recorded', async () => {
  const search = capability({ inputs: [input('tags', { type: 'array' })], observability: { logged: true, fields_logged: ['tags'] } }) // prettier-ignore
  const handlers = { search: ({ tags }: { tags: string[] }) => (tags.push('mine'), {}) }
  const { root, invoke, trail } = await startFixture({ capabilities: { search }, handlers })
  const { token } = await root()
  expect((await invoke('search', token, { parameters: { tags: ['yours'] } })).status).toBe(200)
  expect((await trail(token)).find(({ entry_type }) => entry_type === 'invocation')!['parameters']).toEqual({ tags: ['yours'] }) // prettier-ignore
})

it('a warning that could not be made changes nothing of a call that succeeded', async () => {
  const quote = capability({ output: { type: 'object', fields: [{ name: 'quote_id', type: 'string' }] } })
  const book = capability({
    inputs: [input('quote_id')],
    requires_binding: [{ type: 'quote', field: 'quote_id', source_capability: 'quote' }],
  })
  const handlers = { quote: () => ({ quote_id: 'made-up' }) }
  const { root, invoke, storage, logged } = await startFixture({ capabilities: { quote, book }, handlers })
  const { token } = await root()
  expect((await invoke('quote', token)).status).toBe(200)
  expect(logged.filter((line) => line.includes('did not issue'))).toHaveLength(1)
  Object.assign(storage.bindings, { get: () => Promise.reject(new Error('away')) })
  expect((await invoke('quote', token)).body['result']).toEqual({ quote_id: 'made-up' })
})

it('a step is recorded under the caller of the whole', async () => {
  const { root, invoke, trail } = await startFixture({ capabilities: { trip: composed(['search']), search: capability() } }) // prettier-ignore
  const { token } = await root()
  const from = { client_reference_id: 'c', task_id: 't', upstream_service: 'travel' }
  const { body } = await invoke('trip', token, { parameters: { text: 'x' }, ...from })
  const step = (await trail(token)).find(({ capability: name }) => name === 'search')
  expect(step).toMatchObject({ ...from, parent_invocation_id: body['invocation_id'] })
})

it('a composition of which a later step is paused does not begin', async () => {
  const called: string[] = []
  const handlers = { search: () => (called.push('search'), {}), pay: () => (called.push('pay'), {}) }
  const capabilities = { trip: composed(['search', 'pay'], {}, 'fail_parent'), search: capability(), pay }
  const { root, invoke, post } = await startFixture({ capabilities, handlers })
  const { token } = await root()
  await post('/-/capabilities/pay/pause', 'op-key', { reason: 'r' })
  expect((await invoke('trip', token, { parameters: { text: 'x' } })).body['failure']!['type']).toBe('service_unavailable') // prettier-ignore
  expect(called).toEqual([])
})

it('what an operator did is on the trail before it is answered', async () => {
  const { storage, post } = await startFixture()
  await storage.outbox.add([{ id: 'e', type: 'alarm.raised', subject: 's', body: '{}', targets: ['ops'] }])
  Object.assign(storage.audit, { append: () => Promise.reject(new StorageUnavailable('away')) })
  const acts = { '/-/events/e/resend': {}, '/-/capabilities/search/pause': {}, '/-/tokens/revoke': { subject: 'agent:a' } } // prettier-ignore
  for (const [path, more] of Object.entries(acts))
    expect([path, (await post(path, 'op-key', { reason: 'r', ...more })).status]).toEqual([path, 503])
})

const quoted = (type: string, max_age: string) => ({ type, field: type, source_capability: 'quote', max_age })
const binding = (type: string, issued_at: number) => ({ binding_id: `bnd_${type}`, type, capability: 'quote', root_principal: 'human:ana', issued_at }) as const // prettier-ignore

it.each([
  [5_000, 200],
  [5_001, 'binding_stale'],
])('a binding that was issued %i ms ahead of this clock is answered with %s', async (ahead, answer) => {
  const book = capability({ inputs: [input('fare')], requires_binding: [quoted('fare', 'PT10M')] })
  const { root, invoke, storage, time } = await startFixture({ capabilities: { quote: capability(), book } })
  await storage.bindings.insert(binding('fare', time.now + ahead))
  const { token } = await root()
  const { body } = await invoke('book', token, { parameters: { fare: 'bnd_fare' } })
  expect(body['failure']?.['type'] ?? 200).toBe(answer)
})

it('an approval is asked for until the first of its bindings is too old', async () => {
  const book = capability({
    inputs: [input('fare'), input('seat')],
    side_effect: { type: 'irreversible' },
    requires_binding: [quoted('fare', 'PT10M'), quoted('seat', 'PT5M')],
    approval: { required: 'always', grant_policy: policy },
  })
  const { root, invoke, storage, time } = await startFixture({ capabilities: { quote: capability(), book } })
  await storage.bindings.insert(binding('fare', time.now))
  await storage.bindings.insert(binding('seat', time.now - 1_000))
  const { token } = await root({ subject: 'agent:a' })
  const { body } = await invoke('book', token, { parameters: { fare: 'bnd_fare', seat: 'bnd_seat' } })
  const asked = await storage.approvals.get(body['failure']!['approval_request_id']!)
  expect(asked!.expires_at).toBe('2026-03-01T12:04:59.000Z')
})

it('tokens are read again after each of their ends, whoever ends them', async () => {
  const { root, post, service } = await startFixture()
  const [one, other] = [await root(), await root()]
  expect(service.revocations.count).toBe(0)
  await post('/svc/tokens/revoke', 'ana-key', { token_id: one.token_id })
  expect(service.revocations.count).toBe(1)
  await post('/-/tokens/revoke', 'op-key', { token_id: other.token_id, reason: 'r' })
  expect(service.revocations.count).toBe(2)
})

it('what an ended API key bought is ended once, and again once the key was there again', async () => {
  let isThere = false
  const key = { id: 'k', principal: 'human:k', sha256: '0'.repeat(64) } as const
  const reload = async () => (isThere ? [key] : [])
  const { service, storage } = await startFixture({ apiKeys: Object.assign([key], { reload }) })
  const ended = vi.spyOn(storage.operators, 'endTokens')
  const end = endingKeys()
  const turns: number[] = []
  for (const there of [true, false, false, true, false]) {
    isThere = there
    await service.apiKeys.reload()
    await end(service)
    turns.push(ended.mock.calls.length)
  }
  expect(turns).toEqual([0, 1, 1, 1, 2])
})
