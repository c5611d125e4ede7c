import { FAILURES } from '../../../protocol/failures.js'
import type { AnsweredEntry, EntryType } from '../../../protocol/audit.js'
import { endingOf, isDeclared, type EntryEnding } from '../../entry-outcome.js'
import type { IconName } from '../parts/icon.js'
import type { StateName } from '../parts/notice.js'

/** Outcome of an entry: refused, failed and waiting are different. */
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
  approval_given: { ...WAITING, word: 'One of several' },
  approval_granted: { is: 'approve', icon: 'done', word: 'Approved' },
  approval_denied: { is: 'denied', icon: 'denied', word: 'Denied' },
  approval_returned: { is: 'neutral', icon: 'undo', word: 'Sent back' },
  approval_withdrawn: { is: 'neutral', icon: 'undo', word: 'Withdrawn' },
  grant_revoked: { is: 'neutral', icon: 'refused', word: 'Revoked' },
  integrity_failure: { ...FAILED, word: 'Alarm' },
  erasure: { is: 'neutral', icon: 'expired', word: 'Erased' },
  refusals: REFUSED,
  operator_action: DONE,
}

const OF_ENDING: { readonly [ending in Exclude<EntryEnding, 'as its type says'>]: Outcome } = {
  waiting: WAITING,
  paused: { is: 'neutral', icon: 'waiting', word: 'Paused by an operator' },
  unknown: UNKNOWN,
  refused: REFUSED,
  failed: FAILED,
}

export function outcomeOf(entry: AnsweredEntry): Outcome {
  const ending = endingOf(entry)
  return ending === 'as its type says' ? OF_ENTRY[entry.entry_type] : OF_ENDING[ending]
}

/** `the cost exceeds the budget`: what a failure means, for the middle of a sentence. */
export function causeOf(failureType: string | null): string {
  if (failureType === null) return 'the service did not say why'
  if (!isDeclared(failureType)) return failureType
  const { sentence } = FAILURES[failureType]
  return sentence.charAt(0).toLowerCase() + sentence.slice(1, -1)
}
