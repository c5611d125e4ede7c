/** Third-party checks of checkpoints and entries, from unchecked JSON. Nothing here throws. */
import type { Checkpoint, ConsistencyProof, InclusionProof } from '../../protocol/audit.js'
import type { Json, JsonObject } from '../../protocol/manifest.js'
import { canonicalText } from '../json/canonical.js'
import { verifyCheckpoint } from './checkpoint.js'
import type { VerifyDetached } from '../jws/jws.js'
import { formatHash, isHash, isPath, parseHash } from '../json/digest.js'
import type { RingKey } from '../keys/key-ring.js'
import { datedAfterRetirement } from '../keys/published-keys.js'
import { signedAfterLeak } from '../keys/last-checkpoint.js'
import { leafHash } from './merkle.js'
import { verifyConsistency, verifyInclusion } from './merkle-verify.js'
import { isCount, isRecord, isText } from '../json/kinds.js'

/**
 * Checks whether an entry is redacted: it then proves only that an entry with this hash exists; its members do not
 * count.
 */
export const isRedacted = (entry: JsonObject): boolean => entry['redacted'] === true

export interface Judgement {
  /** Full sentences; empty when everything holds. */
  readonly findings: readonly string[]
  /** The key that signed, when one of the given ones did. */
  readonly kid?: string
}

/** The list-form members of a checkpoint, if they have their types (section 2.15). */
export function readCheckpoint(value: Json | undefined): Checkpoint | undefined {
  if (!isRecord(value)) return undefined
  const { checkpoint_id, sequence, merkle_root, entry_count, created_at, signature } = value
  if (!isText(checkpoint_id) || !isText(created_at) || !isText(signature)) return undefined
  if (!isCount(sequence) || !isCount(entry_count) || !isHash(merkle_root)) return undefined
  return { checkpoint_id, sequence, merkle_root, entry_count, created_at, signature }
}

/** Judges a checkpoint in list or detail form: its signature, and whatever else stands in it. */
export function judgeCheckpoint(
  record: JsonObject,
  keys: readonly RingKey[],
  older?: Checkpoint,
  verify?: VerifyDetached,
): Judgement {
  const checkpoint = readCheckpoint(record)
  if (checkpoint === undefined)
    return { findings: ['The file is not a checkpoint: a member is missing or has another type.'] }
  const signed = verifyCheckpoint(checkpoint, keys, verify)
  const findings = [
    ...(signed === undefined
      ? ['No trusted audit key signed this checkpoint: a member or the signature was changed.']
      : []),
    ...(signed === undefined ? [] : lateness(signed.kid, checkpoint, keys)),
    ...headTrouble(record, checkpoint),
    ...inclusionTrouble(record['inclusion_proof'], checkpoint),
    ...consistencyTrouble(
      record['consistency_proof'],
      checkpoint,
      older && { older, isSigned: verifyCheckpoint(older, keys, verify) !== undefined },
    ),
  ]
  return { findings, ...signed }
}

/** Judges an audit entry by the inclusion proof that stands in a checkpoint. */
export function judgeEntry(
  entry: JsonObject,
  record: JsonObject,
  keys: readonly RingKey[],
  verify?: VerifyDetached,
): Judgement {
  const { findings, ...signed } = judgeCheckpoint(record, keys, undefined, verify)
  const proof = readInclusion(record['inclusion_proof'])
  if (proof === undefined) return { findings: [...findings, 'The checkpoint has no inclusion proof.'], ...signed }
  const hash = isRedacted(entry) ? entry['leaf_hash'] : formatHash(leafHash(canonicalText(entry)))
  const isLeaf = hash === proof.leaf_hash
  const isPlaced = isRedacted(entry) || entry['sequence'] === proof.leaf_index + 1
  const trouble = [
    ...(isLeaf
      ? []
      : ['The entry is not the one that the proof is for: a member was changed, or the proof is of another entry.']),
    ...(isPlaced
      ? []
      : [
          `The entry has sequence ${canonicalText(entry['sequence'] ?? null)}, the proof is ` +
            `for ${proof.leaf_index + 1}.`,
        ]),
  ]
  return { findings: [...findings, ...trouble], ...signed }
}

function lateness(kid: string, checkpoint: Checkpoint, keys: readonly RingKey[]): readonly string[] {
  const troubles = [datedAfterRetirement(kid, checkpoint.created_at, keys), signedAfterLeak(kid, checkpoint, keys)]
  return troubles.filter((trouble) => trouble !== undefined)
}

function headTrouble(
  { tree_size, tree_head }: JsonObject,
  { entry_count, merkle_root }: Checkpoint,
): readonly string[] {
  const sizeHolds = tree_size === undefined || tree_size === entry_count
  const headHolds = tree_head === undefined || tree_head === merkle_root
  return sizeHolds && headHolds ? [] : ['tree_size and tree_head do not repeat entry_count and merkle_root.']
}

function inclusionTrouble(value: Json | undefined, { entry_count, merkle_root }: Checkpoint): readonly string[] {
  if (value === undefined) return []
  const proof = readInclusion(value)
  const holds =
    proof?.tree_size === entry_count &&
    verifyInclusion({
      leafHash: parseHash(proof.leaf_hash)!,
      index: proof.leaf_index,
      size: proof.tree_size,
      path: proof.path.map((hash) => parseHash(hash)!),
      root: parseHash(merkle_root)!,
    })
  return holds ? [] : ['The inclusion proof does not lead to the root of this checkpoint.']
}

function consistencyTrouble(
  value: Json | undefined,
  { entry_count, merkle_root }: Checkpoint,
  held: { readonly older: Checkpoint; readonly isSigned: boolean } | undefined,
): readonly string[] {
  if (held === undefined) return []
  const { older, isSigned } = held
  if (!isSigned) return ['No trusted audit key signed the older checkpoint.']
  const proof = readConsistency(value)
  if (proof === undefined) return ['The checkpoint has no consistency proof (ask for it with ?consistency_from=).']
  const holds =
    proof.from_size === older.entry_count &&
    proof.to_size === entry_count &&
    verifyConsistency({
      fromSize: proof.from_size,
      fromRoot: parseHash(older.merkle_root)!,
      toSize: proof.to_size,
      toRoot: parseHash(merkle_root)!,
      path: proof.path.map((hash) => parseHash(hash)!),
    })
  return holds
    ? []
    : ['This checkpoint does not continue the older one: history was rewritten, or the proof is of others.']
}

function readInclusion(value: Json | undefined): InclusionProof | undefined {
  if (!isRecord(value)) return undefined
  const { leaf_index, tree_size, leaf_hash, path } = value
  if (!isCount(leaf_index) || !isCount(tree_size) || !isHash(leaf_hash) || !isPath(path)) return undefined
  return { leaf_index, tree_size, leaf_hash, path }
}

function readConsistency(value: Json | undefined): ConsistencyProof | undefined {
  if (!isRecord(value)) return undefined
  const { from_size, to_size, path } = value
  return isCount(from_size) && isCount(to_size) && isPath(path) ? { from_size, to_size, path } : undefined
}
