import type { Requester } from '../../protocol/approval.js'
import type { ApprovalSettings } from '../../protocol/manifest.js'
import { isAnyOf } from '../../protocol/fold.js'
import { classOf, type Principal } from '../../protocol/principals.js'
import type { PrincipalClass } from '../../protocol/words.js'

/**
 * Holds when an approver is somebody else than the requester, and a person unless the manifest allows agents (section
 * 4.7, rule 7).
 */
export function isSeparated(settings: ApprovalSettings, requester: Requester, approver: Principal): boolean {
  if (isAnyOf([approver], [requester.subject])) return false
  if (settings.separation_of_duties && isAnyOf([approver], [requester.root_principal])) return false
  return maySpeakInApproval(settings, [approver])
}

/**
 * Holds when a decision rests on the authority of people alone, or the manifest allows agents: a service is run by its
 * code, too (threat N05).
 */
export const maySpeakInApproval = ({ allow_agents }: ApprovalSettings, principals: readonly Principal[]): boolean =>
  allow_agents || principals.every((principal) => !MACHINES.has(classOf(principal)))

const MACHINES: ReadonlySet<PrincipalClass> = new Set(['agent', 'service'])
