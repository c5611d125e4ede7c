/**
 * The approvals of a request that needs several. Whoever gives one holds the row of the request: two replicas take
 * turns, and each sees what the other has written (decisions, section 10: Quorum and tiers).
 */
import { isAnyOf } from '../../../protocol/fold.js'
import type { Principal } from '../../../protocol/principals.js'
import type { ApprovalGiven, GivingOutcome, Quorum, RequestDecision } from '../contract.js'
import { namesOf } from './accounts.js'
import { json, textColumn } from './columns.js'
import { padded } from './insert-many.js'
import { row, rows, sendOnly, type StoragePlan } from './plan.js'

const HOLD = `
  select approval_request_id from approval_requests
  where approval_request_id = ? and status = 'pending' and expires_at > :now :lock`

const GIVEN = 'select approver, body from approvals_given where approval_request_id = ? order by given_at, approver'

const insertSql = (tokens: string): string => `
  insert into approvals_given (approval_request_id, approver, body, given_at)
  select approval_request_id, ?, ?, cast(:now as bigint) from approval_requests
  where approval_request_id = ? and status = 'pending' and expires_at > :now
    and not exists (select 1 from tokens where token_id in (${tokens}) and revoked_at is not null)
  on conflict do nothing returning approver`

const COUNT = `
  update approval_requests set approvals = (
    select count(*) from approvals_given where approvals_given.approval_request_id = approval_requests.approval_request_id)
  where approval_request_id = ? returning body, status, approver, decided_at, reason, approvals, answered_at`

export function* givenOf(id: string): StoragePlan<readonly ApprovalGiven[]> {
  return (yield* rows(GIVEN, id)).map((stored) => json<ApprovalGiven>(stored, 'body'))
}

/**
 * Adds an approval to those that were seen, if they are all there are and none is of the same person. What does not
 * count any more goes, so a request never has more rows than it needs approvals.
 */
export function* addApproval(
  id: string,
  given: ApprovalGiven,
  { counted, lapsed }: Pick<Quorum, 'counted' | 'lapsed'>,
): StoragePlan<GivingOutcome> {
  if ((yield* row(HOLD, id)) === undefined) return 'closed'
  const there = (yield* rows(GIVEN, id)).map((stored) => textColumn(stored, 'approver'))
  if (there.length !== counted.length + lapsed.length) return 'changed'
  if (![...counted, ...lapsed].every(({ approver }) => there.includes(approver))) return 'changed'
  if (yield* isAmong(given, counted)) return 'same_person'
  for (const { approver } of lapsed)
    yield* sendOnly('delete from approvals_given where approval_request_id = ? and approver = ?', id, approver)
  const tokens = padded(tokensBehind([given, ...counted]))
  const added = yield* row(insertSql(tokens.marks), given.approver, JSON.stringify(given), id, ...tokens.values)
  return added === undefined ? 'changed' : 'given'
}

/** The request, with how many approvals it has now. */
export const countApprovals = (id: string) => row(COUNT, id)

/** Every token that one of the decisions was made by. */
export const tokensBehind = (decisions: readonly RequestDecision[]): readonly string[] => [
  ...new Set(decisions.flatMap(({ standing = [] }) => standing)),
]

/** Holds where somebody whose authority it is given by, by whichever name, has lent theirs to one that counts. */
export function* isAmong(given: ApprovalGiven, counted: readonly ApprovalGiven[]): StoragePlan<boolean> {
  const names = yield* namesOf(peopleOf(given))
  for (const each of counted) if (isAnyOf(yield* namesOf(peopleOf(each)), names)) return true
  return false
}

const peopleOf = ({ approver, by = [] }: RequestDecision): readonly Principal[] => [...new Set([approver, ...by])]
