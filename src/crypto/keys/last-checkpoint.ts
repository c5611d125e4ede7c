/** The checkpoint up to which an audit key counts that has leaked (decisions, section 14: Roles of keys). */
import type { Json } from '../../protocol/manifest.js'
import type { LastCheckpoint } from '../../protocol/published-keys.js'
import { isHash } from '../json/digest.js'
import { isCount, isRecord } from '../json/kinds.js'
import type { RingKey } from './key-ring.js'

export function readLastCheckpoint(value: Json | undefined): LastCheckpoint | undefined {
  if (!isRecord(value)) return undefined
  const { sequence, entry_count, merkle_root } = value
  return isCount(sequence) && isCount(entry_count) && isHash(merkle_root)
    ? { sequence, entry_count, merkle_root }
    : undefined
}

/**
 * Returns why a checkpoint signed by a key does not count; undefined if it does. Of a leaked key only the last
 * checkpoint counts by itself, because its root is known; an earlier one counts if that checkpoint, or a later one of
 * another key, extends it.
 */
export function signedAfterLeak(
  kid: string,
  { sequence, entry_count, merkle_root }: LastCheckpoint,
  keys: readonly RingKey[],
): string | undefined {
  const last = keys.find((key) => key.kid === kid)?.untilCheckpoint
  if (last === undefined) return undefined
  if (last.sequence === sequence && last.entry_count === entry_count && last.merkle_root === merkle_root)
    return undefined
  return (
    `The key ${kid} has leaked and counts up to checkpoint ${last.sequence} (${last.merkle_root}) only; this is ` +
    `checkpoint ${sequence}. Take that one, or a later one of another key.`
  )
}
