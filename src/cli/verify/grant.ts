import { canonicalBytes } from '../../crypto/json/canonical.js'
import { ringKeysOf } from '../../crypto/keys/key-ring.js'
import { verifyDetached } from '../../crypto/jws/jws.js'
import { FACTS, factsIn } from './facts.js'
import { recordIn, type Given } from './given.js'
import type { Verdict } from './verdict.js'

/** Verifies the signature of an approval grant (section 2.12). That it has expired since is a fact, not a fault. */
export async function verifyGrantFile({ bytes, jwks }: Given): Promise<Verdict> {
  const record = recordIn(bytes)
  if (typeof record === 'string') return { kind: 'grant', facts: [], findings: [record] }
  const { signature, ...grant } = record
  const facts = factsIn(record, FACTS.grant)
  if (typeof signature !== 'string') return { kind: 'grant', facts, findings: ['The grant has no signature.'] }
  const signed = verifyDetached(signature, canonicalBytes(grant), ringKeysOf(jwks, 'tokens'))
  if (signed !== undefined) return { kind: 'grant', facts: [...facts, ['signed_by', signed.kid]], findings: [] }
  return {
    kind: 'grant',
    facts,
    findings: ['No trusted key signed this grant: a member or the signature was changed.'],
  }
}
