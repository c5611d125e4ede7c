/** Entries of erasures, and how they are read (decisions, section 14: Erasure). */
import type { AuditDraft, Erased } from '../../protocol/audit.js'
import { EMPTY_ENTRY } from '../../protocol/empty-entry.js'
import type { Json, JsonObject } from '../../protocol/manifest.js'

/** The runs that rising sequences make. */
export function erasedOf(sequences: readonly number[]): Erased {
  const ranges: [from: number, to: number][] = []
  for (const sequence of sequences) {
    const last = ranges.at(-1)
    if (last !== undefined && last[1] === sequence - 1) last[1] = sequence
    else ranges.push([sequence, sequence])
  }
  return { ranges, count: sequences.length }
}

/** Identity that erased: the service itself after the retention time, or the owner of the schema. */
export type Eraser = 'service:retention' | 'service:schema-owner'

/** The entry that an erasure leaves: it names no token, because none can ask for it. */
export const erasureDraft = (eraser: Eraser, erased: Erased, reason: string, timestamp: string): AuditDraft => ({
  ...EMPTY_ENTRY,
  entry_type: 'erasure',
  actor_key: eraser,
  root_principal: eraser,
  event_class: 'high_risk_success',
  success: true,
  token_id: null,
  delegation_chain: [],
  erased,
  detail: reason,
  timestamp,
})

/** Holds for an entry that says that it is an erasure. */
const isErasure = (entry: JsonObject): boolean => entry['entry_type'] === 'erasure'

/** Reads the erasure that an entry with this sequence records; undefined if it is malformed. */
function readErased(entry: JsonObject): Erased | undefined {
  const { erased, sequence } = entry
  if (typeof erased !== 'object' || erased === null || Array.isArray(erased)) return undefined
  const { ranges, count } = erased as JsonObject
  if (!Array.isArray(ranges) || !(ranges as readonly Json[]).every(isRange)) return undefined
  const runs = ranges as unknown as Erased['ranges']
  const rise = runs.every(([from], index) => from > (runs[index - 1]?.[1] ?? 0) + (index === 0 ? 0 : 1))
  const total = runs.reduce((sum, [from, to]) => sum + to - from + 1, 0)
  const isBefore = typeof sequence === 'number' && (runs.at(-1)?.[1] ?? 0) < sequence
  return rise && isBefore && total > 0 && count === total ? { ranges: runs, count: total } : undefined
}

const isRange = (value: Json): boolean =>
  Array.isArray(value) && value.length === 2 && value.every(Number.isSafeInteger) && value[0]! <= value[1]!

type Range = readonly [from: number, to: number]

/** Watches a trail go by, entry after entry: what has no content must be accounted for by an erasure. */
export interface ErasureCoverage {
  /** The entry with this sequence, higher than any before, has no content. */
  isErased(sequence: number): void
  /** Notes what an entry accounts for. False when it is an erasure that does not say what it erased. */
  accounts(entry: JsonObject): boolean
  /** Number of entries without content. */
  erased(): number
  /** Number of erasures. */
  erasures(): number
  /** Ranges without content that no erasure accounts for. */
  uncovered(): readonly Range[]
}

export function coverage(): ErasureCoverage {
  const runs: [from: number, to: number][] = []
  const covers: Range[] = []
  let erased = 0
  let erasures = 0
  return {
    isErased: (sequence) => {
      erased++
      const last = runs.at(-1)
      if (last !== undefined && last[1] === sequence - 1) last[1] = sequence
      else runs.push([sequence, sequence])
    },
    accounts: (entry) => {
      if (!isErasure(entry)) return true
      erasures++
      const read = readErased(entry)
      for (const range of read?.ranges ?? []) covers.push(range)
      return read !== undefined
    },
    erased: () => erased,
    erasures: () => erasures,
    uncovered: () => uncovered(runs, covers),
  }
}

/** Subtracts ranges, in any order, from ascending ones. */
function uncovered(runs: readonly Range[], covers: readonly Range[]): readonly Range[] {
  const sorted = covers.toSorted(([one], [other]) => one - other)
  const left: Range[] = []
  let at = 0
  let reach = 0
  for (const [from, to] of runs) {
    let start = from
    while (start <= to) {
      while (at < sorted.length && sorted[at]![0] <= start) reach = Math.max(reach, sorted[at++]![1])
      if (reach < start) left.push([start, Math.min(to, (sorted[at]?.[0] ?? Infinity) - 1)])
      start = Math.max(reach, left.at(-1)?.[1] ?? 0) + 1
    }
  }
  return left
}
