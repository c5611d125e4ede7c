/** What an approver sees of a call without a preview, and of what became of it (decisions, section 17). */
import { expect, it } from 'vitest'
import { entryLine } from '../../src/cli/audit/entry-line.js'
import type { HandlerContext } from '../../src/runtime/index.js'
import { capability, composition, input } from './fixture/manifest.js'
import { startFixture } from './fixture/service.js'

const policy = { allowed_grant_types: ['one_time'], default_grant_type: 'one_time', expires_in_seconds: 900, max_uses: 1 } as const // prettier-ignore
const PRICE = { currency: 'EUR', amount: 150 }

async function start(fails = false) {
  const got: unknown[] = []
  const fixture = await startFixture({
    capabilities: {
      quote: capability({ inputs: [], output: { type: 'quote', fields: [{ name: 'quote_id', type: 'string' }] } }),
      book: capability({
        side_effect: { type: 'irreversible' },
        inputs: [input('quote_id'), input('note'), input('iban', { 'x-sensitive': true })],
        cost: { certainty: 'estimated', financial: { currency: 'EUR' } },
        requires_binding: [{ type: 'quote', field: 'quote_id', source_capability: 'quote', max_age: 'PT15M' }],
        observability: { logged: true, fields_logged: ['note', 'iban'] },
        approval: { required: 'always', grant_policy: policy },
      }),
    },
    handlers: {
      quote: async (_: object, { bindings }: HandlerContext) => ({
        quote_id: await bindings.issue({ type: 'quote', price: PRICE, data: { patient: 'M. K.', slot: 'Wed, 11:00' } }),
      }),
      book: (inputs: unknown, ctx: HandlerContext) => {
        got.push(inputs)
        return fails ? ctx.fail('sold_out' as never, 'Nothing is left.') : {}
      },
    },
  })
  const { token } = await fixture.root({ subject: 'agent:planner' })
  const quoted = await fixture.invoke('quote', token, { parameters: {} })
  const quote_id = quoted.body['result']!['quote_id'] as never as string
  const call = () =>
    fixture.invoke('book', token, { parameters: { quote_id, note: 'window', iban: 'DE89' }, approval: 'continue' })
  const id = (await call()).body['failure']!['approval_request_id'] as never as string
  const read = async (bearer: string) => (await fixture.call('GET', `/svc/approval_requests/${id}`, { bearer })).body
  return { fixture, token, got, quote_id, call, id, read }
}

it('is on the trail once approved: who approved what for whom, at which price', async () => {
  const { fixture, token, id } = await start()
  await fixture.post('/svc/approval_grants', 'bob-key', { approval_request_id: id })
  const granted = (await fixture.trail(token)).find(({ entry_type }) => entry_type === 'approval_granted')
  expect(granted!['approval']).toMatchObject({
    requester: 'agent:planner',
    checked_cost: PRICE,
    quoted: [{ type: 'quote', price: PRICE }],
  })
  expect(entryLine(granted as never).replace(/^\S+ {2}\d+ {2}/u, '')).toBe(
    'ok  approval_granted  book  human:bob to agent:planner for human:ana  checked 150 EUR  quote of 150 EUR',
  )
})

it('is what was quoted, and every input that is not sensitive; the handler has them all', async () => {
  const { fixture, token, got, quote_id, call, id, read } = await start()
  const seen = await read('bob-key')
  expect([seen['requested_parameters'], seen['hidden'], seen['bound']]).toEqual([
    { quote_id, note: 'window' },
    ['iban'],
    [{ field: 'quote_id', type: 'quote', price: PRICE, data: { patient: 'M. K.', slot: 'Wed, 11:00' } }],
  ])
  const listed = await fixture.call('GET', '/svc/approval_requests?status=pending', { bearer: 'bob-key' })
  const denied = await fixture.post(`/svc/approval_requests/${id}/deny`, 'bob-key', { reason: 'Why?', holds: false })
  for (const body of [listed.body, denied.body, await fixture.trail(token)])
    expect(JSON.stringify(body)).not.toContain('DE89')
  await call()
  const again = (await call()).body['failure']!['approval_request_id'] as never as string
  await fixture.post('/svc/approval_grants', 'bob-key', { approval_request_id: again })
  await call()
  expect(got).toEqual([{ quote_id, note: 'window', iban: 'DE89' }])
})

it('is no input of a step that is filled from a sensitive one, and the trail has none either', async () => {
  const pay = capability({
    side_effect: { type: 'irreversible' },
    inputs: [input('to'), input('amount')],
    observability: { logged: true, fields_logged: ['to', 'amount'] },
    approval: { required: 'always', grant_policy: policy },
  })
  const trip = capability({
    kind: 'composed',
    side_effect: { type: 'irreversible' },
    inputs: [input('iban', { 'x-sensitive': true }), input('amount')],
    composition: composition([{ id: 'pay', capability: 'pay' }], { input_mapping: { pay: { to: '$.input.iban', amount: '$.input.amount' } } }),
  })
  const fixture = await startFixture({ capabilities: { pay, trip } })
  const { token } = await fixture.root({ subject: 'agent:planner' })
  const { body } = await fixture.invoke('trip', token, { parameters: { iban: 'DE89', amount: '7' }, approval: 'continue' })
  const path = `/svc/approval_requests/${body['failure']!['approval_request_id']}`
  const seen = (await fixture.call('GET', path, { bearer: 'bob-key' })).body
  expect([seen['step']!['parameters'], seen['hidden']]).toEqual([{ amount: '7' }, ['iban', 'to']])
  expect(JSON.stringify(await fixture.trail(token))).not.toContain('DE89')
}) // prettier-ignore

it('is the last request of its kind that the same person decided, while it is pending', async () => {
  const { fixture, call, id, read, quote_id } = await start()
  expect((await read('bob-key'))['context']!['last_decided']).toBeUndefined()
  await fixture.post(`/svc/approval_requests/${id}/deny`, 'bob-key', { reason: 'Why?', holds: false })
  await call()
  const next = (await call()).body['failure']!['approval_request_id'] as never as string
  const seen = async (bearer: string) =>
    (await fixture.call('GET', `/svc/approval_requests/${next}`, { bearer })).body['context']![
      'last_decided'
    ] as unknown
  const decided_at: unknown = (await read('bob-key'))['decided_at']
  expect(await seen('bob-key')).toEqual({
    approval_request_id: id,
    status: 'returned',
    decided_at,
    requested_parameters: { quote_id, note: 'window' },
    hidden: ['iban'],
    bound: [{ field: 'quote_id', type: 'quote', price: PRICE, data: { patient: 'M. K.', slot: 'Wed, 11:00' } }],
    checked_cost: PRICE,
  })
  await fixture.post('/svc/approval_grants', 'bob-key', { approval_request_id: next })
  expect(await seen('bob-key')).toBeUndefined()
})

it('is told to the requester as it was asked, without the data behind the quote', async () => {
  const { read, token, quote_id } = await start()
  const own = await read(token)
  expect([own['requested_parameters'], own['bound'], own['hidden']]).toEqual([{ quote_id, note: 'window', iban: 'DE89' }, undefined, undefined]) // prettier-ignore
})

it('says what the approved call came to, once it has run', async () => {
  const { fixture, call, id, read } = await start()
  const outcome = async () => (await read('bob-key'))['context']!['outcome'] as unknown
  await fixture.post('/svc/approval_grants', 'bob-key', { approval_request_id: id })
  expect(await outcome()).toBeUndefined()
  const { body } = await call()
  expect(await outcome()).toEqual({
    invocation_id: body['invocation_id'],
    success: true,
    failure_type: null,
    cost_actual: PRICE,
    timestamp: '2026-03-01T12:00:00.000Z',
  })
})
