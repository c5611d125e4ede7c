/** What the console says of an entry of the trail: what was done, about what, how it ended, and which check said no. */
import { expect, it } from 'vitest'
import { CHECK_GROUPS, checkOf, placeOf } from '../../src/console/app/words/checks.js'
import { aboutOf, actorOf, forWhom, titleOf } from '../../src/console/app/words/entry.js'
import { causeOf, outcomeOf } from '../../src/console/app/words/outcome.js'
import { hasOutcome } from '../../src/console/entry-outcome.js'
import type { AnsweredEntry, EntryType } from '../../src/protocol/audit.js'
import { pausedDetail } from '../../src/protocol/operator.js'
import { FAILURES, type FailureType } from '../../src/protocol/failures.js'
import { entry } from './entries.js'

it.each<[EntryType, string, string, string]>([
  ['invocation', 'book', 'done', 'Done'],
  ['token_issued', 'Token issued', 'done', 'Issued'],
  ['token_revoked', 'Token revoked', 'neutral', 'Revoked'],
  ['approval_requested', 'Approval requested', 'waiting', 'Waiting'],
  ['approval_given', 'Approval', 'waiting', 'One of several'],
  ['approval_granted', 'Approval', 'approve', 'Approved'],
  ['approval_denied', 'Approval', 'denied', 'Denied'],
  ['approval_returned', 'Approval', 'neutral', 'Sent back'],
  ['approval_withdrawn', 'Approval withdrawn', 'neutral', 'Withdrawn'],
  ['grant_revoked', 'Approval ended', 'neutral', 'Revoked'],
  ['integrity_failure', 'The trail was altered', 'failed', 'Alarm'],
  ['erasure', 'Entries erased', 'neutral', 'Erased'],
  ['refusals', 'Calls refused', 'refused', 'Refused'],
  ['operator_action', 'Operator', 'done', 'Done'],
])('an entry of the type %s is called "%s", and shown as %s: %s', (entry_type, title, is, word) => {
  const shown = entry(1, { entry_type })
  expect([titleOf(shown), outcomeOf(shown)]).toMatchObject([title, { is, word }])
})

it.each([
  [null, 'A call'],
  ['b'.repeat(80), 'b'.repeat(80)],
  ['b'.repeat(81), `${'b'.repeat(79)}…`],
])('a call of %s is called %s', (capability, title) => {
  expect(titleOf(entry(1, { capability }))).toBe(title)
})

it.each<[Partial<AnsweredEntry> | object, string]>([
  [{}, ''],
  [{ detail: 'Too many.' }, 'Too many.'],
  [{ failure_type: 'rate_limited', detail: 'Too many.' }, 'rate_limited'],
  [{ entry_type: 'approval_granted' }, 'book'],
  [{ entry_type: 'approval_granted', approval: { grant_type: 'one_time', reason: 'Go' } }, 'book · “Go”'],
  [{ entry_type: 'approval_granted', approval: { grant_type: 'session_bound' } }, 'book · for a session'],
  [{ entry_type: 'token_issued', capability: null, issued: { subject: 'human:cy', scope: ['a', 'b'] } }, 'to cy: a, b'],
  [{ entry_type: 'operator_action', capability: null, operated: { name: 'resolve_invocation', target: { id: 'inv-1' }, reason: 'Seen' } }, 'resolve invocation inv-1 · “Seen”'],
  [{ entry_type: 'refusals', capability: null, refused: { count: 3, by_type: { invalid_token: 2, token_expired: 1 } } }, '3 of invalid_token, token_expired'],
  [{ entry_type: 'erasure', capability: null, erased: { count: 7 } }, '7 of them'],
])('an entry with %j is about "%s"', (more, about) => {
  expect(aboutOf(entry(1, more as never))).toBe(about)
}) // prettier-ignore

it.each([
  [{}, 'agent:desk', 'for ana'],
  [{ actor_key: 'human:ana' }, 'ana', undefined],
  [{ actor_key: 'service:human:x', root_principal: 'oidc:7' }, 'service:human:x', 'for oidc:7'],
])('an entry with %j is by %s, %s', (more, actor, whom) => {
  expect([actorOf(entry(1, more)), forWhom(entry(1, more))]).toEqual([actor, whom])
})

it.each([
  [null, 'the service did not say why'],
  ['sold_out', 'sold_out'],
  ['toString', 'toString'],
])('the cause %j reads "%s"', (type, words) => {
  expect(causeOf(type)).toBe(words)
})

it.each(Object.keys(FAILURES) as FailureType[])('the cause %s reads on in a sentence', (type) => {
  expect(causeOf(type)).toMatch(/^[^A-Z].*[^.]$|^[A-Z]{2,}/u)
  expect(causeOf(type).slice(1)).toBe(FAILURES[type].sentence.slice(1, -1))
})

it('checks stand in the order in which they run, each failure at one of them', () => {
  const types = CHECK_GROUPS.flatMap(({ checks }) => checks.flatMap((check) => check.types))
  expect(new Set(types).size).toBe(types.length)
  expect(types.map((type) => placeOf(checkOf(type)!))).toEqual(types.map((type) => placeOf(checkOf(type)!)).toSorted((one, other) => one - other)) // prettier-ignore
  expect(types).toEqual([
    'authentication_required', 'invalid_token', 'token_revoked', 'token_expired',
    'unknown_capability', 'streaming_not_supported',
    'non_delegable_action', 'scope_insufficient', 'purpose_mismatch', 'delegation_depth_exceeded', 'control_requirement_unsatisfied', 'service_unavailable',
    'binding_missing', 'invalid_parameters', 'clarification_required', 'idempotency_in_progress', 'idempotency_conflict', 'binding_stale',
    'budget_currency_mismatch', 'budget_not_enforceable', 'budget_exceeded', 'approval_required', 'approval_denied', 'approval_returned', 'approval_grant_invalid', 'rate_limited', 'concurrent_request_rejected',
  ]) // prettier-ignore
  for (const type of [null, 'internal_error', 'sold_out']) expect(checkOf(type)).toBeUndefined()
})

it('a call that a pause refused is a decision of an operator, and no failure; a store that is away is one', () => {
  const refused = { success: false, failure_type: 'service_unavailable', capability: 'book' } as const
  const paused = entry(1, { ...refused, detail: pausedDetail('book') })
  expect(outcomeOf(paused)).toEqual({ is: 'neutral', icon: 'waiting', word: 'Paused by an operator' })
  expect((['refused', 'failed', 'waiting'] as const).map((filter) => hasOutcome(filter, paused))).toEqual([
    false,
    false,
    false,
  ])
  expect(outcomeOf(entry(1, { ...refused, detail: 'The store is not available.' })).word).toBe('Failed')
  expect(outcomeOf(entry(1, { ...refused, detail: pausedDetail('other') })).word).toBe('Failed')
})
