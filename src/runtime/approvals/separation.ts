import type { Requester } from '../../protocol/approval.js'
import type { ApprovalSettings } from '../../protocol/manifest.js'
import { classOf, type Principal } from '../../protocol/principals.js'

/** Holds when an approver is somebody else than the requester, and no agent unless the manifest allows it (section 4.7, rule 7). */
export function isSeparated(settings: ApprovalSettings, requester: Requester, approver: Principal): boolean {
  if (approver === requester.subject) return false
  if (settings.separation_of_duties && approver === requester.root_principal) return false
  return settings.allow_agents || classOf(approver) !== 'agent'
}
