/** Outcome of an audit entry: refused, failed and waiting are different. Pages and exports use it. */
import type { AnsweredEntry, EntryType } from '../protocol/audit.js'
import { pausedDetail } from '../protocol/operator.js'
import { FAILURES, type FailureType } from '../protocol/failures.js'

/** Outcomes that a page or an export may be filtered by. */
export const OUTCOME_FILTERS = ['refused', 'failed', 'waiting'] as const
export type OutcomeFilter = (typeof OUTCOME_FILTERS)[number]

/** Outcome of an entry; an entry that is no call and did not fail ended as its type says. */
export type EntryEnding = 'as its type says' | 'waiting' | 'paused' | 'unknown' | 'refused' | 'failed'

type Ended = Pick<AnsweredEntry, 'entry_type' | 'success' | 'failure_type'> &
  Partial<Pick<AnsweredEntry, 'capability' | 'detail'>>

/** Failures of a call for which no rule stands: something broke, here or in a step. */
const BROKEN: ReadonlySet<string> = new Set<FailureType>([
  'internal_error',
  'service_unavailable',
  'composition_child_failed',
  'composition_empty_result',
])

export const isDeclared = (type: string): type is FailureType => Object.hasOwn(FAILURES, type)

export function endingOf({ entry_type, success, failure_type, capability, detail }: Ended): EntryEnding {
  if (success || (entry_type !== 'invocation' && failure_type === null)) return 'as its type says'
  if (failure_type === 'approval_required') return 'waiting'
  if (failure_type === 'outcome_unknown') return 'unknown'
  if (capability && detail === pausedDetail(capability)) return 'paused'
  return failure_type !== null && isDeclared(failure_type) && !BROKEN.has(failure_type) ? 'refused' : 'failed'
}

const OF_TYPE: { readonly [type in EntryType]?: OutcomeFilter } = {
  approval_requested: 'waiting',
  integrity_failure: 'failed',
  refusals: 'refused',
}

/** Holds for the entries that a filter looks for; what nobody knows the outcome of counts as failed. */
export function hasOutcome(outcome: OutcomeFilter, entry: Ended): boolean {
  const ending = endingOf(entry)
  if (ending === 'paused') return false
  if (ending === 'as its type says') return OF_TYPE[entry.entry_type] === outcome
  return (ending === 'unknown' ? 'failed' : ending) === outcome
}
