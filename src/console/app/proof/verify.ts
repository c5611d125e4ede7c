import { canonicalText } from '../../../crypto/json/canonical.js'
import type { AnsweredEntry, CheckpointDetail } from '../../../protocol/audit.js'
import { hashBytes, hashText, leafHash, rootFrom } from './hashes.js'
import { auditKey, checkpointWith, newestCheckpoint, type AuditKey } from './read.js'
import { isSigned, signedBy } from './signature.js'

/** A step of a proof that was computed here. */
export interface Step {
  readonly holds: boolean
  readonly says: string
  readonly detail: string
}

export type Proof =
  | { readonly state: 'unsigned' | 'unread' }
  | { readonly state: 'verified' | 'broken'; readonly steps: readonly Step[]; readonly checkpoint: CheckpointDetail }

/** Computes in this browser that an entry stands in the signed trail; nothing of it is taken on the word of a page. */
export async function prove(entry: AnsweredEntry, service: string): Promise<Proof> {
  const newest = await newestCheckpoint()
  if (newest === undefined) return { state: 'unread' }
  if (newest.entry_count < entry.sequence) return { state: 'unsigned' }
  const checkpoint = await checkpointWith(newest.checkpoint_id, entry.sequence - 1)
  if (checkpoint?.inclusion_proof === undefined) return { state: 'unread' }
  const steps = [
    await leafStep(entry, checkpoint.inclusion_proof),
    await treeStep(checkpoint, checkpoint.inclusion_proof),
    await signatureStep(checkpoint, service),
  ]
  return { state: steps.every(({ holds }) => holds) ? 'verified' : 'broken', steps, checkpoint }
}

type Inclusion = NonNullable<CheckpointDetail['inclusion_proof']>

const short = (hash: string): string => `${hash.slice(0, 15)}…${hash.slice(-8)}`

async function leafStep(entry: AnsweredEntry, { leaf_hash, leaf_index }: Inclusion): Promise<Step> {
  const computed = entry.redacted === true ? entry.leaf_hash : hashText(await leafHash(canonicalText(entry)))
  const holds = computed === leaf_hash && leaf_index === entry.sequence - 1
  if (entry.redacted === true)
    return {
      holds,
      says: `An entry stands at leaf ${leaf_index}; some of its text is withheld from you`,
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

async function signatureStep(checkpoint: CheckpointDetail, service: string): Promise<Step> {
  const kid = signedBy(checkpoint)
  const key = kid === undefined ? undefined : await auditKey(kid)
  const holds = key !== undefined && counts(key, checkpoint) && (await isSigned(checkpoint, key.jwk).catch(() => false))
  return holds
    ? { holds, says: `The checkpoint is signed by ${service}`, detail: `key ${kid}` }
    : { holds, says: 'No audit key that the service publishes signed the checkpoint', detail: kid ?? 'no key is named' }
}

/** A retired key signs nothing later, a leaked one nothing after the checkpoint that its owner named. */
const counts = (
  { published: { retired_from, until_checkpoint } }: AuditKey,
  { created_at, sequence }: CheckpointDetail,
): boolean =>
  (retired_from === undefined || Date.parse(created_at) <= Date.parse(retired_from)) &&
  (until_checkpoint === undefined || sequence <= until_checkpoint.sequence)
