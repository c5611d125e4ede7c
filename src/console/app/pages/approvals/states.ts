import type { ApprovalRequest } from '../../../../protocol/approval.js'
import type { IconName } from '../../parts/icon.js'
import type { StateName } from '../../parts/notice.js'

interface StateWords {
  readonly is: StateName
  readonly icon: IconName
  readonly word: string
}

/** State of a request -> its icon, its colour, its word. */
const STATES: { readonly [status in ApprovalRequest['status']]: StateWords } = {
  pending: { is: 'waiting', icon: 'waiting', word: 'Waiting' },
  approved: { is: 'approve', icon: 'done', word: 'Approved' },
  denied: { is: 'denied', icon: 'denied', word: 'Denied' },
  returned: { is: 'neutral', icon: 'undo', word: 'Sent back' },
  expired: { is: 'neutral', icon: 'expired', word: 'Expired' },
  withdrawn: { is: 'neutral', icon: 'undo', word: 'Withdrawn' },
}

export const stateOf = ({ status }: Pick<ApprovalRequest, 'status'>): StateWords => STATES[status]
