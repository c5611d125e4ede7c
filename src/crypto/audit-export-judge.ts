/**
 * Judges an audit export line by line, with nothing but trusted public keys. What it holds is O(log n) hashes and the
 * checkpoints, so an export of any size is judged while it is read.
 */
import { createHash } from 'node:crypto'
import type { Checkpoint } from '../protocol/audit.js'
import type { CheckpointLine, EntryLine, ExportHeader } from './audit-export.js'
import { verifySeal } from './audit-export.js'
import {
  readCheckpointLine,
  readEntryLine,
  readHeader,
  readLine,
  readSealLine,
  sequenceIn,
} from './audit-export-lines.js'
import { verifyCheckpoint } from './checkpoint.js'
import { formatHash, parseHash } from './digest.js'
import type { RingKey } from './key-ring.js'
import { appendLeaves, leafHash, rootOf } from './merkle.js'
import { verifyConsistency, verifyInclusion } from './merkle-verify.js'

export interface ExportFinding {
  /** The first entry that it is about, where it is about entries. */
  readonly sequence?: number
  /** A full sentence. */
  readonly message: string
}

export interface ExportVerdict {
  /** What is wrong first of all comes first. Empty when everything holds. */
  readonly findings: readonly ExportFinding[]
  readonly header?: ExportHeader
  readonly entries: number
  /** Of these, how many have no content any more: retention erased it, and only the leaf hash is proven. */
  readonly erased: number
  readonly checkpoints: readonly Checkpoint[]
  /** The key that sealed the export. */
  readonly kid?: string
}

export interface ExportJudge {
  /** A line without its line feed. */
  line(bytes: Uint8Array): void
  /** `isComplete` holds when the last byte was a line feed. */
  verdict(isComplete: boolean): ExportVerdict
}

interface Progress {
  readonly trusted: readonly RingKey[]
  readonly hash: ReturnType<typeof createHash>
  readonly findings: ExportFinding[]
  readonly checkpoints: Checkpoint[]
  /** By entry count. */
  readonly covering: Map<number, Checkpoint>
  header: ExportHeader | undefined
  lines: number
  entries: number
  erased: number
  frontier: readonly Uint8Array[]
  kid: string | undefined
  sealed: boolean
}

const MOST_FINDINGS = 20

/**
 * Starts to judge. `keys` are the verification keys of role `audit` that the reader trusts, `held` a checkpoint that the reader has
 * from elsewhere: an export that does not have it is another history, or an older one.
 */
export function judgeExport(keys: readonly RingKey[], held?: Checkpoint): ExportJudge {
  const progress: Progress = {
    trusted: keys,
    hash: createHash('sha256'),
    findings: [],
    checkpoints: [],
    covering: new Map(),
    header: undefined,
    lines: 0,
    entries: 0,
    erased: 0,
    frontier: [],
    kid: undefined,
    sealed: false,
  }
  return {
    line: (bytes) => judgeLine(progress, bytes),
    verdict: (isComplete) => conclude(progress, isComplete, held),
  }
}

const find = ({ findings }: Progress, message: string, sequence?: number): void => {
  if (findings.length < MOST_FINDINGS) findings.push(sequence === undefined ? { message } : { sequence, message })
}

/** The entry that is due next. */
const nextSequence = ({ header, entries }: Progress): number => (header?.from_sequence ?? 1) + entries

function judgeLine(progress: Progress, bytes: Uint8Array): void {
  const line = readLine(bytes)
  const seal = line === undefined ? undefined : readSealLine(line)
  if (progress.sealed) find(progress, `Line ${progress.lines + 2} stands after the seal.`)
  else if (seal !== undefined) judgeSeal(progress, seal)
  else {
    progress.hash.update(bytes).update('\n')
    progress.lines++
    if (line === undefined) find(progress, `Line ${progress.lines} is not canonical JSON.`, nextIfEntries(progress))
    else if (progress.lines === 1) judgeHeader(progress, readHeader(line))
    else judgeBody(progress, readCheckpointLine(line), readEntryLine(line))
  }
}

const nextIfEntries = (progress: Progress): number | undefined =>
  progress.checkpoints.length > 0 && progress.lines > 1 + progress.checkpoints.length
    ? nextSequence(progress)
    : undefined

function judgeHeader(progress: Progress, header: ExportHeader | undefined): void {
  progress.header = header
  if (header === undefined) find(progress, 'The first line is not the header of an audit export.')
}

function judgeBody(progress: Progress, checkpoint: CheckpointLine | undefined, entry: EntryLine | undefined): void {
  if (checkpoint !== undefined && progress.entries === 0) judgeCheckpointLine(progress, checkpoint)
  else if (entry === undefined)
    find(progress, `Line ${progress.lines} is neither a checkpoint nor an entry in its place.`, nextIfEntries(progress))
  else judgeEntryLine(progress, entry)
}

function judgeCheckpointLine(progress: Progress, { checkpoint, path }: CheckpointLine): void {
  const last = progress.checkpoints.at(-1)
  const firstUnproven = (last?.entry_count ?? 0) + 1
  const name = `Checkpoint ${checkpoint.sequence}`
  if (verifyCheckpoint(checkpoint, keysOf(progress)) === undefined)
    find(progress, `${name} is not signed by a trusted audit key of this service.`, firstUnproven)
  if (last !== undefined && !continues(last, checkpoint, path))
    find(
      progress,
      `${name} does not continue checkpoint ${last.sequence}: history was forked or rewritten.`,
      firstUnproven,
    )
  if (checkpoint.sequence !== (last?.sequence ?? 0) + 1)
    find(progress, `${name} follows checkpoint ${last?.sequence ?? 0}; one is missing or out of order.`, firstUnproven)
  progress.checkpoints.push(checkpoint)
  progress.covering.set(checkpoint.entry_count, checkpoint)
}

/** Keys count when the reader trusts them and the export says that their role is the audit trail. */
const keysOf = ({ trusted, header }: Progress): readonly RingKey[] =>
  trusted.filter(({ kid }) => header?.keys.some((key) => key.kid === kid) ?? false)

function continues(from: Checkpoint, to: Checkpoint, path: readonly string[]): boolean {
  if (from.entry_count === 0) return path.length === 0
  return verifyConsistency({
    fromSize: from.entry_count,
    fromRoot: parseHash(from.merkle_root)!,
    toSize: to.entry_count,
    toRoot: parseHash(to.merkle_root)!,
    path: path.map((hash) => parseHash(hash)!),
  })
}

function judgeEntryLine(progress: Progress, entry: EntryLine): void {
  const due = nextSequence(progress)
  progress.entries++
  if ('leaf_hash' in entry) progress.erased++
  const stated = 'leaf' in entry ? sequenceIn(entry.leaf) : entry.sequence
  if (entry.sequence !== due || stated !== due)
    find(
      progress,
      `Entry ${due} is missing, out of order or altered: sequence ${stated ?? entry.sequence} stands in its place.`,
      due,
    )
  const leaf = 'leaf' in entry ? leafHash(entry.leaf) : parseHash(entry.leaf_hash)!
  if (!isIncluded(progress, leaf, due, entry.path))
    find(progress, `Entry ${due} is not the one that was recorded: it is not under the last checkpoint.`, due)
  grow(progress, leaf, due)
}

function isIncluded({ checkpoints }: Progress, leaf: Uint8Array, sequence: number, path: readonly string[]): boolean {
  const last = checkpoints.at(-1)
  if (last === undefined) return false
  const claim = { leafHash: leaf, index: sequence - 1, size: last.entry_count, root: parseHash(last.merkle_root)! }
  return verifyInclusion({ ...claim, path: path.map((hash) => parseHash(hash)!) })
}

/** With all entries from the first one on, each checkpoint's root is computed anew. */
function grow(progress: Progress, leaf: Uint8Array, sequence: number): void {
  if (progress.header?.from_sequence !== 1) return
  progress.frontier = appendLeaves(progress.frontier, sequence - 1, [leaf]).frontier
  const reached = progress.covering.get(sequence)
  if (reached === undefined || formatHash(rootOf(progress.frontier)) === reached.merkle_root) return
  find(progress, `Checkpoint ${reached.sequence} has another root than the entries up to ${sequence} give.`, sequence)
}

function judgeSeal(progress: Progress, seal: NonNullable<ReturnType<typeof readSealLine>>): void {
  progress.sealed = true
  progress.kid = verifySeal(seal, keysOf(progress))?.kid
  const bytesHold = `sha256:${progress.hash.digest('hex')}` === seal.sha256 && seal.lines === progress.lines
  if (progress.kid === undefined) find(progress, 'The export is not sealed by a trusted audit key of this service.')
  else if (!bytesHold) find(progress, 'The export was changed after it was sealed.')
}

function conclude(progress: Progress, isComplete: boolean, held: Checkpoint | undefined): ExportVerdict {
  const { header, checkpoints, entries, erased, findings } = progress
  const due = nextSequence(progress)
  const covered = checkpoints.at(-1)?.entry_count ?? 0
  if (header !== undefined && due <= header.to_sequence)
    find(
      progress,
      `The export ends before entry ${due}; it says that it has the entries up to ${header.to_sequence}.`,
      due,
    )
  if (header !== undefined && (header.to_sequence > covered || due - 1 > header.to_sequence))
    find(
      progress,
      `The header says that the entries end at ${header.to_sequence}; the last checkpoint covers ${covered}.`,
    )
  if (held !== undefined) judgeHeld(progress, held)
  if (!progress.sealed || !isComplete) find(progress, 'The export has no seal at its end: it was cut off.')
  const order = findings.toSorted((one, other) => (one.sequence ?? Infinity) - (other.sequence ?? Infinity))
  return {
    findings: order,
    entries,
    erased,
    checkpoints,
    ...(header === undefined ? {} : { header }),
    ...(progress.kid === undefined ? {} : { kid: progress.kid }),
  }
}

function judgeHeld(progress: Progress, held: Checkpoint): void {
  const { checkpoints } = progress
  const same = checkpoints.find(({ sequence }) => sequence === held.sequence)
  const name = `Checkpoint ${held.sequence}, which you hold,`
  if (same === undefined)
    find(
      progress,
      `${name} is not in the export: it was truncated or rolled back.`,
      (checkpoints.at(-1)?.entry_count ?? 0) + 1,
    )
  else if (same.merkle_root !== held.merkle_root || same.entry_count !== held.entry_count)
    find(progress, `${name} has another root than the one in the export: there are two histories.`, 1)
}
