import type { KeyRing } from '../../crypto/keys/key-ring.js'
import { signerFor } from '../../crypto/keys/key-ring.js'
import { originOf, signNote } from '../../crypto/trail/signed-note.js'
import { refuse } from '../errors/refusal.js'
import type { Storage } from '../storage/contract.js'

/**
 * A checkpoint as a C2SP signed note, signed by the active audit key, so that witnesses of other logs can read it.
 * Throws `Refusal`.
 */
export async function checkpointNote(
  { checkpoints }: Pick<Storage, 'checkpoints'>,
  { serviceId, ring }: { readonly serviceId: string; readonly ring: KeyRing },
  id: string,
): Promise<string> {
  const checkpoint = (await checkpoints.get(id)) ?? refuse('not_found', 'There is no such checkpoint.')
  const signer = signerFor(ring, 'audit')
  const { publicJwk } = ring.keys.find(({ kid }) => kid === signer.kid)!
  return signNote(signer, publicJwk, originOf(serviceId), checkpoint)
}
