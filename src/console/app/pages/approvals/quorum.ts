import type { ApprovalRequest } from '../../../../protocol/approval.js'
import { markup } from '../../markup.js'
import { whoIs } from '../../words/people.js'
import { oneLine } from '../../words/safe-text.js'

interface QuorumProps {
  readonly request: ApprovalRequest
  readonly me: string
}

/**
 * Shows the number of approvals needed, those given, and the scope required for the cost; nothing for an ordinary
 * decision.
 */
export function Quorum({ request, me }: QuorumProps) {
  const { approvals_needed: needed, approvals = 0, approver_scope: scope, context } = request
  if (needed === undefined && scope === undefined) return null
  const have = (context?.approved_by ?? []).map(({ approver }) => whoIs(approver, me)).join(', ')
  return markup`<p class="small" data-quorum>
    ${needed !== undefined && markup`<b class="strong">${numberWord(needed)} people must approve.</b> ${approvals === 0 ? 'Nobody has yet.' : markup`${approvals} of ${needed}: <bdi>${have}</bdi>.`} One denial ends it. `}
    ${scope !== undefined && markup`At this cost they need <code>${oneLine(scope, 120)}</code>.`}
  </p>`
}

const numberWord = (count: number): string => ['', 'One', 'Two', 'Three', 'Four', 'Five'][count] ?? String(count)

/** For a line of the inbox. */
export const quorumShort = ({ approvals_needed: needed, approvals = 0 }: ApprovalRequest): string =>
  needed === undefined ? '' : ` · ${approvals} of ${needed} approved`
