import type { Checkpoint } from '../../protocol/audit.js'
import { canonicalBytes } from '../json/canonical.js'
import { signDetached, verifyDetached, type VerifyDetached } from '../jws/jws.js'
import type { RingKey } from '../keys/key-ring.js'
import type { Signer } from '../keys/signer.js'

/** Signs a checkpoint: a detached JWS over the canonical form of its other list-form members (section 2.15). */
export async function signCheckpoint(signer: Signer, head: Omit<Checkpoint, 'signature'>): Promise<Checkpoint> {
  return { ...head, signature: await signDetached(signer, signedBytes(head)) }
}

/** The key that signed a checkpoint, if one of the keys did. Members of the detail form do not matter. */
export const verifyCheckpoint = (
  checkpoint: Checkpoint,
  keys: readonly RingKey[],
  verify: VerifyDetached = verifyDetached,
): { readonly kid: string } | undefined => verify(checkpoint.signature, signedBytes(checkpoint), keys)

const signedBytes = (head: Omit<Checkpoint, 'signature'>): Uint8Array =>
  canonicalBytes({
    checkpoint_id: head.checkpoint_id,
    sequence: head.sequence,
    merkle_root: head.merkle_root,
    entry_count: head.entry_count,
    created_at: head.created_at,
  })
