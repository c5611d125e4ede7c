import { FAILURES, type FailureType } from '../../../protocol/failures.js'
import type { AnsweredEntry, EntryType } from '../../../protocol/audit.js'
import type { IconName } from '../parts/icon.js'
import type { StateName } from '../parts/notice.js'

/** What an entry says of how it went: refused is not failed, and neither is waiting. */
export interface Outcome {
  readonly is: StateName
  readonly icon: IconName
  readonly word: string
}

const DONE: Outcome = { is: 'done', icon: 'done', word: 'Done' }
const REFUSED: Outcome = { is: 'refused', icon: 'refused', word: 'Refused' }
const FAILED: Outcome = { is: 'failed', icon: 'failed', word: 'Failed' }
const WAITING: Outcome = { is: 'waiting', icon: 'waiting', word: 'Waiting' }
const UNKNOWN: Outcome = { is: 'failed', icon: 'failed', word: 'Outcome unknown' }

const OF_ENTRY: { readonly [type in EntryType]: Outcome } = {
  invocation: DONE,
  token_issued: { ...DONE, word: 'Issued' },
  token_revoked: { is: 'neutral', icon: 'refused', word: 'Revoked' },
  approval_requested: WAITING,
  approval_granted: { is: 'approve', icon: 'done', word: 'Approved' },
  approval_denied: { is: 'denied', icon: 'denied', word: 'Denied' },
  approval_withdrawn: { is: 'neutral', icon: 'undo', word: 'Withdrawn' },
  grant_revoked: { is: 'neutral', icon: 'refused', word: 'Revoked' },
  integrity_failure: { ...FAILED, word: 'Alarm' },
  erasure: { is: 'neutral', icon: 'expired', word: 'Erased' },
  refusals: REFUSED,
  operator_action: DONE,
}

/** Failures of a call for which no rule stands: something broke, here or in a step. */
const BROKEN: ReadonlySet<string> = new Set<FailureType>([
  'internal_error', 'service_unavailable', 'composition_child_failed', 'composition_empty_result',
]) // prettier-ignore

export const isDeclared = (type: string): type is FailureType => Object.hasOwn(FAILURES, type)

export function outcomeOf({ entry_type, success, failure_type }: AnsweredEntry): Outcome {
  if (success || (entry_type !== 'invocation' && failure_type === null)) return OF_ENTRY[entry_type]
  if (failure_type === 'approval_required') return WAITING
  if (failure_type === 'outcome_unknown') return UNKNOWN
  return failure_type !== null && isDeclared(failure_type) && !BROKEN.has(failure_type) ? REFUSED : FAILED
}

/** `the cost exceeds the budget`: what a failure means, for the middle of a sentence. */
export function causeOf(failureType: string | null): string {
  if (failureType === null) return 'the service did not say why'
  if (!isDeclared(failureType)) return failureType
  const { sentence } = FAILURES[failureType]
  return sentence.charAt(0).toLowerCase() + sentence.slice(1, -1)
}
