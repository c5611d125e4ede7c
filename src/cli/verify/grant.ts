import { canonicalBytes } from '../../crypto/json/canonical.js'
import { datedAfterRetirement } from '../../crypto/keys/published-keys.js'
import { FACTS, factsIn } from './facts.js'
import { recordIn, type VerifierInput } from './given.js'
import type { Verdict } from './verdict.js'

/** Verifies the signature of an approval grant (section 2.12). That it has expired since is a fact, not a fault. */
export async function verifyGrantFile({ bytes, origin, verify }: VerifierInput): Promise<Verdict> {
  const record = recordIn(bytes)
  if (typeof record === 'string') return { kind: 'grant', facts: [], findings: [record] }
  const { signature, ...grant } = record
  const facts = factsIn(record, FACTS.grant)
  if (typeof signature !== 'string') return { kind: 'grant', facts, findings: ['The grant has no signature.'] }
  const keys = origin.keysOf('tokens')
  const signed = verify(signature, canonicalBytes(grant), keys)
  if (signed !== undefined) {
    const late = datedAfterRetirement(signed.kid, String(grant['issued_at']), keys)
    return { kind: 'grant', facts: [...facts, ['signed_by', signed.kid]], findings: late === undefined ? [] : [late] }
  }
  return {
    kind: 'grant',
    facts,
    findings: ['No trusted key signed this grant: a member or the signature was changed.'],
  }
}
