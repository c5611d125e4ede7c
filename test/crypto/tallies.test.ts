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
const euros = (amount: number, more: JsonObject = {}) => call({ cost_charged: { currency: 'EUR', amount }, ...more })
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
  ['ended by a failure of another kind', about('integrity_failure', { failure_type: 'invalid_token', approval_grant_id: 'grt_1' }), false],
  ['of another request', about('approval_withdrawn', { approval_request_id: 'apr_2' }), false],
  ['of another grant', about('grant_revoked', { approval_grant_id: 'grt_2' }), false],
  ['what is no entry', { entry_type: 'constructor' }, false],
])('knows whether a grant was %s', (_, entry, expected) => {
  expect(after(granted, entry).grants.get('grt_1')?.isRevoked).toBe(expected)
}) // prettier-ignore

it('adds up what was charged under each token of a chain, by currency', () => {
  const { tokens } = after(euros(1), euros(5), call({ cost_charged: { currency: 'JPY', amount: 7 } }))
  for (const id of ['tok_r', 'tok_c'])
    expect(tokens.get(id)).toMatchObject({ spent: new Map([['EUR', 600n], ['JPY', 7n]]), isRevoked: false, resolved: 0 }) // prettier-ignore
  expect(tokens.size).toBe(2)
})

it.each<[string, JsonObject]>([
  ['failed', { success: false, failure_type: 'internal_error' }],
  ['cost more than was checked', { cost_exceeded: true }],
  ['names another as its parent', { parent_invocation_id: 'inv-1' }],
])('counts what was charged for a call that %s', (_, more) => {
  const other = euros(1, { invocation_id: 'inv-1' })
  expect(after(other, euros(5, { invocation_id: 'inv-2', ...more }), other).tokens.get('tok_c')?.spent.get('EUR')).toBe(700n)
}) // prettier-ignore

it('counts nothing of what was refused, or cost money under no cumulative budget', () => {
  const refused = call({ success: false, failure_type: 'budget_exceeded' })
  expect(after(refused, call({ cost_actual: { currency: 'EUR', amount: 5 } })).tokens.size).toBe(0)
})

it('knows tokens that were revoked, or ended for their counters, and no other', () => {
  const { tokens } = after(
    about('token_revoked', { token_id: 'tok_a' }),
    about('integrity_failure', { token_id: 'tok_b', failure_type: 'token_revoked' }),
    about('integrity_failure', { token_id: 'tok_c', failure_type: 'invalid_token' }),
  )
  expect([...tokens].map(([id, { isRevoked }]) => [id, isRevoked])).toEqual([['tok_a', true], ['tok_b', true]]) // prettier-ignore
})

it('knows tokens that an operator ended, whose root principal another entry says', () => {
  const ended = { root_principal: 'human:op', operated: { name: 'tokens_revoked', token_ids: ['tok_r', 'tok_s', 7] } }
  const known = after(about('operator_action', ended), about('operator_action', { operated: { name: 'block_lifted' } }))
  const all = () => [...known.tokens].map(([id, { isRevoked, rootPrincipal }]) => [id, isRevoked, rootPrincipal])
  expect(all()).toEqual([['tok_r', true, undefined], ['tok_s', true, undefined]]) // prettier-ignore
  const one = { operated: { name: 'tokens_revoked', target: { token_id: 'tok_q' } } }
  expect(after(about('operator_action', one)).tokens.get('tok_q')?.isRevoked).toBe(true)
  const lifted = { operated: { name: 'block_lifted', target: { token_id: 'tok_q' } } }
  const none = [about('operator_action', lifted), about('invocation', { operated: { token_ids: ['tok_q'] } })]
  expect(after(...none).tokens.size).toBe(0)
  known.note(about('token_revoked', { token_id: 'tok_s' }))
  expect(all()).toEqual([['tok_r', true, undefined], ['tok_s', true, 'human:ana']]) // prettier-ignore
})

it('forgets what nothing has touched since a time, and its request with it', () => {
  const known = after(granted, euros(1), used({ timestamp: '2026-01-01T12:00:01.000Z' }))
  known.forgetBefore(Date.parse(AT) + 1)
  expect([[...known.tokens.keys()], [...known.grants.keys()]]).toEqual([[], ['grt_1']])
  known.forgetBefore(Date.parse(AT) + 1001)
  known.note(about('approval_withdrawn', { approval_request_id: 'apr_1' }))
  expect(known.grants.size).toBe(0)
})

const held = (amount: number, more: JsonObject = {}) =>
  call({ success: false, failure_type: 'outcome_unknown', cost_held: { currency: 'EUR', amount }, ...more })
const resolved = (amount: number | undefined, more: JsonObject = {}): JsonObject =>
  about('operator_action', {
    delegation_chain: ['tok_r', 'tok_c'],
    operated: { name: 'invocation_resolved', target: { invocation_id: 'inv-1' } },
    ...(amount !== undefined && {
      cost_charged: { currency: 'EUR', amount },
      cost_held: { currency: 'EUR', amount: 5 },
    }),
    ...more,
  })

it.each<[string, readonly JsonObject[], bigint, number]>([
  ['all that budgets keep', [held(5)], 500n, 0],
  ['all that budgets keep, where more was reported', [held(5, { cost_actual: { currency: 'EUR', amount: 7 }, cost_exceeded: true })], 500n, 0],
  ['all that budgets keep, where a step ended the whole', [held(5, { failure_type: 'composition_child_failed' })], 500n, 0],
  ['what somebody found out in its place', [held(5), resolved(4)], 400n, 1],
  ['more, where somebody found out more', [held(5), resolved(9, { cost_exceeded: true })], 900n, 1],
  ['nothing any more, where nothing happened', [held(5), resolved(0)], 0n, 1],
  ['all that budgets keep, where what was found out settled nothing', [held(5), resolved(4, { cost_held: { currency: 'USD', amount: 5 } })], 500n, 1],
  ['all that budgets keep, where an operator did something else', [held(5), resolved(undefined)], 500n, 0],
])('an outcome that nobody knows counts %s', (_, entries, units, times) => {
  expect(after(...entries).tokens.get('tok_r')).toMatchObject({ spent: new Map([['EUR', units]]), resolved: times })
}) // prettier-ignore

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
