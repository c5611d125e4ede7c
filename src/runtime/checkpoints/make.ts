import { signCheckpoint } from '../../crypto/merkle/checkpoint.js'
import { formatHash } from '../../crypto/json/digest.js'
import type { RingKey } from '../../crypto/keys/key-ring.js'
import type { Signer } from '../../crypto/keys/signer.js'
import type { Checkpoint } from '../../protocol/audit.js'
import type { Storage } from '../storage/contract.js'
import { timestamp } from '../json/timestamp.js'
import { continuityOf, type Discontinuity } from './continuity.js'

export interface CheckpointDependencies {
  readonly storage: Pick<Storage, 'audit' | 'checkpoints'>
  /** The signer of the active audit key. */
  readonly signer: () => Signer
  /** The verification keys of role `audit`. */
  readonly keys: () => readonly RingKey[]
  /** ms since the epoch. */
  readonly clock: () => number
  readonly newId: () => string
  /** Memory of the last checkpoint, kept outside of the storage, so that a restored backup is noticed. */
  readonly memory?: CheckpointMemory
}

/** Memory of the last checkpoint for each log, identified by the hash of its first leaf. */
export interface CheckpointMemory {
  last(log: string): Promise<Checkpoint | undefined>
  keep(log: string, checkpoint: Checkpoint): Promise<void>
  /** Checks whether the memory is writable; true if absent. */
  isWritable?(): Promise<boolean>
  /** Checks whether a checkpoint of any log is remembered; false if absent. */
  hasAny?(): Promise<boolean>
}

/** Result of making a checkpoint; with neither member, every entry is covered or another replica was first. */
export interface CheckpointOutcome {
  readonly made?: Checkpoint
  readonly refused?: Discontinuity
}

/**
 * Makes a checkpoint of all entries so far, if there are new ones: verified against the last one, signed, and stored
 * before anyone can read it. Reads O(log n) subtrees and no entry. Refuses when the log is smaller or other than what
 * was signed.
 */
export async function makeCheckpoint(given: CheckpointDependencies): Promise<CheckpointOutcome> {
  const { storage, keys, memory } = given
  const log = memory === undefined ? '' : await logOf(storage.audit)
  // First the memory: whatever was remembered by then, the storage has.
  const remembered = await memory?.last(log)
  const last = await storage.checkpoints.latest()
  const size = await storage.audit.size()
  if (isBehind(last, remembered)) return { refused: 'checkpoint_missing' }
  const { root, trouble } = await continuityOf(storage.audit, size, last, keys(), remembered)
  if (trouble !== undefined) return { refused: trouble }
  if (last !== undefined && last.sequence > (remembered?.sequence ?? 0)) await memory?.keep(log, last)
  if (size === (last?.entry_count ?? 0)) return {}
  const made = await signCheckpoint(given.signer(), headOf(given, root, size, last))
  if (!(await storage.checkpoints.insert(made))) return {}
  await memory?.keep(log, made)
  return { made }
}

async function logOf(audit: Storage['audit']): Promise<string> {
  const [first] = (await audit.size()) === 0 ? [] : await audit.nodes([{ level: 0, index: 0 }])
  return first === undefined ? 'empty' : formatHash(first)
}

/** Holds when something newer than the stored checkpoint was signed. */
const isBehind = (stored: Checkpoint | undefined, remembered: Checkpoint | undefined): boolean =>
  remembered !== undefined && (stored === undefined || stored.sequence < remembered.sequence)

function headOf(
  { clock, newId }: CheckpointDependencies,
  root: Uint8Array,
  size: number,
  last: Checkpoint | undefined,
): Omit<Checkpoint, 'signature'> {
  return {
    checkpoint_id: newId(),
    sequence: (last?.sequence ?? 0) + 1,
    merkle_root: formatHash(root),
    entry_count: size,
    // A clock that was set back does not make a checkpoint older than the one before it.
    created_at: timestamp(Math.max(clock(), last === undefined ? 0 : Date.parse(last.created_at))),
  }
}
