/** Seals an entry: its sequence, the exact text that is hashed, and its Merkle leaf (RFC 9162, section 2.1). */
import { canonicalText } from '../../crypto/canonical.js'
import { leafHash } from '../../crypto/merkle.js'
import type { AuditDraft, AuditEntry } from '../../protocol/audit.js'
import type { Seal } from '../storage/contract.js'

export const sealEntry: Seal = (draft, sequence) => {
  const entry = entryOf(draft, sequence)
  const text = canonicalText(entry)
  return { entry, text, leafHash: leafHash(text) }
}

/** What every entry has: a member more in `AuditEntry` is asked for here. */
type Always = { readonly [member in Exclude<keyof AuditEntry, 'cost_exceeded' | 'detail'>]-?: AuditEntry[member] }

/**
 * Member by member: an object that is spread into another with so many members becomes a dictionary, in which the engine
 * searches each time. In canonical order, so that sorting finds little to do.
 */
function entryOf(draft: AuditDraft, sequence: number): AuditEntry {
  const always: Always = {
    actor_key: draft.actor_key,
    approval_grant_id: draft.approval_grant_id,
    approval_request_id: draft.approval_request_id,
    capability: draft.capability,
    client_reference_id: draft.client_reference_id,
    cost_actual: draft.cost_actual,
    delegation_chain: draft.delegation_chain,
    entry_type: draft.entry_type,
    event_class: draft.event_class,
    failure_type: draft.failure_type,
    invocation_id: draft.invocation_id,
    parameters: draft.parameters,
    parent_invocation_id: draft.parent_invocation_id,
    root_principal: draft.root_principal,
    sequence,
    success: draft.success,
    task_id: draft.task_id,
    timestamp: draft.timestamp,
    token_id: draft.token_id,
    upstream_service: draft.upstream_service,
  }
  const entry: { -readonly [member in keyof AuditEntry]: AuditEntry[member] } = always
  if (draft.cost_exceeded !== undefined) entry.cost_exceeded = draft.cost_exceeded
  if (draft.detail !== undefined) entry.detail = draft.detail
  return entry
}
