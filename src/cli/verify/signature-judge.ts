import { isSignedByJose } from '../../crypto/jws/jose-jws.js'
import { verifyDetached, type VerifyDetached } from '../../crypto/jws/jws.js'

/** Verifies signatures for people: what node:crypto finds good counts once jose has confirmed it. */
export interface SignatureJudge {
  readonly verify: VerifyDetached
  /** Waits for jose. Gives a full sentence for each key with a signature that jose refuses. */
  confirm(): Promise<readonly string[]>
}

export function signatureJudge(isSigned = isSignedByJose): SignatureJudge {
  const refused = new Set<string>()
  let pending: Promise<void>[] = []
  const verify: VerifyDetached = (jws, payload, keys) => {
    const signed = verifyDetached(jws, payload, keys)
    const key = keys.find(({ kid }) => kid === signed?.kid)
    if (key !== undefined)
      pending.push(isSigned(jws, payload, key.publicJwk).then((holds) => void (holds || refused.add(key.kid))))
    return signed
  }
  const confirm = async (): Promise<readonly string[]> => {
    const under = pending
    pending = []
    await Promise.all(under)
    return [...refused].map(
      (kid) => `jose does not confirm a signature by the key ${kid}: do not trust it, and report it.`,
    )
  }
  return { verify, confirm }
}
