import type { AuditDraft } from '../../protocol/audit.js'
import type { ProvenBy } from '../../protocol/credential.js'
import type { OperatorAction } from '../../protocol/operator.js'
import type { Principal } from '../../protocol/principals.js'
import { EMPTY_ENTRY } from '../../protocol/empty-entry.js'
import { recordOrWait } from '../call/settle/waiting.js'
import { timestamp } from '../json/timestamp.js'
import type { Service } from '../service.js'

/** Actor, and the credential used: an operator, or the service itself. */
export interface ActingParty {
  readonly principal: Principal
  readonly credential?: ProvenBy
}

/** Puts what an operator did on the trail, durable before it is answered. */
export async function recordAction(service: Service, by: ActingParty, operated: OperatorAction): Promise<void> {
  await service.record({ draft: actionDraft(service, by, operated) })
}

/** Most ids in one entry. */
const IDS_IN_ONE = 1_000

/** Puts the end of tokens on the trail by their ids; there is an entry for each thousand, and one where none ended. */
export async function recordEnding(
  service: Service,
  by: ActingParty,
  operated: OperatorAction,
  ended: readonly string[],
): Promise<void> {
  const drafts: AuditDraft[] = []
  for (let from = 0; from === 0 || from < ended.length; from += IDS_IN_ONE) {
    const token_ids = ended.slice(from, from + IDS_IN_ONE)
    drafts.push(actionDraft(service, by, { ...operated, tokens: token_ids.length, token_ids }))
  }
  await recordOrWait(service, drafts)
}

/** The entry of what an operator did. */
export const actionDraft = (
  service: Pick<Service, 'now'>,
  { principal, credential }: ActingParty,
  operated: OperatorAction,
): AuditDraft => ({
  ...EMPTY_ENTRY,
  entry_type: 'operator_action',
  actor_key: principal,
  root_principal: principal,
  event_class: 'high_risk_success',
  success: true,
  token_id: operated.target['token_id'] ?? null,
  delegation_chain: [],
  operated,
  timestamp: timestamp(service.now()),
  ...(credential && { credential }),
})
