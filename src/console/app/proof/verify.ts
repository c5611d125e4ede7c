import { canonicalText } from '../../../crypto/json/canonical.js'
import type { AnsweredEntry, CheckpointDetail } from '../../../protocol/audit.js'
import type { PublicJwk } from '../../../protocol/jwk.js'
import type { PublishedKey } from '../../../protocol/published-keys.js'
import { hashBytes, hashText, leafHash, rootFrom } from './hashes.js'
import { serviceTime } from '../hooks/use-now.js'
import { signedManifest, type SignedManifest } from './manifest.js'
import { checkpointWith, newestCheckpoint, readKeys } from './read.js'
import { isSigned, kidIn } from './signature.js'

/** A step of a proof that was computed here. */
export interface Step {
  readonly holds: boolean
  readonly says: string
  readonly detail: string
}

export type Proof =
  | { readonly state: 'unsigned' | 'unread' }
  | {
      /** `withheld`: it stands in the trail, and nobody can say here what it says. */
      readonly state: 'verified' | 'withheld' | 'broken'
      readonly steps: readonly Step[]
      readonly checkpoint: CheckpointDetail
    }

/** Computes in this browser that an entry stands in the signed trail; nothing of it is taken on the word of a page. */
export async function prove(entry: AnsweredEntry, service: string): Promise<Proof> {
  const newest = await newestCheckpoint()
  if (newest === undefined) return { state: 'unread' }
  if (newest.entry_count < entry.sequence) return { state: 'unsigned' }
  const checkpoint = await checkpointWith(newest.checkpoint_id, entry.sequence - 1)
  const jwks = await readKeys()
  const named = jwks && (await signedManifest(jwks, serviceTime()))
  if (checkpoint?.inclusion_proof === undefined || named === undefined) return { state: 'unread' }
  const steps = [
    await leafStep(entry, checkpoint.inclusion_proof),
    await treeStep(checkpoint, checkpoint.inclusion_proof),
    await signatureStep(checkpoint, named, jwks ?? [], service),
    manifestStep(named),
  ]
  const whole = entry.redacted === true ? 'withheld' : 'verified'
  return { state: steps.every(({ holds }) => holds) ? whole : 'broken', steps, checkpoint }
}

type Inclusion = NonNullable<CheckpointDetail['inclusion_proof']>

const short = (hash: string): string => `${hash.slice(0, 15)}…${hash.slice(-8)}`

async function leafStep(entry: AnsweredEntry, { leaf_hash, leaf_index }: Inclusion): Promise<Step> {
  const computed = entry.redacted === true ? entry.leaf_hash : hashText(await leafHash(canonicalText(entry)))
  const holds = computed === leaf_hash && leaf_index === entry.sequence - 1
  if (entry.redacted === true)
    return {
      holds,
      says: holds ? `An entry stands at leaf ${leaf_index}` : `The entry is not the one at leaf ${leaf_index}`,
      detail: short(leaf_hash),
    }
  return {
    holds,
    says: holds ? `The entry has the hash of leaf ${leaf_index}` : `The entry is not the one at leaf ${leaf_index}`,
    detail: short(computed ?? ''),
  }
}

async function treeStep(
  checkpoint: CheckpointDetail,
  { leaf_hash, leaf_index, tree_size, path }: Inclusion,
): Promise<Step> {
  const { merkle_root, entry_count, sequence } = checkpoint
  const root = await rootFrom({
    leaf: hashBytes(leaf_hash),
    index: leaf_index,
    size: tree_size,
    path: path.map(hashBytes),
  })
  const holds = root !== undefined && hashText(root) === merkle_root && tree_size === entry_count
  const says = holds
    ? `The leaf is in the tree of checkpoint ${sequence}`
    : `The leaf is not in the tree of checkpoint ${sequence}`
  return {
    holds,
    says,
    detail: `${path.length} ${path.length === 1 ? 'hash leads' : 'hashes lead'} to the root ${short(merkle_root)}`,
  }
}

async function signatureStep(
  checkpoint: CheckpointDetail,
  { keys }: SignedManifest,
  jwks: readonly PublicJwk[],
  service: string,
): Promise<Step> {
  const kid = kidIn(checkpoint.signature) ?? ''
  const published = Object.hasOwn(keys, kid) ? keys[kid] : undefined
  const jwk = jwks.find((each) => each.kid === kid)
  const isForTrail = published?.role === 'audit' && counts(published, checkpoint)
  const holds = isForTrail && jwk !== undefined && (await isSigned(checkpoint, jwk).catch(() => false))
  return holds
    ? { holds, says: `The checkpoint is signed by ${service}`, detail: `key ${kid}` }
    : {
        holds,
        says: 'No audit key that the manifest names signed the checkpoint',
        detail: kid === '' ? 'no key is named' : kid,
      }
}

/** A key counts because the manifest names it, so the manifest itself must be signed. */
const manifestStep = ({ kid, holds }: SignedManifest): Step => ({
  holds,
  says: holds
    ? 'The manifest that names this key is signed by its own key'
    : 'The manifest that names the key is not signed by a key for manifests, or has expired',
  detail: kid === '' ? 'no key is named' : `key ${kid}`,
})

/** A retired key signs nothing later, a leaked one nothing after the checkpoint that its owner named. */
const counts = (
  { retired_from, until_checkpoint }: PublishedKey,
  { created_at, sequence }: CheckpointDetail,
): boolean =>
  (retired_from === undefined || Date.parse(created_at) <= Date.parse(retired_from)) &&
  (until_checkpoint === undefined || sequence <= until_checkpoint.sequence)
