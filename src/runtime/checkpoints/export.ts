import { createHash } from 'node:crypto'
import { exportLine, EXPORT_VERSION, sealOf, type EntryLine, type ExportLine } from '../../crypto/trail/audit-export.js'
import { formatHash } from '../../crypto/json/digest.js'
import { nodesOf, pathOf, planConsistency, planInclusion, type ProofPlan } from '../../crypto/merkle/merkle-proof.js'
import type { TreeNodeId } from '../../crypto/merkle/merkle.js'
import type { Signer } from '../../crypto/keys/signer.js'
import type { Checkpoint } from '../../protocol/audit.js'
import type { PublicJwk } from '../../protocol/jwk.js'
import type { Storage } from '../storage/contract.js'

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

const PAGE = 200
const ALL = 1_000_000_000

/**
 * The lines of an export: every checkpoint, every entry that the last one covers, and a proof for each. Nothing is held but a page.
 * Gives nothing when there is no checkpoint that covers an entry from `from` on.
 */
export async function* exportLines(request: ExportRequest): AsyncGenerator<string> {
  const { storage, signer, keys, serviceId, exportedAt, from } = request
  const checkpoints = (await storage.checkpoints.list(ALL)).toReversed()
  const size = checkpoints.at(-1)?.entry_count ?? 0
  if (size < from) return
  const hash = createHash('sha256')
  let lines = 0
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
  for (let first = from; first <= size; first += PAGE)
    for (const line of await entryLines(storage, first, Math.min(first + PAGE - 1, size), size)) yield written(line)
  yield exportLine(await sealOf(signer, lines, `sha256:${hash.digest('hex')}`))
}

async function pathFrom(
  { audit }: ExportRequest['storage'],
  older: Checkpoint | undefined,
  newer: Checkpoint,
): Promise<readonly string[]> {
  if (older === undefined) return []
  const plan = planConsistency(older.entry_count, newer.entry_count)
  return pathOf(plan, await audit.nodes(nodesOf(plan))).map(formatHash)
}

async function entryLines(
  { audit }: ExportRequest['storage'],
  first: number,
  last: number,
  size: number,
): Promise<readonly EntryLine[]> {
  const texts = new Map((await audit.texts(first, last - first + 1)).map(({ sequence, text }) => [sequence, text]))
  const sequences = Array.from({ length: last - first + 1 }, (_, offset) => first + offset)
  const plans = sequences.map((sequence): ProofPlan => [[leafOf(sequence)], ...planInclusion(sequence - 1, size)])
  const fetched = await nodesByName(audit, plans.flatMap(nodesOf))
  return sequences.map((sequence, index): EntryLine => {
    const plan = plans[index]!
    const [leaf, ...path] = pathOf(
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
