/** The parts of `svc-kit/testing`: its clock, its principals, what a handler did, and what stays the test's own. */
import { expect, it, onTestFinished, vi } from 'vitest'
import { createClient } from '../../examples/travel/generated/client.js'
import { createService } from '../../examples/travel/generated/service.js'
import * as handlers from '../../examples/travel/src/handlers/index.js'
import * as previews from '../../examples/travel/src/previews.js'
import type { Approvals } from '../../src/client/index.js'
import type { Manifest } from '../../src/protocol/manifest.js'
import { openSqlite } from '../../src/runtime/storage/sqlite/index.js'
import { grantFor } from '../../src/runtime/testing/approvals.js'
import { testClock } from '../../src/runtime/testing/clock.js'
import { entitledAs, type TestPrincipal } from '../../src/runtime/testing/principals.js'
import { HandlerFailed, testContext, testService } from 'svc-kit/testing'

const NOON = '2030-01-01T12:00:00.000Z'

it.each<[string | number, string]>([
  [0, NOON],
  [1, '2030-01-01T12:00:00.001Z'],
  [1500, '2030-01-01T12:00:01.500Z'],
  ['PT0S', NOON],
  ['PT1.5S', '2030-01-01T12:00:01.500Z'],
  ['P1D', '2030-01-02T12:00:00.000Z'],
])('a clock that %j passes goes on to %s', (time, expected) => {
  const clock = testClock(NOON)
  clock.pass(time)
  expect(new Date(clock.now()).toISOString()).toBe(expected)
})

it.each(['noon', Number.NaN])('%j is no time for a clock to start at', (start) => {
  expect(() => testClock(start)).toThrow(`${start} is no time such as 2030-05-01T12:00:00Z.`)
})

const MANIFEST = {
  approvals: { approver_scope: 'desk.approve' },
  capabilities: {
    look: { minimum_scope: ['shop.read'] },
    pay: { minimum_scope: ['shop.read', 'shop.pay'], approval: { tiers: [{ approver_scope: 'desk.large' }] } },
    decide: { minimum_scope: ['desk.approve', 'approver:pay'] },
  },
} as unknown as Manifest

it.each<[string, TestPrincipal, readonly string[]]>([
  ['developer', 'human:ana', ['shop.read', 'shop.pay']],
  ['approver', 'human:bob', ['desk.approve', 'approver:look', 'approver:pay', 'approver:decide', 'desk.large']],
  ['agent', 'agent:assistant', []],
  ['till', 'service:till', ['shop.read', 'shop.pay']],
  ['approver', { principal: 'human:bob', scopes: ['approver:pay'] }, ['approver:pay']],
  ['developer', { principal: 'human:ana', scopes: [] }, []],
])('%s, who is %j, is entitled to %j', (name, given, scopes) => {
  expect(entitledAs(MANIFEST, name, given).scopes).toEqual(scopes)
})

it('a handler that fails says with what, and with which status', () => {
  const { context } = testContext()
  const fail = () => context.fail('sold_out', 'Nothing is left.', { left: 0 }, 409)
  expect(fail).toThrow(HandlerFailed)
  expect(fail).toThrow(expect.objectContaining({ type: 'sold_out', message: 'Nothing is left.', data: { left: 0 }, status: 409 }) as Error) // prettier-ignore
})

it('bindings are numbered as they are issued, and end as 2030 begins', async () => {
  const { context, issued } = testContext()
  const ids = [await context.bindings.issue({ type: 'quote' }), await context.bindings.issue({ type: 'seat' })]
  expect(ids).toEqual(['bnd_test_1', 'bnd_test_2'])
  expect(issued).toEqual([{ type: 'quote', binding_id: 'bnd_test_1' }, { type: 'seat', binding_id: 'bnd_test_2' }]) // prettier-ignore
  expect(context.bindings.validUntil('quote')).toBe('2030-01-01T00:00:00.000Z')
})

it('an approval is on the terms of the request, or on those that a test names, by one approver after the other', async () => {
  const granted: unknown[] = []
  const answering = (result: object): Approvals =>
    ({
      read: async () => ({ success: true, result: { grant_policy: { default_grant_type: 'one_time' } } }),
      grant: async (request: object) => (granted.push(request), { success: true, result }),
    }) as never
  const [pending, done] = [answering({ approvals: 1, approvals_needed: 2 }), answering({ grant_id: 'grt_1' })]
  expect(await grantFor([pending, done], 'apr_1', {})).toEqual({ grant_id: 'grt_1' })
  await grantFor([done], 'apr_2', { grant_type: 'session_bound', session_id: 'ses' })
  expect(granted).toEqual([
    { grant_type: 'one_time', approval_request_id: 'apr_1' },
    { grant_type: 'one_time', approval_request_id: 'apr_1' },
    { grant_type: 'session_bound', session_id: 'ses', approval_request_id: 'apr_2' },
  ])
  await expect(grantFor([pending], 'apr_1', {})).rejects.toThrow('1 of 2 have approved.')
})

const travel = { createService, createClient, handlers, previews, now: NOON }
const TO_BERLIN = { origin: 'LIS', destination: 'BER', date: '2030-05-01' }

it('the store goes by the clock of the test: a request that has expired is not approved', async () => {
  const service = await testService(travel)
  onTestFinished(() => service.close())
  const developer = await service.client('developer', { budget: { currency: 'EUR', max_amount: 500 } })
  const found = await developer.searchFlights(TO_BERLIN)
  const asked = await developer.bookFlight({ quote_id: (found.success && found.result.quote_id) as string, passengers: 1 }) // prettier-ignore
  service.clock.pass('P30D')
  await expect(service.approve(asked)).rejects.toThrow('approval_request_closed')
})

it('the store, the log and the credentials of a test are its own', async () => {
  const printed = vi.spyOn(console, 'error').mockReturnValue()
  onTestFinished(() => printed.mockRestore())
  const storage = await openSqlite({ file: ':memory:' })
  const errors: string[] = []
  const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: (message: string) => void errors.push(message) } // prettier-ignore
  const searchFlights = (): never => {
    throw new Error('no table of seats')
  }
  const authenticate = (bearer: string) => (bearer === 'key-of-eve' ? { principal: 'human:eve' as const } : undefined)
  const service = await testService({ ...travel, handlers: { ...handlers, searchFlights }, storage, log, authenticate })
  await (await service.client('developer')).searchFlights(TO_BERLIN)
  expect([errors, printed.mock.calls, service.logs]).toEqual([['An invocation failed.'], [], []])
  const tokens = (bearer: string) =>
    service.fetch(
      new Request('https://service.test/svc/tokens', {
        method: 'POST',
        headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
        body: '{"scope":["travel.search"]}',
      }),
    )
  expect([(await tokens('key-of-eve')).status, (await tokens('key-of-mallory')).status]).toEqual([200, 401])
  await service.close()
  expect(await storage.now()).toEqual(expect.any(Number))
  await storage.close()
})
