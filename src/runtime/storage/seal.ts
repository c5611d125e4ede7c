/** Seals an entry: its sequence, the exact text that is hashed, and its Merkle leaf (RFC 9162, section 2.1). */
import { canonicalText } from '../../crypto/json/canonical.js'
import { leafHash } from '../../crypto/merkle/merkle.js'
import type { AuditDraft, AuditEntry } from '../../protocol/audit.js'
import { DEFAULT_LIMITS } from '../limits.js'
import type { Seal } from './contract.js'
import { withinSizes, type EntrySizes } from './entry-size.js'

export const sealEntry: Seal = (draft, sequence) => sealUntil(draft, sequence, undefined, DEFAULT_LIMITS)

/**
 * Seals entries that retention may erase so many ms after they were recorded; for ever kept are those without such a
 * time.
 */
export const sealFor =
  (retentionOf: (draft: AuditDraft) => number | undefined, sizes: EntrySizes = DEFAULT_LIMITS): Seal =>
  (draft, sequence, retentionMs) => {
    const retention = retentionOf(draft) ?? retentionMs
    const until = retention === undefined ? undefined : Date.parse(draft.timestamp) + retention
    return sealUntil(draft, sequence, until, sizes)
  }

function sealUntil(
  draft: AuditDraft,
  sequence: number,
  erasableFrom: number | undefined,
  sizes: EntrySizes,
): ReturnType<Seal> {
  // What follows what is spread gives each object a hidden class of its own in V8, and every look at it is a search.
  const whole: AuditEntry = { sequence, ...draft }
  const full = canonicalText(whole)
  const entry = withinSizes(whole, Buffer.byteLength(full), sizes)
  const text = entry === whole ? full : canonicalText(entry)
  return { entry, text, leafHash: leafHash(text), erasableFrom }
}
