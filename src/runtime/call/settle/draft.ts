import { eventClass, type AuditDraft } from '../../../protocol/audit.js'
import { isFinancial } from '../../../protocol/discovery.js'
import { CAPABILITY_NAME } from '../../../protocol/identifiers.js'
import { loggedMembers } from '../../audit/logged-members.js'
import type { Service } from '../../service.js'
import { timestamp } from '../../json/timestamp.js'
import { priceOf } from '../facts/price.js'
import { charged, exceeds, heldFor, stillHeld } from './budget.js'
import type { Ended } from './outcome.js'

/** The audit entry of an invocation that ended so (section 2.14). */
export function draftOf(service: Service, ended: Ended): AuditDraft {
  const { invocation, facts, outcome } = ended
  const { id, name, token, lineage } = invocation
  const capability = service.capabilities.get(name)
  const costsMoney = capability !== undefined && isFinancial(service.manifest, capability)
  const draft: { -readonly [member in keyof AuditDraft]: AuditDraft[member] } = {
    entry_type: 'invocation',
    invocation_id: id,
    capability: CAPABILITY_NAME.test(name) ? name : null,
    actor_key: token.claims.sub,
    root_principal: token.claims.root_principal,
    event_class: eventClass(capability?.side_effect.type ?? 'read', costsMoney, outcome.ok),
    success: outcome.ok,
    failure_type: outcome.ok ? null : outcome.failure.type,
    client_reference_id: lineage.client_reference_id ?? null,
    task_id: lineage.task_id ?? null,
    parent_invocation_id: lineage.parent_invocation_id ?? null,
    upstream_service: lineage.upstream_service ?? null,
    approval_request_id: approvalRequestOf(ended) ?? null,
    approval_grant_id: facts.approval?.used?.grantId ?? null,
    token_id: token.claims.jti,
    delegation_chain: token.chain.map((link) => link.claims.jti),
    cost_actual: outcome.cost ?? null,
    parameters: loggedMembers(service, name, facts.inputs ?? {}),
    timestamp: timestamp(service.now()),
  }
  const [isMore, spent, held] = [costsMoreThanChecked(ended), charged(ended), stillHeld(ended)]
  if (isMore) draft.cost_exceeded = true
  if (spent !== undefined) draft.cost_charged = spent
  if (isMore && spent !== undefined) draft.cost_checked = heldFor(ended)!
  if (held !== undefined) draft.cost_held = held
  if (outcome.ok && outcome.deviations !== undefined) draft.result_deviations = outcome.deviations
  // What a handler cuts in the middle of a character has no canonical form (RFC 8785).
  if (!outcome.ok) draft.detail = outcome.failure.detail.toWellFormed()
  return draft
}

/** The request that the call asks for, or that its grant came from. */
const approvalRequestOf = ({ facts, outcome }: Ended): string | undefined =>
  (outcome.ok ? undefined : outcome.failure.approval_request_id) ?? facts.approval?.used?.approvalRequestId

/** Under a cumulative budget, what nobody could check counts as more, because nothing was reserved for it. */
function costsMoreThanChecked(ended: Ended): boolean {
  const { invocation, facts, reserved, outcome } = ended
  const checked = priceOf(facts)
  if (outcome.cost === undefined) return false
  if (checked === undefined) return reserved.steps === undefined && isCumulative(invocation)
  return exceeds(ended, checked, outcome.cost)
}

const isCumulative = ({ token }: Ended['invocation']): boolean =>
  token.chain.some(({ claims }) => claims.constraints.budget?.mode === 'cumulative')
