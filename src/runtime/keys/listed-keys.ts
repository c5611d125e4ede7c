/** Holds the keys that sign here to the manifest that was signed elsewhere (decisions, section 14: Roles of keys). */
import { parseStrictJson } from '../../crypto/json/strict-json.js'
import { MAX_DEPTH } from '../../crypto/json/canonical.js'
import type { KeyRing } from '../../crypto/keys/key-ring.js'
import { readPublishedKeys } from '../../crypto/keys/published-keys.js'
import type { JsonObject } from '../../protocol/manifest.js'
import type { PublishedManifest } from './published-documents.js'

/** Returns a sentence for each active key that the manifest does not list: verifiers reject its signatures. */
export function unlistedKeys(published: PublishedManifest | undefined, { keys }: KeyRing): readonly string[] {
  if (published === undefined) return []
  const json = parseStrictJson(published.bytes, { maxDepth: MAX_DEPTH })
  const listed = (json.ok ? readPublishedKeys(json.value as JsonObject) : undefined) ?? {}
  const signing = keys.filter(({ role, state }) => state === 'active' && role !== 'manifest')
  return signing
    .filter(({ kid, role }) => !Object.hasOwn(listed, kid) || listed[kid]!.role !== role)
    .map(
      ({ kid, role }) =>
        `The published manifest does not list the ${role} key ${kid}, so nobody could verify what it signs. Sign ` +
        'the manifest again, with what svc keys list --jwks prints here: svc sign --jwks production.jwks.json',
    )
}
