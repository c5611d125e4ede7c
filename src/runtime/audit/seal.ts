/** Seals an entry: its sequence, the exact text that is hashed, and its Merkle leaf (RFC 9162, section 2.1). */
import { canonicalText } from '../../crypto/canonical.js'
import { leafHash } from '../../crypto/merkle.js'
import type { Seal } from '../storage/contract.js'

export const sealEntry: Seal = (draft, sequence) => {
  const entry = { ...draft, sequence }
  const text = canonicalText(entry)
  return { entry, text, leafHash: leafHash(text) }
}
