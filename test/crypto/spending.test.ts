/** What entries of the trail add to what was spent: each amount once, whichever entries are about it. */
import { describe, expect, it } from 'vitest'
import { spendings } from '../../src/crypto/trail/spending.js'
import type { JsonObject } from '../../src/protocol/manifest.js'

const call = (invocation_id: string, cost: readonly [number, string] | undefined, more: JsonObject = {}): JsonObject => ({
  entry_type: 'invocation', invocation_id, delegation_chain: ['tok_r'], success: true, failure_type: null, parent_invocation_id: null,
  cost_actual: cost === undefined ? null : { amount: cost[0], currency: cost[1] }, ...more,
}) // prettier-ignore
const stepOf = (parent_invocation_id: string, amount: number, currency = 'EUR') =>
  call(`${parent_invocation_id}-step`, [amount, currency], { parent_invocation_id })
const UNKNOWN = { success: false, failure_type: 'outcome_unknown' }
const resolved = (invocation_id: string, amount: number, currency = 'EUR'): JsonObject => ({
  entry_type: 'operator_action',
  delegation_chain: ['tok_r'],
  operated: { name: 'invocation_resolved', target: { invocation_id }, cost: { amount, currency } },
})

/** What each entry adds, as minor units and currency. */
function added(...entries: readonly JsonObject[]): readonly string[] {
  const spendingOf = spendings()
  return entries.map((entry) => {
    const spending = spendingOf(entry)
    return spending === undefined ? 'nothing' : `${spending.units} ${spending.currency}`
  })
}

describe('a composition adds what its steps have not', () => {
  it.each<[string, readonly JsonObject[], readonly string[]]>([
    ['of one', [stepOf('a', 3), call('a', [5, 'EUR'])], ['300 EUR', '200 EUR']],
    ['of two', [stepOf('a', 1), stepOf('a', 2), call('a', [5, 'EUR'])], ['100 EUR', '200 EUR', '200 EUR']],
    ['in its currency', [stepOf('a', 3), call('a', [5, 'USD'])], ['300 EUR', '500 USD']],
    ['in the currency of the last', [stepOf('a', 3), stepOf('a', 4, 'USD'), call('a', [5, 'USD'])], ['300 EUR', '400 USD', '100 USD']],
    ['of another composition', [stepOf('a', 3), call('b', [5, 'EUR'])], ['300 EUR', '500 EUR']],
    ['once, though it has two entries', [stepOf('a', 3), call('a', [5, 'EUR']), call('a', [5, 'EUR'])], ['300 EUR', '200 EUR', '500 EUR']],
    ['once, though it failed first', [stepOf('a', 3), call('a', undefined, { success: false, failure_type: 'composition_child_failed' }), call('a', [5, 'EUR'])], ['300 EUR', 'nothing', '500 EUR']],
  ])('%s', (_, entries, expected) => {
    expect(added(...entries)).toEqual(expected)
  }) // prettier-ignore
})

describe('what somebody found out adds what had not counted', () => {
  it.each<[string, readonly JsonObject[], readonly string[]]>([
    ['to what was reported', [call('a', [5, 'EUR'], UNKNOWN), resolved('a', 7)], ['500 EUR', '200 EUR']],
    ['to what its steps cost', [stepOf('a', 3), call('a', undefined, UNKNOWN), resolved('a', 7)], ['300 EUR', 'nothing', '400 EUR']],
    ['where nothing was known, in any currency', [call('a', undefined, UNKNOWN), resolved('a', 7, 'USD')], ['nothing', '700 USD']],
    ['and nothing where what was reported is beyond what was checked', [call('a', [5, 'EUR'], { ...UNKNOWN, cost_exceeded: true }), resolved('a', 4)], ['nothing', 'nothing']],
    ['and nothing in another currency', [call('a', [5, 'EUR'], UNKNOWN), resolved('a', 7, 'USD')], ['500 EUR', 'nothing']],
    ['and once', [call('a', [5, 'EUR'], UNKNOWN), resolved('a', 7), resolved('a', 7)], ['500 EUR', '200 EUR', 'nothing']],
  ])('%s', (_, entries, expected) => {
    expect(added(...entries)).toEqual(expected)
  }) // prettier-ignore
})

/** One more than are remembered: the first is forgotten, and no other. */
const MANY = Array.from({ length: 100_001 }, (_, nth) => `inv-${nth}`)

it('remembers 100,000 compositions that have no entry yet', () => {
  const all = MANY.map((id) => stepOf(id, 1))
  expect(added(...all, call('inv-1', [1, 'EUR']), call('inv-0', [1, 'EUR'])).slice(-2)).toEqual(['0 EUR', '100 EUR'])
})

it('remembers 100,000 invocations whose outcome is unknown', () => {
  const all = MANY.map((id) => call(id, [1, 'EUR'], UNKNOWN))
  expect(added(...all, resolved('inv-1', 3), resolved('inv-0', 3)).slice(-2)).toEqual(['200 EUR', 'nothing'])
})
