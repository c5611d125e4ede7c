/** Check that the log still extends the last checkpoint: a service signs no second history (section 2.15). */
import { canonicalText } from '../../crypto/json/canonical.js'
import { formatHash, parseHash } from '../../crypto/json/digest.js'
import { verifyCheckpoint } from '../../crypto/merkle/checkpoint.js'
import type { RingKey } from '../../crypto/keys/key-ring.js'
import { signedAfterLeak } from '../../crypto/keys/last-checkpoint.js'
import { verifyConsistency } from '../../crypto/merkle/merkle-verify.js'
import type { Checkpoint } from '../../protocol/audit.js'
import { consistencyPath, rootAt, type Tree } from './tree.js'

/** Reasons why nothing may be signed. */
export type Discontinuity = 'log_smaller' | 'log_differs' | 'checkpoint_altered' | 'checkpoint_missing'

export interface Continuity {
  /** The root of the whole log. */
  readonly root: Uint8Array
  readonly trouble?: Discontinuity
}

/**
 * The root of the first `size` entries, and whether they continue what was signed before. The last checkpoint counts
 * when a key that verifies signed it, or when it is the one that is remembered: its key may have been retired since.
 * What is remembered must be in the log, too.
 */
export async function continuityOf(
  tree: Tree,
  size: number,
  last: Checkpoint | undefined,
  keys: readonly RingKey[],
  remembered?: Checkpoint,
): Promise<Continuity> {
  if (last !== undefined && size < last.entry_count) return { root: await rootAt(tree, size), trouble: 'log_smaller' }
  const root = await rootAt(tree, size)
  if (last === undefined) return { root }
  if (!isSame(last, remembered) && !isSigned(last, keys)) return { root, trouble: 'checkpoint_altered' }
  if (!(await continues(tree, last, size, root))) return { root, trouble: 'log_differs' }
  return (await isFork(tree, size, last, remembered)) ? { root, trouble: 'log_differs' } : { root }
}

/**
 * Checks whether the log lacks the remembered checkpoint, though a checkpoint of its own goes further: a database
 * that was replaced by its standby, and signed for by another process, has returned (threat N24).
 */
async function isFork(
  tree: Tree,
  size: number,
  last: Checkpoint,
  remembered: Checkpoint | undefined,
): Promise<boolean> {
  if (remembered === undefined || isSame(last, remembered)) return false
  const { entry_count, merkle_root } = remembered
  return size < entry_count || formatHash(await rootAt(tree, entry_count)) !== merkle_root
}

function isSigned(last: Checkpoint, keys: readonly RingKey[]): boolean {
  const signed = verifyCheckpoint(last, keys)
  return signed !== undefined && signedAfterLeak(signed.kid, last, keys) === undefined
}

const isSame = (one: Checkpoint, other: Checkpoint | undefined): boolean =>
  other !== undefined && canonicalText(one) === canonicalText(other)

async function continues(
  tree: Tree,
  { entry_count, merkle_root }: Checkpoint,
  size: number,
  root: Uint8Array,
): Promise<boolean> {
  if (formatHash(await rootAt(tree, entry_count)) !== merkle_root) return false
  const path = await consistencyPath(tree, entry_count, size)
  return verifyConsistency({
    fromSize: entry_count,
    fromRoot: parseHash(merkle_root)!,
    toSize: size,
    toRoot: root,
    path,
  })
}
