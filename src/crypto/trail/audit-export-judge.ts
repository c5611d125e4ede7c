/**
 * Judges an audit export line by line, with nothing but trusted public keys. It holds nothing but the checkpoints, and
 * what it takes to count the uses of allowances, so an export of any size is judged while it is read.
 */
import { createHash } from 'node:crypto'
import type { Checkpoint } from '../../protocol/audit.js'
import type { JsonObject } from '../../protocol/manifest.js'
import type { CheckpointLine, EntryLine, ExportHeader } from './audit-export.js'
import { verifySeal } from './audit-export.js'
import { readCheckpointLine, readEntryLine, readHeader, readLine, readSealLine, entryIn } from './audit-export-lines.js'
import { counters, type Counters } from './counters.js'
import { coverage, type ErasureCoverage } from './erasure.js'
import type { VerifyDetached } from '../jws/jws.js'
import { verifyCheckpoint } from '../merkle/checkpoint.js'
import { parseHash } from '../json/digest.js'
import type { RingKey } from '../keys/key-ring.js'
import { datedAfterRetirement } from '../keys/published-keys.js'
import { signedAfterLeak } from '../keys/last-checkpoint.js'
import { leafHash } from '../merkle/merkle.js'
import { verifyConsistency, verifyInclusion } from '../merkle/merkle-verify.js'

export interface ExportFinding {
  /** The first entry that it is about, where it is about entries. */
  readonly sequence?: number
  /** A full sentence. */
  readonly message: string
}

export interface ExportVerdict {
  /** Findings, most fundamental first. Empty if everything holds. */
  readonly findings: readonly ExportFinding[]
  readonly header?: ExportHeader
  readonly entries: number
  /** Of these, how many have no content any more: it was erased, and only the leaf hash is proven. */
  readonly erased: number
  /** Number of entries that record erasures. */
  readonly erasures: number
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
  /** Of which service it must be. */
  readonly serviceId: string | undefined
  readonly verify: VerifyDetached | undefined
  readonly hash: ReturnType<typeof createHash>
  readonly findings: ExportFinding[]
  readonly checkpoints: Checkpoint[]
  header: ExportHeader | undefined
  lines: number
  entries: number
  readonly coverage: ErasureCoverage
  readonly counters: Counters
  /** Number of entries covered by the last checkpoint that counts; followed by why the last one does not count. */
  proven: number
  uncounted: string | undefined
  kid: string | undefined
  seal: { readonly bytes: Uint8Array; readonly line: JsonObject } | undefined
}

const MOST_FINDINGS = 20

/**
 * Starts to judge. `keys` are the verification keys of role `audit` that the reader trusts, `held` a checkpoint that
 * the reader has from elsewhere: an export that does not have it is another history, or an older one. `serviceId` is
 * whose keys they are.
 */
export function judgeExport(
  keys: readonly RingKey[],
  held?: Checkpoint,
  serviceId?: string,
  verify?: VerifyDetached,
): ExportJudge {
  const progress: Progress = {
    trusted: keys,
    serviceId,
    verify,
    hash: createHash('sha256'),
    findings: [],
    checkpoints: [],
    header: undefined,
    lines: 0,
    entries: 0,
    coverage: coverage(),
    counters: counters(),
    proven: 0,
    uncounted: undefined,
    kid: undefined,
    seal: undefined,
  }
  return {
    line: (bytes) => judgeLine(progress, bytes),
    verdict: (isComplete) => conclude(progress, isComplete, held),
  }
}

/** Keeps the findings that come first: a later one may be about an earlier entry. */
function find({ findings }: Progress, message: string, sequence = Infinity): void {
  if (findings.length === MOST_FINDINGS && placeOf(findings.at(-1)!) <= sequence) return
  findings.push(sequence === Infinity ? { message } : { sequence, message })
  findings.splice(0, Infinity, ...inOrder(findings).slice(0, MOST_FINDINGS))
}

const placeOf = ({ sequence = Infinity }: ExportFinding): number => sequence

const inOrder = (findings: readonly ExportFinding[]): readonly ExportFinding[] =>
  findings.toSorted((one, other) => compared(placeOf(one), placeOf(other)))

const compared = (one: number, other: number): number => (one === other ? 0 : one - other)

/** The entry that is due next. */
const nextSequence = ({ header, entries }: Progress): number => (header?.from_sequence ?? 1) + entries

/** A seal is one only as the last line: until the next line comes, it waits. */
function judgeLine(progress: Progress, bytes: Uint8Array): void {
  const { seal } = progress
  if (seal !== undefined) {
    progress.seal = undefined
    judgeInner(progress, seal.bytes, seal.line)
  }
  const line = readLine(bytes)
  if (progress.lines > 0 && line?.['type'] === 'seal') progress.seal = { bytes: Uint8Array.from(bytes), line }
  else judgeInner(progress, bytes, line)
}

/** Without a header nothing else can be judged. */
function judgeInner(progress: Progress, bytes: Uint8Array, line: JsonObject | undefined): void {
  progress.hash.update(bytes).update('\n')
  progress.lines++
  if (progress.lines === 1) return judgeHeader(progress, line && readHeader(line))
  if (progress.header === undefined) return
  const checkpoint = line && progress.entries === 0 ? readCheckpointLine(line) : undefined
  if (checkpoint === undefined) judgeEntryLine(progress, line && readEntryLine(line))
  else judgeCheckpointLine(progress, checkpoint)
}

function judgeHeader(progress: Progress, header: ExportHeader | undefined): void {
  progress.header = header
  if (header === undefined) return find(progress, 'The first line is not the header of an audit export.')
  const { serviceId = header.service_id } = progress
  if (header.service_id !== serviceId)
    find(progress, `The export is of the service ${header.service_id}, the keys are those of ${serviceId}.`)
}

function judgeCheckpointLine(progress: Progress, { checkpoint, path }: CheckpointLine): void {
  const last = progress.checkpoints.at(-1)
  const firstUnproven = (last?.entry_count ?? 0) + 1
  const name = `Checkpoint ${checkpoint.sequence}`
  const signed = verifyCheckpoint(checkpoint, keysOf(progress), progress.verify)
  if (signed === undefined)
    find(progress, `${name} is not signed by a trusted audit key of this service.`, firstUnproven)
  const late = signed && datedAfterRetirement(signed.kid, checkpoint.created_at, progress.trusted)
  if (late !== undefined) find(progress, `${name}: ${late}`, firstUnproven)
  // A later one that counts makes up for it, because it continues this one.
  progress.uncounted = signed && signedAfterLeak(signed.kid, checkpoint, progress.trusted)
  if (progress.uncounted === undefined) progress.proven = checkpoint.entry_count
  if (last !== undefined && !continues(last, checkpoint, path))
    find(
      progress,
      `${name} does not continue checkpoint ${last.sequence}: history was forked or rewritten.`,
      firstUnproven,
    )
  if (checkpoint.sequence !== (last?.sequence ?? 0) + 1)
    find(progress, `${name} follows checkpoint ${last?.sequence ?? 0}; one is missing or out of order.`, firstUnproven)
  else if (last === undefined && path.length > 0)
    find(progress, `${name} is the first, but says how it continues another one.`, firstUnproven)
  progress.checkpoints.push(checkpoint)
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

/** Judges a line after the checkpoints as an entry, whatever it is. */
function judgeEntryLine(progress: Progress, entry: EntryLine | undefined): void {
  const due = nextSequence(progress)
  progress.entries++
  if (entry === undefined) return find(progress, `Line ${progress.lines} is not an entry as it is exported.`, due)
  const content = 'leaf' in entry ? entryIn(entry.leaf) : undefined
  const stated = 'leaf' in entry ? content?.sequence : entry.sequence
  if (entry.sequence !== due || stated !== due)
    find(
      progress,
      `Entry ${due} is missing, out of order or altered: sequence ${stated ?? entry.sequence} stands in its place.`,
      due,
    )
  const leaf = 'leaf' in entry ? leafHash(entry.leaf) : parseHash(entry.leaf_hash)!
  if (!isIncluded(progress, leaf, due, entry.path))
    find(progress, `Entry ${due} is not the one that was recorded: it is not under the last checkpoint.`, due)
  if ('leaf_hash' in entry) progress.coverage.isErased(due)
  else judgeContent(progress, content, due)
}

/**
 * An entry that accounts for others must do so as erasures do; none may show that an allowance was used beyond its end.
 */
function judgeContent(progress: Progress, content: JsonObject | undefined, due: number): void {
  if (content === undefined) return
  const trouble = progress.counters.note(content)
  if (trouble !== undefined) find(progress, `Entry ${due} should not be: ${trouble}.`, due)
  if (!progress.coverage.accounts(content))
    find(progress, `Entry ${due} is an erasure, but it does not say which entries it erased.`, due)
}

function isIncluded({ checkpoints }: Progress, leaf: Uint8Array, sequence: number, path: readonly string[]): boolean {
  const last = checkpoints.at(-1)
  if (last === undefined) return false
  const claim = { leafHash: leaf, index: sequence - 1, size: last.entry_count, root: parseHash(last.merkle_root)! }
  return verifyInclusion({ ...claim, path: path.map((hash) => parseHash(hash)!) })
}

function judgeSeal(progress: Progress, line: JsonObject): void {
  const seal = readSealLine(line)
  progress.kid = seal && verifySeal(seal, keysOf(progress), progress.verify)?.kid
  const bytesHold = `sha256:${progress.hash.digest('hex')}` === seal?.sha256 && seal.lines === progress.lines
  if (progress.kid === undefined) find(progress, 'The export is not sealed by a trusted audit key of this service.')
  else if (!bytesHold) find(progress, 'The export was changed after it was sealed.')
  const { kid, header, trusted } = progress
  const late = kid === undefined ? undefined : datedAfterRetirement(kid, String(header?.exported_at), trusted)
  if (late !== undefined) find(progress, `The seal: ${late}`)
  const last = progress.checkpoints.at(-1)
  const leaked = kid === undefined || last === undefined ? undefined : signedAfterLeak(kid, last, trusted)
  if (leaked !== undefined) find(progress, `The seal: ${leaked}`)
}

function conclude(progress: Progress, isComplete: boolean, held: Checkpoint | undefined): ExportVerdict {
  const { header, checkpoints, entries, coverage, seal } = progress
  if (progress.lines === 0) judgeHeader(progress, undefined)
  if (header !== undefined) judgeEnd(progress, header)
  if (progress.uncounted !== undefined) find(progress, progress.uncounted, progress.proven + 1)
  for (const [from, to] of coverage.uncovered()) find(progress, unaccounted(from, to), from)
  if (header !== undefined && held !== undefined) judgeHeld(progress, held)
  if (seal === undefined || !isComplete) find(progress, 'The export has no seal at its end: it was cut off.')
  else judgeSeal(progress, seal.line)
  return {
    findings: inOrder(progress.findings),
    entries,
    erased: coverage.erased(),
    erasures: coverage.erasures(),
    checkpoints,
    ...(header === undefined ? {} : { header }),
    ...(progress.kid === undefined ? {} : { kid: progress.kid }),
  }
}

const unaccounted = (from: number, to: number): string =>
  from === to
    ? `The content of entry ${from} was erased, and no entry accounts for it.`
    : `The content of the entries ${from} to ${to} was erased, and no entry accounts for it.`

function judgeEnd(progress: Progress, { to_sequence }: ExportHeader): void {
  const due = nextSequence(progress)
  const covered = progress.checkpoints.at(-1)?.entry_count ?? 0
  if (due <= to_sequence)
    find(progress, `The export ends before entry ${due}; it says that it has the entries up to ${to_sequence}.`, due)
  else if (due > to_sequence + 1 || to_sequence > covered)
    find(
      progress,
      `The header says that the entries end at ${to_sequence}; they end at ${due - 1}, and the last checkpoint ` +
        `covers ${covered}.`,
      to_sequence + 1,
    )
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
