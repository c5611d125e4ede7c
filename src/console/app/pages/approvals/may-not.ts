import { useState } from 'preact/hooks'
import type { ApprovalRequest } from '../../../../protocol/approval.js'
import { post } from '../../ask.js'
import type { Here } from '../../here.js'
import { markup } from '../../markup.js'
import { Notice } from '../../parts/notice.js'

type Why = 'no scope' | 'own authority' | 'has approved'

/** Returns why this person may not decide, as far as the page knows; the service checks more on submission. */
export function whyNot({ person }: Here, request: ApprovalRequest): Why | undefined {
  const { capability, requester, context, approver_scope: tier } = request
  const chain = [requester.subject, requester.root_principal, ...(context?.delegation ?? [])]
  if (chain.some((name) => name === person.principal)) return 'own authority'
  if (context?.approved_by?.some(({ approver }) => approver === person.principal) === true) return 'has approved'
  const may = tier === undefined ? person.may_approve.includes(capability) : person.tiers.includes(tier)
  return may ? undefined : 'no scope'
}

interface MayNotProps {
  readonly here: Here
  readonly request: ApprovalRequest
  readonly why: Why
  readonly onDone: () => void
}

/** Refused, not failed: who may decide instead, and what is left to do. */
export function MayNot({ request, why, onDone }: MayNotProps) {
  const [trouble, setTrouble] = useState('')
  const withdraw = async (): Promise<void> => {
    const withdrawn = await post(`/approvals/${request.approval_request_id}/withdraw`)
    if (withdrawn.ok) onDone()
    else setTrouble(withdrawn.trouble.detail)
  }
  if (why === 'has approved')
    return markup`<${Notice} is="waiting" icon="waiting" title="You have approved it">
      <p>It runs after another approver has also approved it.</p>
    <//>`
  const who =
    request.approver_scope === undefined ? 'an approver scope for' : `the scope ${request.approver_scope}, for`
  return markup`
    <${Notice}
      is="refused"
      icon="refused"
      title=${why === 'own authority' ? 'You gave this authority, so you cannot approve it' : 'You may not decide about this'}
    >
      <div class="body">
        <p>
          Somebody with ${who} <code>${request.capability}</code> who is not in the chain must
          decide.${why === 'own authority' ? ' You can withdraw the request.' : ''}
        </p>
        ${trouble !== '' && markup`<p class="error-text" role="alert">${trouble}</p>`}
      </div>
      ${why === 'own authority' && markup`<div class="acts"><button class="btn sm" onClick=${withdraw}>Withdraw request</button></div>`}
    <//>
  `
}
