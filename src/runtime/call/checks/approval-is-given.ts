import { failure, type GrantRefusal } from '../../../protocol/failures.js'
import { countsGrant } from '../../approvals/conditions.js'
import { costsMore } from '../../approvals/tiers.js'
import { costToCompare } from '../facts/price.js'
import { continuesWith } from '../../approvals/gated-step.js'
import { isSameList, subjectsOf } from '../../approvals/delegation-path.js'
import { spentMeanwhile } from '../../approvals/spent-meanwhile.js'
import { isSeparated } from '../../approvals/separation.js'
import type { GovernedFacts, PresentedGrant } from '../facts/facts.js'
import type { Check } from './check.js'

/**
 * Requires a grant where an approval is needed, and that a used grant is valid for this very call (section 7,
 * continuation).
 */
export const approvalIsGiven: Check<GovernedFacts> = (facts) => {
  const { needed, grantId, presented } = facts.approval
  if (grantId === undefined || !countsGrant(facts.capability, needed))
    return needed
      ? failure('approval_required', `The capability ${facts.name} needs an approval for these parameters.`)
      : undefined
  const reason = presented === undefined ? 'not_found' : grantRefusal(presented, facts)
  if (reason === undefined) return undefined
  if (facts.request.approval === 'continue' && SETTLED_MEANWHILE.includes(reason)) return spentMeanwhile()
  return failure('approval_grant_invalid', SENTENCES[reason], { reason })
}

/** Grant states that an identical call, a withdrawal or the clock may cause between lookup and check. */
const SETTLED_MEANWHILE: readonly GrantRefusal[] = ['consumed', 'revoked', 'expired']

/** Returns why a grant does not allow this call; undefined if it does. */
function grantRefusal(presented: PresentedGrant, facts: GovernedFacts): GrantRefusal | undefined {
  const { grant, uses, isRevoked, request, isGenuine, path } = presented
  const { claims } = facts.token
  if (grant.requester.root_principal !== claims.root_principal) return 'not_found'
  if (grant.requester.subject !== claims.sub) return 'requester_mismatch'
  // A subject is a name, not a proof: whoever may delegate can name a sibling.
  if (path !== undefined && !isSameList(path, subjectsOf(facts.token.chain))) return 'requester_mismatch'
  if (!isGenuine || !isFromRequest(presented, facts)) return 'request_mismatch'
  if (grant.capability !== facts.name) return 'capability_mismatch'
  if (
    grant.parameters_digest !== facts.approval.digest ||
    request?.requested_parameters_digest !== facts.approval.digest
  )
    return 'parameters_mismatch'
  if (grant.step === undefined && costsMore(facts.capability.approval ?? {}, request, costToCompare(facts)))
    return 'parameters_mismatch'
  if (!grant.scope.every((scope) => claims.scope.includes(scope))) return 'scope_mismatch'
  if (grant.session_id !== null && grant.session_id !== claims.session_id) return 'session_mismatch'
  if (!presented.isStillGiven) return 'approver_not_allowed'
  if (!isSeparated(facts.approval.settings, grant.requester, grant.approver)) return 'approver_not_allowed'
  if (Date.parse(grant.expires_at) <= facts.now) return 'expired'
  if (isRevoked) return 'revoked'
  return uses >= grant.max_uses ? 'consumed' : undefined
}

/** True for the grant of an approved request, and for one of a step as long as the composition is what it was. */
function isFromRequest({ grant, request }: PresentedGrant, { capability: { composition } }: GovernedFacts): boolean {
  if (request?.status !== 'approved') return false
  if (request.approver !== grant.approver || request.capability !== grant.capability) return false
  return grant.step === undefined || (composition !== undefined && continuesWith(composition, grant.step, request))
}

// prettier-ignore
const SENTENCES: { readonly [reason in GrantRefusal]: string } = {
  not_found:            'There is no such grant for this requester.',
  expired:              'The grant has expired.',
  consumed:             'The grant is used up. Call without it to open a new approval request.',
  revoked:              'The grant was taken back.',
  request_mismatch:     'The grant does not belong to an approved request.',
  capability_mismatch:  'The grant is for another capability.',
  parameters_mismatch:  'The grant is for other parameters.',
  scope_mismatch:       'The token lacks a scope that the grant names.',
  requester_mismatch:   'The grant was made for another requester.',
  session_mismatch:     'The grant is bound to another session.',
  approver_not_allowed: 'The approver of the grant was not allowed to decide, or is not any more.',
}
