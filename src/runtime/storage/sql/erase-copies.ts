/**
 * Erases what other tables hold of entries whose content is erased: the parameters of approval requests, and answers
 * under idempotency keys (decisions, section 14: Erasure). What was open ends with that; a call that was made is not
 * made again.
 */
import { failure, statusOf } from '../../../protocol/failures.js'
import type { StoredRequest } from '../stored-request.js'
import { json, optionalText } from './columns.js'
import { padded } from './insert-many.js'
import { row, rows, sendOnly, type StoragePlan } from './plan.js'

const WITHDRAW = `
  update approval_requests set body = ?, reason = null,
    status = case when status = 'pending' then 'withdrawn' else status end
  where approval_request_id = ?`
const END_GRANT = `
  update approval_grants set revoked_at = :now where approval_request_id = ? and revoked_at is null`
const ANSWER = `
  update idempotency set status = ?, body = ? where invocation_id = ? and status is not null`
const BODY = 'select body from approval_requests where approval_request_id = ?'

/** Of a batch of entries, before their index is erased. */
export function* eraseCopies(sequences: readonly number[]): StoragePlan<void> {
  const { marks, values } = padded(sequences)
  const sql = `select invocation_id, approval_request_id from audit_index where sequence in (${marks})`
  const found = yield* rows(sql, ...values)
  const requests = new Set(found.flatMap((entry) => optionalText(entry, 'approval_request_id') ?? []))
  for (const id of requests) yield* eraseRequest(id)
  for (const entry of found) yield* eraseAnswer(optionalText(entry, 'invocation_id'))
}

function* eraseRequest(id: string): StoragePlan<void> {
  const stored = yield* row(BODY, id)
  if (stored === undefined) return
  const {
    preview: _,
    progress: __,
    bound: ___,
    approved_before: ____,
    step,
    ...request
  } = json<StoredRequest>(stored, 'body')
  const named = step && { step: { ...step, parameters: {} } }
  const body: StoredRequest = { ...request, ...named, requested_parameters: {}, isErased: true }
  yield* sendOnly(WITHDRAW, JSON.stringify(body), id)
  yield* sendOnly(END_GRANT, id)
  yield* sendOnly('delete from approvals_given where approval_request_id = ?', id)
}

const DETAIL = 'The answer was erased. The call was made once, and is not made again.'

function* eraseAnswer(invocationId: string | null): StoragePlan<void> {
  if (invocationId === null) return
  yield* sendOnly(ANSWER, statusOf('outcome_unknown'), erasedBody(invocationId), invocationId)
}

const erasedBody = (invocationId: string): string =>
  JSON.stringify({ success: false, invocation_id: invocationId, failure: failure('outcome_unknown', DETAIL) })

const OF_INVOCATION = /"invocation_id":"(inv-[0-9a-f]{12})"/u

/** Holds for the very answer that stands where one was erased. */
export function isErasedAnswer({ status, body }: { readonly status: number; readonly body: string }): boolean {
  const [, id] = OF_INVOCATION.exec(body) ?? []
  return id !== undefined && status === statusOf('outcome_unknown') && body === erasedBody(id)
}
