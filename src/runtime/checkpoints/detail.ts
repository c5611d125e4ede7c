import { formatHash } from '../../crypto/json/digest.js'
import type {
  Checkpoint,
  CheckpointDetail,
  CheckpointList,
  ConsistencyProof,
  InclusionProof,
} from '../../protocol/audit.js'
import { present } from '../json/present.js'
import { refuse } from '../errors/refusal.js'
import { PUBLIC_PAGE_BYTES } from '../limits.js'
import type { Storage } from '../storage/contract.js'
import { consistencyPath, inclusionPath } from './tree.js'

type CheckpointStorage = Pick<Storage, 'audit' | 'checkpoints'>

/** Proofs to add to a checkpoint (section 4.10). */
export interface ProofQuery {
  /** From 0. */
  readonly leafIndex?: number | undefined
  readonly invocationId?: string | undefined
  /** The id of an older checkpoint. */
  readonly consistencyFrom?: string | undefined
}

/** Part of the list of checkpoints (section 4.9). */
export interface CheckpointPage {
  readonly limit: number
  /** Exclusive lower bound of `created_at`. */
  readonly since?: string | undefined
  /** The id of the last checkpoint of the page before. */
  readonly cursor?: string | undefined
}

/** Checkpoints in list form, newest first; a cursor leads to older ones. Throws `Refusal`. */
export async function listCheckpoints(
  { checkpoints }: Pick<Storage, 'checkpoints'>,
  { limit, since = '', cursor }: CheckpointPage,
): Promise<CheckpointList> {
  const last = cursor === undefined ? undefined : ((await checkpoints.get(cursor)) ?? refuseCursor())
  const read = await readPage(checkpoints, limit, last?.sequence)
  const newer = read.found.filter(({ created_at }) => created_at > since)
  const leadsOn = read.hasMore && newer.length === read.found.length
  return present({ checkpoints: newer, next_cursor: leadsOn ? newer.at(-1)!.checkpoint_id : undefined })
}

const AT_ONCE = 100

/** Checkpoints up to a limit, or to the end of a page of bytes. */
async function readPage(checkpoints: Storage['checkpoints'], limit: number, last: number | undefined) {
  const found: Checkpoint[] = []
  let [before, bytes] = [last, 0]
  for (;;) {
    const most = Math.min(AT_ONCE, limit - found.length)
    const read = await checkpoints.list(most + 1, before)
    for (const each of read.slice(0, most)) {
      if (bytes > PUBLIC_PAGE_BYTES) return { found, hasMore: true }
      found.push(each)
      bytes += JSON.stringify(each).length
    }
    if (read.length <= most || found.length === limit) return { found, hasMore: read.length > most }
    before = found.at(-1)!.sequence
  }
}

const refuseCursor = (): never =>
  refuse('invalid_parameters', 'The query parameter cursor must be the next_cursor of the page before.')

/** A checkpoint in detail form, with the proofs that were asked for, made from stored subtrees. Throws `Refusal`. */
export async function checkpointDetail(
  storage: CheckpointStorage,
  id: string,
  query: ProofQuery = {},
): Promise<CheckpointDetail> {
  const checkpoint = (await storage.checkpoints.get(id)) ?? refuse('not_found', 'There is no such checkpoint.')
  return present({
    ...checkpoint,
    tree_size: checkpoint.entry_count,
    tree_head: checkpoint.merkle_root,
    inclusion_proof: await inclusionProof(storage, checkpoint, query),
    consistency_proof: await consistencyProof(storage, checkpoint, query),
  })
}

async function inclusionProof(
  { audit }: CheckpointStorage,
  { entry_count: size }: Checkpoint,
  { leafIndex, invocationId }: ProofQuery,
): Promise<InclusionProof | undefined> {
  if (leafIndex !== undefined && invocationId !== undefined)
    refuse('invalid_parameters', 'Give leaf_index or invocation_id, not both.')
  const index = leafIndex ?? (invocationId === undefined ? undefined : await leafOf(audit, invocationId))
  if (index === undefined) return undefined
  if (index >= size) refuse('not_found', 'The entry is not under this checkpoint; a later one will cover it.')
  const { leafHash, path } = await inclusionPath(audit, index, size)
  return { leaf_index: index, tree_size: size, leaf_hash: formatHash(leafHash), path: path.map(formatHash) }
}

async function leafOf(audit: Storage['audit'], invocationId: string): Promise<number> {
  const sequence = await audit.sequenceOf(invocationId)
  return sequence === undefined ? refuse('not_found', 'No entry has this invocation_id.') : sequence - 1
}

async function consistencyProof(
  { audit, checkpoints }: CheckpointStorage,
  { entry_count: to }: Checkpoint,
  { consistencyFrom }: ProofQuery,
): Promise<ConsistencyProof | undefined> {
  if (consistencyFrom === undefined) return undefined
  const older =
    (await checkpoints.get(consistencyFrom)) ?? refuse('not_found', 'There is no checkpoint consistency_from.')
  const from = older.entry_count
  if (from > to) refuse('invalid_parameters', 'The checkpoint consistency_from is newer than this one.')
  const path = await consistencyPath(audit, from, to)
  return { from_size: from, to_size: to, path: path.map(formatHash) }
}
