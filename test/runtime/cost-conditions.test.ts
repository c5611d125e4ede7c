import { describe, expect, it } from 'vitest'
import type { ApprovalCondition } from '../../src/protocol/manifest.js'
import type { HandlerContext } from '../../src/runtime/index.js'
import { capability, input } from './fixture/manifest.js'
import { startFixture } from './fixture/service.js'

const grant_policy = { allowed_grant_types: ['one_time'], default_grant_type: 'one_time', expires_in_seconds: 900, max_uses: 1 } as const // prettier-ignore

async function start(condition: ApprovalCondition, max_age?: string) {
  const effects: unknown[] = []
  const fixture = await startFixture({
    capabilities: {
      quote: capability({
        inputs: [input('price', { type: 'number', required: false })],
        output: { type: 'quote', fields: [{ name: 'quote_id', type: 'string' }] },
      }),
      book: capability({
        inputs: [input('quote_id'), input('amount', { type: 'number' })],
        side_effect: { type: 'irreversible' },
        cost: { certainty: 'estimated', financial: { currency: 'EUR', range_max: 900 } },
        requires_binding: [
          { type: 'quote', field: 'quote_id', source_capability: 'quote', ...(max_age && { max_age }) },
        ],
        approval: { required: { when: [condition] }, grant_policy },
      }),
    },
    handlers: {
      quote: async ({ price }: { price?: number }, { bindings }: HandlerContext) => ({
        quote_id: await bindings.issue({ type: 'quote', ...(price !== undefined && { price: { currency: 'EUR', amount: price } }) }), // prettier-ignore
      }),
      book: (given: unknown) => (effects.push(given), {}),
    },
  })
  const { token } = await fixture.root({ subject: 'agent:planner' })
  const book = async (price: number | undefined, amount: number) => {
    const quote = await fixture.invoke('quote', token, { parameters: price === undefined ? {} : { price } })
    const { quote_id } = quote.body['result'] as { quote_id?: unknown }
    const body = { parameters: { quote_id, amount }, approval: 'continue' }
    return { body, reply: await fixture.invoke('book', token, body) }
  }
  return { fixture, token, book, effects }
}

describe('a condition on cost', () => {
  it.each([
    [500, 1, 200, undefined],
    [500, 10_000, 200, undefined],
    [500.01, 1, 403, 'approval_required'],
    [undefined, 1, 403, 'approval_required'],
  ])('compares a quote of %s, whatever the caller says (%s)', async (price, amount, status, type) => {
    const { book } = await start({ cost: { above: 500 } })
    const { reply } = await book(price, amount)
    expect([reply.status, reply.body['failure']?.['type']]).toEqual([status, type])
  })

  it('lets the approved call through, once', async () => {
    const { fixture, token, book, effects } = await start({ cost: { at_least: 500 } })
    const { body, reply } = await book(500, 1)
    const approval_request_id = reply.body['failure']?.['approval_request_id']
    await fixture.post('/svc/approval_grants', 'bob-key', { approval_request_id, grant_type: 'one_time' })
    expect((await fixture.invoke('book', token, body)).status).toBe(200)
    expect((await fixture.invoke('book', token, body)).status).toBe(403)
    expect(effects).toHaveLength(1)
  })
})

it('a request ends when the binding of its call grows too old, since what is approved later could not run', async () => {
  const { fixture, book } = await start({ cost: { at_least: 500 } }, 'PT15M')
  const { reply } = await book(500, 1)
  const approval_request_id = reply.body['failure']?.['approval_request_id']
  const request = await fixture.storage.approvals.get(String(approval_request_id))
  expect(request?.expires_at).toBe('2026-03-01T12:15:00.000Z')
  fixture.time.now += 15 * 60_000 + 1
  const late = await fixture.post('/svc/approval_grants', 'bob-key', { approval_request_id, grant_type: 'one_time' })
  expect(late.body['failure']).toMatchObject({ type: 'approval_request_closed' })
})

it.each([
  ['PT23H59M', '2026-03-02T11:59:00.000Z'],
  ['PT24H', '2026-03-02T12:00:00.000Z'],
  ['PT24H1M', '2026-03-02T12:00:00.000Z'],
  ['P30D', '2026-03-02T12:00:00.000Z'],
  [undefined, '2026-03-02T12:00:00.000Z'],
])('where a request lasts PT24H, that for a quote taken for %s ends at %s', async (max_age, end) => {
  const { fixture, book } = await start({ cost: { at_least: 500 } }, max_age)
  const { reply } = await book(500, 1)
  const approval_request_id = reply.body['failure']?.['approval_request_id']
  const read = await fixture.call('GET', `/svc/approval_requests/${approval_request_id}`, { bearer: 'bob-key' })
  expect(read.body['expires_at']).toBe(end)
  fixture.time.now = Date.parse(end)
  const late = await fixture.post('/svc/approval_grants', 'bob-key', { approval_request_id, grant_type: 'one_time' })
  expect([late.status, late.body['failure']?.['type']]).toEqual([409, 'approval_request_closed'])
})
