/** Seals an entry: its sequence, the exact text that is hashed, and its Merkle leaf (RFC 9162, section 2.1). */
import { canonicalText } from '../../crypto/json/canonical.js'
import { leafHash } from '../../crypto/merkle/merkle.js'
import type { AuditDraft } from '../../protocol/audit.js'
import type { Seal } from './contract.js'

export const sealEntry: Seal = (draft, sequence) => sealUntil(draft, sequence, undefined)

/**
 * Seals entries that retention may erase so many ms after they were recorded; for ever kept are those without such a
 * time.
 */
export const sealFor =
  (retentionOf: (draft: AuditDraft) => number | undefined): Seal =>
  (draft, sequence, retentionMs) => {
    const retention = retentionOf(draft) ?? retentionMs
    return sealUntil(draft, sequence, retention === undefined ? undefined : Date.parse(draft.timestamp) + retention)
  }

function sealUntil(draft: AuditDraft, sequence: number, erasableFrom: number | undefined): ReturnType<Seal> {
  // What follows what is spread gives each object a hidden class of its own in V8, and every look at it is a search.
  const entry = { sequence, ...draft }
  const text = canonicalText(entry)
  return { entry, text, leafHash: leafHash(text), erasableFrom }
}
