import { sha256Hex } from '../../crypto/digest.js'

/**
 * The digest of a manifest for the header of generated files: whatever the order of its members and files. It is not the
 * published digest, which covers the canonical form and does not exist for every text that code can hold.
 */
export const inputDigest = (manifest: unknown): string => `sha256:${sha256Hex(JSON.stringify(ordered(manifest)))}`

function ordered(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(ordered)
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => [name, ordered(member)])
}
