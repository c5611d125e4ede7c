/**
 * Judges the whole trail in a database by itself: every text against its leaf, every leaf up to the head and the
 * checkpoints.
 */
import { appendLeaves, leafHash, rootOf } from '../../../crypto/merkle/merkle.js'
import { formatHash } from '../../../crypto/json/digest.js'
import type { Checkpoint } from '../../../protocol/audit.js'
import { bytes, integer, json, optionalText } from './columns.js'
import { row, rows, type Row, type StoragePlan } from './plan.js'
import { concatenated, hashAt, hashColumns } from './tree.js'

export interface WholeTrail {
  readonly entries: number
  readonly root: string
  /** What does not hold, in a sentence; absent where all does. */
  readonly trouble?: string
}

const PAGE = 'select sequence, text, hashes from audit_entries where sequence > ? order by sequence limit 500'
const HEAD = 'select size, frontier from audit_head where id = 1'
const CHECKPOINTS = 'select entry_count, body from checkpoints order by sequence'

interface Walk {
  size: number
  frontier: readonly Uint8Array[]
}

/** Reads all of it, in pages (section 2.15). */
export function* wholeTrail(): StoragePlan<WholeTrail> {
  const roots = new Map(
    (yield* rows(CHECKPOINTS)).map((stored) => [
      integer(stored, 'entry_count'),
      json<Checkpoint>(stored, 'body').merkle_root,
    ]),
  )
  const walk: Walk = { size: 0, frontier: [] }
  for (;;) {
    const page = yield* rows(PAGE, walk.size)
    if (page.length === 0) break
    for (const stored of page) {
      const trouble = step(walk, stored) ?? contradicted(walk, roots)
      if (trouble !== undefined) return { entries: walk.size, root: formatHash(rootOf(walk.frontier)), trouble }
    }
  }
  const trouble = headDiffers(walk, yield* row(HEAD)) ?? beyond(walk, roots)
  return { entries: walk.size, root: formatHash(rootOf(walk.frontier)), ...(trouble !== undefined && { trouble }) }
}

/** Goes on by one entry. Erased content is gone; its leaf stays, and the root proves it. */
function step(walk: Walk, stored: Row): string | undefined {
  const sequence = integer(stored, 'sequence')
  if (sequence !== walk.size + 1) return `Entry ${walk.size + 1} is missing.`
  const hashes = bytes(stored, 'hashes')
  const leaf = hashAt(hashes, 0)
  const text = optionalText(stored, 'text')
  if (text !== null && !isSame(leafHash(text), leaf)) return `Entry ${sequence} is not the one that was hashed.`
  const grown = appendLeaves(walk.frontier, walk.size, [leaf])
  if (!isSame(hashColumns(walk.size, [leaf], grown.nodes)[0]!, hashes)) return `The hashes of entry ${sequence} differ.`
  walk.size = sequence
  walk.frontier = grown.frontier
  return undefined
}

const isSame = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0

function contradicted({ size, frontier }: Walk, roots: ReadonlyMap<number, string>): string | undefined {
  const signed = roots.get(size)
  if (signed === undefined || signed === formatHash(rootOf(frontier))) return undefined
  return `The checkpoint of ${size} entries has another root.`
}

function headDiffers({ size, frontier }: Walk, head: Row | undefined): string | undefined {
  const isHead = head !== undefined && integer(head, 'size') === size
  if (isHead && (size === 0 || isSame(bytes(head, 'frontier'), concatenated(frontier)))) return undefined
  return `The head of the log is not that of its ${size} entries.`
}

function beyond({ size }: Walk, roots: ReadonlyMap<number, string>): string | undefined {
  const most = Math.max(0, ...roots.keys())
  return most > size ? `A checkpoint has ${most} entries, the log ${size}.` : undefined
}
