import { expect, it } from 'vitest'
import { tallies } from '../../src/crypto/trail/tallies.js'
import type { JsonObject } from '../../src/protocol/manifest.js'

const AT = '2026-01-01T12:00:00.000Z'
const call = (more: JsonObject = {}): JsonObject => ({
  entry_type: 'invocation', invocation_id: 'inv-1', capability: 'book', root_principal: 'human:ana', success: true, failure_type: null,
  delegation_chain: ['tok_r', 'tok_c'], approval_grant_id: null, parent_invocation_id: null, cost_actual: null, timestamp: AT, ...more,
}) // prettier-ignore
const granted: JsonObject = { entry_type: 'approval_granted', approval_grant_id: 'grt_1', approval_request_id: 'apr_1', capability: 'book', root_principal: 'human:ana', timestamp: AT } // prettier-ignore
const used = (more: JsonObject = {}) => call({ approval_grant_id: 'grt_1', ...more })
const euros = (amount: number, more: JsonObject = {}) => call({ cost_actual: { currency: 'EUR', amount }, ...more })
const about = (entry_type: string, more: JsonObject): JsonObject => ({ entry_type, root_principal: 'human:ana', timestamp: AT, ...more }) // prettier-ignore

function after(...entries: readonly JsonObject[]) {
  const known = tallies()
  for (const entry of entries) known.note(entry)
  return known
}

it.each<[string, readonly JsonObject[], number]>([
  ['each use', [used(), used()], 2],
  ['one whose outcome is unknown', [used({ success: false, failure_type: 'outcome_unknown' })], 1],
  ['none that was refused', [used({ success: false, failure_type: 'approval_grant_invalid' })], 0],
  ['none of a step that stands under it', [used({ capability: 'pay' })], 0],
  ['none of another grant', [used({ approval_grant_id: 'grt_2' })], 0],
])('of a grant counts %s', (_, entries, uses) => {
  const grant = after(granted, ...entries).grants.get('grt_1')
  expect(grant).toEqual({ rootPrincipal: 'human:ana', requestId: 'apr_1', capability: 'book', uses, isRevoked: false, at: Date.parse(AT) }) // prettier-ignore
})

it.each<[string, JsonObject, boolean]>([
  ['taken back', about('grant_revoked', { approval_grant_id: 'grt_1' }), true],
  ['withdrawn', about('approval_withdrawn', { approval_request_id: 'apr_1' }), true],
  ['ended for its counters', about('integrity_failure', { failure_type: 'approval_grant_invalid', approval_grant_id: 'grt_1' }), true],
  ['of another request', about('approval_withdrawn', { approval_request_id: 'apr_2' }), false],
  ['of another grant', about('grant_revoked', { approval_grant_id: 'grt_2' }), false],
  ['what is no entry', { entry_type: 'constructor' }, false],
])('knows whether a grant was %s', (_, entry, expected) => {
  expect(after(granted, entry).grants.get('grt_1')?.isRevoked).toBe(expected)
}) // prettier-ignore

it('adds up what was spent under each token of a chain, by currency, steps and whole once', () => {
  const step = euros(3, { invocation_id: 'inv-2', parent_invocation_id: 'inv-1' })
  const { tokens } = after(euros(1, { invocation_id: 'inv-0' }), step, euros(5), call({ cost_actual: { currency: 'JPY', amount: 7 } })) // prettier-ignore
  for (const id of ['tok_r', 'tok_c'])
    expect(tokens.get(id)).toMatchObject({ spent: new Map([['EUR', 600n], ['JPY', 7n]]), isRevoked: false }) // prettier-ignore
  expect(tokens.size).toBe(2)
})

it('counts nothing that was refused, or reported beyond what was checked', () => {
  const refused = euros(5, { success: false, failure_type: 'budget_exceeded' })
  expect(after(refused, euros(5, { cost_exceeded: true })).tokens.size).toBe(0)
})

it('knows tokens that were revoked, or ended for their counters, and no other', () => {
  const { tokens } = after(
    about('token_revoked', { token_id: 'tok_a' }),
    about('integrity_failure', { token_id: 'tok_b', failure_type: 'token_revoked' }),
    about('integrity_failure', { token_id: 'tok_c', failure_type: 'invalid_token' }),
  )
  expect([...tokens].map(([id, { isRevoked }]) => [id, isRevoked])).toEqual([['tok_a', true], ['tok_b', true]]) // prettier-ignore
})

it('forgets what nothing has touched since a time, and its request with it', () => {
  const known = after(granted, euros(1), used({ timestamp: '2026-01-01T12:00:01.000Z' }))
  known.forgetBefore(Date.parse(AT) + 1)
  expect([[...known.tokens.keys()], [...known.grants.keys()]]).toEqual([[], ['grt_1']])
  known.forgetBefore(Date.parse(AT) + 1001)
  known.note(about('approval_withdrawn', { approval_request_id: 'apr_1' }))
  expect(known.grants.size).toBe(0)
})

const resolved = (amount: number | undefined, more: JsonObject = {}, currency = 'EUR'): JsonObject =>
  about('operator_action', {
    delegation_chain: ['tok_r', 'tok_c'],
    operated: {
      name: 'invocation_resolved',
      target: { invocation_id: 'inv-1' },
      happened: true,
      ...(amount !== undefined && { cost: { currency, amount } }),
    },
    ...more,
  })
const lost = { success: false, failure_type: 'outcome_unknown' }

it.each<[string, readonly JsonObject[], bigint | undefined]>([
  ['its amount, where nobody knew one', [call(lost), resolved(4)], 400n],
  ['its amount in place of what was reported', [euros(5, lost), resolved(4)], 400n],
  ['nothing any more, where nothing happened', [euros(5, lost), resolved(0)], 0n],
  ['what was reported, where it says no amount', [euros(5, lost), resolved(undefined)], 500n],
  ['its amount once, though it is said twice', [call(lost), resolved(4), resolved(4)], 400n],
  ['what was reported, where it exceeded what was held', [euros(5, lost), resolved(9, { cost_exceeded: true })], 500n],
  ['what was reported, where it is in another currency', [euros(5, lost), resolved(4, {}, 'USD')], 500n],
  ['nothing of a call whose outcome was known', [euros(5), resolved(9)], 500n],
  ['nothing of a call that is not there', [resolved(9)], undefined],
  ['its amount in place of what its steps have spent', [euros(3, { invocation_id: 'inv-2', parent_invocation_id: 'inv-1' }), call(lost), resolved(4)], 400n],
  ['nothing, where an operator did something else', [call(lost), resolved(4, { operated: { name: 'tokens_revoked', target: { invocation_id: 'inv-1' }, cost: { currency: 'EUR', amount: 4 } } })], undefined],
])('an outcome that somebody found out counts %s', (_, entries, units) => {
  expect(after(...entries).tokens.get('tok_r')?.spent.get('EUR')).toBe(units)
}) // prettier-ignore

it('an outcome that somebody found out in another currency changes no sum in either', () => {
  const { spent } = after(euros(5, lost), resolved(4, {}, 'USD')).tokens.get('tok_r')!
  expect(spent).toEqual(new Map([['EUR', 500n]]))
})

it('a step counts once, whichever of two compositions of one id comes after it', () => {
  const step = euros(3, { invocation_id: 'inv-2', parent_invocation_id: 'inv-1' })
  expect(after(step, euros(5), euros(5)).tokens.get('tok_r')?.spent.get('EUR')).toBe(1000n)
})

it.each(['grant_revoked', 'approval_withdrawn'])('a grant is known as ended, by %s, for as long as if it had been used', (entry_type) => {
  const known = after(granted, { ...granted, entry_type, timestamp: '2026-01-01T12:00:01.000Z' })
  known.forgetBefore(Date.parse(AT) + 1000)
  expect(known.grants.get('grt_1')?.isRevoked).toBe(true)
  known.forgetBefore(Date.parse(AT) + 1001)
  expect(known.grants.size).toBe(0)
}) // prettier-ignore

it('a token is kept for as long as anything is spent below it', () => {
  const known = after(euros(1), euros(1, { timestamp: '2026-01-01T12:00:01.000Z' }))
  known.forgetBefore(Date.parse(AT) + 1000)
  expect([...known.tokens.keys()]).toEqual(['tok_r', 'tok_c'])
  known.forgetBefore(Date.parse(AT) + 1001)
  expect([...known.tokens.keys()]).toEqual([])
})
