import type { AuditDraft } from '../../protocol/audit.js'
import { EMPTY_ENTRY } from '../../protocol/empty-entry.js'
import type { DelegationClaims } from '../../protocol/token.js'
import type { Service } from '../service.js'
import { timestamp } from '../json/timestamp.js'

/** Records that a stored token and its signed JWT disagree, and degrades the health of the service. */
export async function reportTampering(service: Service, claims: DelegationClaims): Promise<void> {
  service.alarms.add('token_integrity')
  service.log.error('A stored token differs from its signed JWT.', { token_id: claims.jti })
  const draft: AuditDraft = {
    ...EMPTY_ENTRY,
    entry_type: 'integrity_failure',
    actor_key: claims.sub,
    root_principal: claims.root_principal,
    event_class: 'high_risk_failure',
    success: false,
    failure_type: 'invalid_token',
    token_id: claims.jti,
    delegation_chain: [claims.jti],
    timestamp: timestamp(service.now()),
  }
  await service.record({ draft })
}
