import { createHash } from 'node:crypto'
import { exportLine, EXPORT_VERSION, sealOf, type EntryLine, type ExportLine } from '../../crypto/trail/audit-export.js'
import { formatHash } from '../../crypto/json/digest.js'
import {
  nodesOf,
  proofPathOf,
  planConsistency,
  planInclusion,
  type ProofPlan,
} from '../../crypto/merkle/merkle-proof.js'
import type { TreeNodeId } from '../../crypto/merkle/merkle.js'
import type { Signer } from '../../crypto/keys/signer.js'
import type { Checkpoint } from '../../protocol/audit.js'
import type { JsonObject } from '../../protocol/manifest.js'
import type { PublicJwk } from '../../protocol/jwk.js'
import type { Storage } from '../storage/contract.js'
import { coverage, type ErasureCoverage } from '../../crypto/trail/erasure.js'
import { parseStrictJson } from '../../crypto/json/strict-json.js'
import { MAX_DEPTH } from '../../crypto/json/canonical.js'

export interface ExportRequest {
  readonly storage: Pick<Storage, 'audit' | 'checkpoints'>
  /** The active audit key, which seals the export. */
  readonly signer: Signer
  /** All audit keys that still verify. */
  readonly keys: readonly PublicJwk[]
  readonly serviceId: string
  /** RFC 3339. */
  readonly exportedAt: string
  /** The first entry; 1 for all. */
  readonly from: number
}

/** Content was erased, and the entry that accounts for it is not under a checkpoint yet. */
export class ErasureNotCovered extends Error {
  override readonly name = 'ErasureNotCovered'
}

const PAGE = 200
const ALL = 1_000_000_000

/**
 * The lines of an export: every checkpoint, every entry that the last one covers, and a proof for each. Nothing is held
 * but a page. Gives nothing when there is no checkpoint that covers an entry from `from` on.
 */
export async function* exportLines(request: ExportRequest): AsyncGenerator<string> {
  const { storage, signer, keys, serviceId, exportedAt, from } = request
  const checkpoints = (await storage.checkpoints.list(ALL)).toReversed()
  const size = checkpoints.at(-1)?.entry_count ?? 0
  if (size < from) return
  const hash = createHash('sha256')
  let lines = 0
  const watched = coverage()
  const written = (line: ExportLine): string => {
    const text = exportLine(line)
    hash.update(text)
    lines++
    return text
  }
  yield written({
    svc_audit_export: EXPORT_VERSION,
    service_id: serviceId,
    exported_at: exportedAt,
    from_sequence: from,
    to_sequence: size,
    keys,
  })
  for (const [index, checkpoint] of checkpoints.entries())
    yield written({ type: 'checkpoint', checkpoint, path: await pathFrom(storage, checkpoints[index - 1], checkpoint) })
  for (let first = from; first <= size;) {
    const page = await entryLines(storage, first, Math.min(first + PAGE - 1, size), size)
    for (const line of page) {
      watch(watched, line)
      yield written(line)
    }
    first += page.length
  }
  if (watched.uncovered().length > 0) await refuseWhatIsTooNew(storage, size, watched)
  yield exportLine(await sealOf(signer, lines, `sha256:${hash.digest('hex')}`))
}

const watch = (watched: ErasureCoverage, line: EntryLine): void =>
  'leaf_hash' in line ? watched.isErased(line.sequence) : watchErasure(watched, line.leaf)

/** An erasure says so in its text; nothing else need be read. */
function watchErasure(watched: ErasureCoverage, text: string): void {
  if (!text.includes('"entry_type":"erasure"')) return
  const json = parseStrictJson(text, { maxDepth: MAX_DEPTH })
  if (json.ok) watched.accounts(json.value as JsonObject)
}

/** An export that the next checkpoint will make whole is not made yet; one that nothing makes whole is evidence. */
async function refuseWhatIsTooNew(
  { audit }: ExportRequest['storage'],
  size: number,
  watched: ErasureCoverage,
): Promise<void> {
  const [first] = watched.uncovered()
  for (let from = size + 1; ;) {
    const page = await audit.texts(from, PAGE)
    for (const { text } of page) if (text !== null) watchErasure(watched, text)
    if (page.length === 0) break
    from = page.at(-1)!.sequence + 1
  }
  if (watched.uncovered().length === 0)
    throw new ErasureNotCovered(
      `The content of entry ${first![0]} was erased, and the entry that accounts for it waits for the next checkpoint.`,
    )
}

async function pathFrom(
  { audit }: ExportRequest['storage'],
  older: Checkpoint | undefined,
  newer: Checkpoint,
): Promise<readonly string[]> {
  if (older === undefined) return []
  const plan = planConsistency(older.entry_count, newer.entry_count)
  return proofPathOf(plan, await audit.nodes(nodesOf(plan))).map(formatHash)
}

/** The lines of entries from the first one on, up to the last one or to the end of a page of bytes. */
async function entryLines(
  { audit }: ExportRequest['storage'],
  first: number,
  most: number,
  size: number,
): Promise<readonly EntryLine[]> {
  const page = await audit.texts(first, most - first + 1)
  const last = Math.min(page.at(-1)?.sequence ?? most, most)
  const texts = new Map(page.map(({ sequence, text }) => [sequence, text]))
  const sequences = Array.from({ length: last - first + 1 }, (_, offset) => first + offset)
  const plans = sequences.map((sequence): ProofPlan => [[leafOf(sequence)], ...planInclusion(sequence - 1, size)])
  const fetched = await nodesByName(audit, plans.flatMap(nodesOf))
  return sequences.map((sequence, index): EntryLine => {
    const plan = plans[index]!
    const [leaf, ...path] = proofPathOf(
      plan,
      nodesOf(plan).map((id) => fetched.get(nameOf(id))!),
    ).map(formatHash)
    const text = texts.get(sequence)
    const content = text === null || text === undefined ? { leaf_hash: leaf! } : { leaf: text }
    return { type: 'entry', sequence, path, ...content }
  })
}

const leafOf = (sequence: number): TreeNodeId => ({ level: 0, index: sequence - 1 })
const nameOf = ({ level, index }: TreeNodeId): string => `${level}/${index}`

/** Neighbouring proofs share most of their subtrees, so each is fetched once. */
async function nodesByName(
  audit: ExportRequest['storage']['audit'],
  ids: readonly TreeNodeId[],
): Promise<ReadonlyMap<string, Uint8Array>> {
  const wanted = [...new Map(ids.map((id) => [nameOf(id), id]))]
  const hashes = await audit.nodes(wanted.map(([, id]) => id))
  return new Map(wanted.map(([name], index) => [name, hashes[index]!]))
}
