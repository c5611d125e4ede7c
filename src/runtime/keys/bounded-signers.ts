import type { KeyRing, RingKey } from '../../crypto/keys/key-ring.js'
import type { Signer } from '../../crypto/keys/signer.js'
import { settledWithin } from '../errors/settled-within.js'
import type { Log } from '../definition.js'
import { refuse } from '../errors/refusal.js'

interface Bounds {
  readonly hookTimeoutMs: number
  readonly log: Log
}

/**
 * A ring whose signers answer in time, or not at all: keys may be kept elsewhere, and what keeps them may be away
 * (section 2.2).
 */
export const withBoundedSigners = (ring: KeyRing, bounds: Bounds): KeyRing => ({
  ...ring,
  keys: ring.keys.map((key) => withBoundedSigner(key, bounds)),
})

const withBoundedSigner = (key: RingKey, bounds: Bounds): RingKey =>
  key.signer === undefined ? key : { ...key, signer: bounded(key.signer, bounds) }

/** A signer in this process answers at once, and is not waited for. */
function bounded(signer: Signer, bounds: Bounds): Signer {
  return {
    kid: signer.kid,
    sign: (data) => {
      const signing = signer.sign(data)
      return signing instanceof Uint8Array ? signing : signedInTime(signer.kid, signing, bounds)
    },
  }
}

/** r and s; a key management service often gives DER, which nobody takes (RFC 7518, section 3.4). */
const SIGNATURE_BYTES = 64

async function signedInTime(kid: string, signing: Promise<Uint8Array>, bounds: Bounds): Promise<Uint8Array> {
  let reason = `It did not answer within ${bounds.hookTimeoutMs} ms.`
  const noted = signing.catch((error: unknown) => {
    reason = String(error)
    throw error
  })
  const signature = await settledWithin(noted, bounds.hookTimeoutMs)
  if (signature?.length === SIGNATURE_BYTES) return signature
  if (signature !== undefined)
    reason = `It gave ${signature.length} bytes; a signature is r and s, 64 bytes, never DER.`
  bounds.log.error('A signer failed.', { kid, error: reason })
  return refuse('service_unavailable', 'The service cannot sign at the moment.')
}
