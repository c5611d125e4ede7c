import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { createClient } from '../../examples/travel/generated/client.js'
import type { BookFlightContext, SearchFlightsContext } from '../../examples/travel/generated/handlers.js'
import { createService, type ServiceOptions } from '../../examples/travel/generated/service.js'
import * as handlers from '../../examples/travel/src/handlers/index.js'
import * as previews from '../../examples/travel/src/previews.js'
import { ApprovalAsked, HandlerFailed, testContext, testService } from 'svc-kit/testing'
import type { HandlerContext } from 'svc-kit/runtime'

/** The example's handlers keep their bookings below the folder that they run in. */
const home = process.cwd()
const folder = mkdtempSync(join(tmpdir(), 'svc-testing-'))
beforeAll(() => process.chdir(folder))
afterAll(() => {
  process.chdir(home)
  rmSync(folder, { recursive: true })
})

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of open.splice(0)) await each.close()
})

const start = async (now?: string) => {
  const travel = await testService({ createService, createClient, handlers, previews, ...(now && { now }) })
  open.push(travel)
  return travel
}

const TO_BERLIN = { origin: 'LIS', destination: 'BER', date: '2030-05-01' }

const BUDGET = { budget: { currency: 'EUR', max_amount: 500 } }

describe('testService', () => {
  it('lets the hook of generated code look up bindings that were issued elsewhere', async () => {
    const asked: unknown[] = []
    const resolveBinding: NonNullable<ServiceOptions['resolveBinding']> = ({ capability, id, type }) => {
      asked.push([capability, type, id])
      return id === 'partner-7'
        ? {
            binding_id: id,
            type,
            price: { currency: 'EUR', amount: 90 },
            issued_at: Date.parse('2030-04-01T12:00:00Z'),
          }
        : undefined
    }
    const now = '2030-04-01T12:00:00Z'
    const travel = await testService({ createService, createClient, handlers, previews, now, resolveBinding })
    open.push(travel)
    const developer = await travel.client('developer', BUDGET)
    const call = (quote_id: string) => developer.bookFlight({ quote_id, passengers: 1 })
    expect(await call('partner-7')).toMatchObject({ failure: { type: 'approval_required' } })
    expect(await call('partner-8')).toMatchObject({ failure: { type: 'binding_stale' } })
    expect(asked).toEqual([
      ['book_flight', 'flight_quote', 'partner-7'],
      ['book_flight', 'flight_quote', 'partner-8'],
    ])
  })

  it('lets a test book within a budget, after an approval', async () => {
    const travel = await start()
    const developer = await travel.client('developer')
    const delegation = await developer.delegate({
      subject: 'agent:assistant',
      scope: ['travel.search', 'travel.book'],
      budget: { currency: 'EUR', max_amount: 200 },
    })
    if (!delegation.success) throw new Error(delegation.failure.detail)
    const agent = delegation.client
    const found = await agent.searchFlights(TO_BERLIN)
    const quote_id = (found.success && found.result.quote_id) as string
    const asked = await agent.bookFlight({ quote_id, passengers: 1 })
    expect(asked).toMatchObject({ success: false, failure: { type: 'approval_required' } })
    const { grant_id, approver } = await travel.approve(asked)
    expect(approver).toBe('human:approver@localhost')
    const booked = await agent.bookFlight({ quote_id, passengers: 1 }, { approval_grant: grant_id })
    expect(booked).toMatchObject({ success: true, budget_context: { budget_max: 200 } })
    const trail = await developer.audit({ capability: 'book_flight' })
    expect(trail.success && trail.result.entries.map(({ success, actor_key }) => [success, actor_key])).toContainEqual([
      true,
      'agent:assistant',
    ])
  })

  it('stands still in time until it is moved', async () => {
    const travel = await start('2030-01-01T12:00:00Z')
    const developer = await travel.client('developer', { ttl_hours: 1 })
    expect((await developer.getDestination({ airport: 'BER' })).success).toBe(true)
    travel.clock.pass('PT1H1M')
    expect(await developer.getDestination({ airport: 'BER' })).toMatchObject({ failure: { type: 'token_expired' } })
    expect(new Date(travel.clock.now()).toISOString()).toBe('2030-01-01T13:01:00.000Z')
    expect(() => travel.clock.pass('1 hour')).toThrow('1 hour is no time to pass')
    expect(() => travel.clock.pass(-1)).toThrow('-1 is no time to pass')
  })

  it('denies with a reason, and refuses to decide where there is nothing to decide', async () => {
    const travel = await start()
    const developer = await travel.client('developer', BUDGET)
    const found = await developer.searchFlights(TO_BERLIN)
    const quote_id = (found.success && found.result.quote_id) as string
    const asked = await developer.bookFlight({ quote_id, passengers: 1 })
    expect(await travel.deny(asked, { reason: 'Take the train.' })).toMatchObject({
      status: 'denied',
      reason: 'Take the train.',
    })
    await expect(travel.approve(asked)).rejects.toThrow('denied')
    await expect(travel.approve(found)).rejects.toThrow('There is nothing to decide: the call ended with "success".')
    await expect(travel.approve('apr_none')).rejects.toThrow(/not_found|unknown|approval/u)
  })

  it('lets nobody approve for itself, as the service does not', async () => {
    const travel = await start()
    const developer = await travel.client('developer', BUDGET)
    const found = await developer.searchFlights(TO_BERLIN)
    const quote_id = (found.success && found.result.quote_id) as string
    const asked = await developer.bookFlight({ quote_id, passengers: 1 })
    await expect(travel.approve(asked, { as: 'developer' })).rejects.toThrow('approver_not_authorized')
  })

  it('knows principals of the test’s own, and what they are entitled to', async () => {
    const travel = await testService({
      createService,
      createClient,
      handlers,
      previews,
      principals: { ana: { principal: 'human:ana', scopes: ['travel.search'] }, bot: 'agent:bot' },
    })
    open.push(travel)
    const ana = await travel.client('ana')
    expect(await ana.permissions()).toMatchObject({ result: { restricted: [{ capability: 'book_flight' }, {}] } })
    await expect(travel.client('ana', { scope: ['travel.book'] })).rejects.toThrow('scope_escalation')
    await expect(travel.client('bot')).rejects.toThrow('bot is entitled to no scope. Delegate to it')
    // @ts-expect-error the names of principals are known
    await expect(async () => travel.client('eve')).rejects.toThrow(
      'no principal "eve" in this test; there are ana, bot.',
    )
  })

  it('answers requests of a test’s own, and keeps what the service logs', async () => {
    const travel = await start()
    const answer = await travel.fetch(
      new Request('http://service.test/svc/tokens', {
        method: 'POST',
        headers: { authorization: `Bearer ${travel.credential('developer')}`, 'content-type': 'application/json' },
        body: '{"scope": ["travel.search"]}',
      }),
    )
    expect(await answer.json()).toMatchObject({ issued: true, scope: ['travel.search'] })
    const refused = await travel.fetch(new Request('http://service.test/svc/permissions', { method: 'POST' }))
    expect(refused.status).toBe(401)
    expect(Array.isArray(travel.logs)).toBe(true)
  })

  it('prints what a handler threw, which its caller is not told', async () => {
    const printed = vi.spyOn(console, 'error').mockReturnValue()
    const broken = (): never => {
      throw new Error('no table of seats')
    }
    const travel = await testService({ createService, createClient, handlers: { ...handlers, searchFlights: broken }, previews }) // prettier-ignore
    open.push(travel)
    const outcome = await (await travel.client('developer')).searchFlights(TO_BERLIN)
    expect(JSON.stringify(outcome)).not.toContain('no table of seats')
    expect(printed.mock.calls).toMatchObject([
      ['An invocation failed.', { error: expect.stringContaining('no table of seats') }],
    ])
    printed.mockRestore()
  })

  it('keeps services apart: a token of one is none of another', async () => {
    const [one, two] = [await start(), await start()]
    const issued = await one.signedIn('developer').delegate({ scope: ['travel.search'] })
    const token = issued.success ? issued.token.token : ''
    const answer = await two.fetch(
      new Request('http://service.test/svc/permissions', {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
      }),
    )
    expect(answer.status).toBe(401)
  })
})

describe('testContext', () => {
  it('calls a single handler, and shows what it did', async () => {
    const { context, issued, cost } = testContext<SearchFlightsContext>()
    const { flights } = await handlers.searchFlights({ ...TO_BERLIN, cabin: 'economy', passengers: 2 }, context)
    expect(issued.map(({ type, binding_id }) => [type, binding_id])[0]).toEqual(['flight_quote', 'bnd_test_1'])
    expect(flights).toHaveLength(issued.length)
    expect(cost()).toBeUndefined()
  })

  it('gives bindings, keeps the cost, and throws what the handler fails with', async () => {
    const price = { currency: 'EUR', amount: 90 }
    const bound = (passengers: number) => ({
      quote_id: { binding_id: 'bnd_1', type: 'flight_quote', price, data: { flight: 'TP534', passengers } },
    })
    const { context, cost } = testContext<BookFlightContext>({ bound: bound(1) })
    expect(handlers.bookFlight({ quote_id: 'bnd_1', passengers: 1 }, context)).toMatchObject({ flight: 'TP534', price })
    expect(cost()).toEqual(price)
    const other = testContext<BookFlightContext>({ bound: bound(2), principal: 'agent:bot' })
    expect(other.context.principal).toBe('agent:bot')
    expect(() => handlers.bookFlight({ quote_id: 'bnd_1', passengers: 1 }, other.context)).toThrow(HandlerFailed)
    expect(() => handlers.bookFlight({ quote_id: 'bnd_1', passengers: 1 }, other.context)).toThrow(
      expect.objectContaining({ type: 'quote_mismatch' }) as Error,
    )
  })

  it('keeps the last cost that is reported, as the service does', () => {
    const { context, cost } = testContext()
    for (const amount of [10, 12]) context.cost.report({ currency: 'EUR', amount })
    expect(cost()).toEqual({ currency: 'EUR', amount: 12 })
  })

  it('asks for an approval, once', async () => {
    const { context, progress, logs } = testContext()
    expect(() => context.approvalRequired({ amount: 5 })).toThrow(ApprovalAsked)
    await context.progress({ done: 1 })
    context.log.warn('slow', { ms: 5 })
    expect([progress, logs]).toEqual([[{ done: 1 }], [{ level: 'warn', message: 'slow', fields: { ms: 5 } }]])
    const approved = testContext<HandlerContext>({ approval: { approval_request_id: 'apr_1', grant_id: 'grt_1' } })
    expect(() => approved.context.approvalRequired()).not.toThrow()
  })
})
