/** What entries of the trail add to what was spent under cumulative budgets: each says itself what it was charged. */
import { expect, it } from 'vitest'
import { spendingOf } from '../../src/crypto/trail/spending.js'
import type { JsonObject } from '../../src/protocol/manifest.js'

type Amount = readonly [number, string]
const money = ([amount, currency]: Amount) => ({ amount, currency })
const call = (invocation_id: string, more: JsonObject): JsonObject => ({ entry_type: 'invocation', invocation_id, delegation_chain: ['tok_r', 'tok_c'], ...more }) // prettier-ignore
const charged = (invocation_id: string, ...amount: Amount) => call(invocation_id, { cost_charged: money(amount) })
const held = (invocation_id: string, ...amount: Amount) => call(invocation_id, { cost_held: money(amount) })
/** What an operator found out: what a hold became, and how much it was. */
const resolved = (amount: Amount | undefined, kept: Amount | undefined): JsonObject => ({
  entry_type: 'operator_action',
  delegation_chain: ['tok_r'],
  operated: { name: 'invocation_resolved', target: { invocation_id: 'a' } },
  ...(amount && { cost_charged: money(amount) }),
  ...(kept && { cost_held: money(kept) }),
})

/** What each entry adds, as minor units and currency, under which tokens. */
function added(...entries: readonly JsonObject[]): readonly string[] {
  return entries.map((entry) => {
    const spending = spendingOf(entry)
    return spending === undefined ? 'nothing' : `${spending.units} ${spending.currency} ${spending.tokens.join('>')}`
  })
}

it.each<[string, readonly JsonObject[], readonly string[]]>([
  ['what was charged, under all its tokens', [charged('a', 3, 'EUR'), charged('b', 7, 'JPY')], ['300 EUR tok_r>tok_c', '7 JPY tok_r>tok_c']],
  ['nothing, where nothing was', [charged('a', 0, 'EUR')], ['0 EUR tok_r>tok_c']],
  ['nothing by what it cost: budgets may not have been charged that', [call('a', { cost_actual: money([3, 'EUR']), success: true })], ['nothing']],
  ['what budgets keep', [held('a', 3, 'EUR')], ['300 EUR tok_r>tok_c']],
  ['nothing of an amount that is none', [charged('a', 3, 'EURO'), charged('b', 0.001, 'EUR'), call('c', { cost_charged: 3 }), call('d', { cost_charged: { currency: 'EUR', amount: '3' } }), call('e', { cost_charged: { currency: ['EUR'], amount: 3 } }), call('f', { cost_charged: null })], ['nothing', 'nothing', 'nothing', 'nothing', 'nothing', 'nothing']],
  ['what budgets keep, whatever they were charged', [call('a', { cost_held: money([3, 'EUR']), cost_charged: money([5, 'EUR']) })], ['300 EUR tok_r>tok_c']],
  ['the difference, when somebody found out that it was less', [resolved([3, 'EUR'], [5, 'EUR'])], ['-200 EUR tok_r']],
  ['the difference, when somebody found out that it was more', [resolved([7, 'EUR'], [5, 'EUR'])], ['200 EUR tok_r']],
  ['nothing, where what was found out settled no hold', [resolved(undefined, [5, 'EUR']), resolved([5, 'EUR'], undefined)], ['nothing', 'nothing']],
  ['nothing, where what was found out is in another currency', [resolved([1, 'USD'], [5, 'EUR'])], ['nothing']],
])('an entry adds %s', (_, entries, expected) => {
  expect(added(...entries)).toEqual(expected)
}) // prettier-ignore
