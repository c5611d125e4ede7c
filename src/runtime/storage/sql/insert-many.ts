/** Multi-row inserts: few statements, of few sizes, so that each is prepared once. */
import { textColumn } from './columns.js'
import { rows, type StoragePlan, type Value } from './plan.js'

const LARGEST = 64

/**
 * Inserts rows of a number of columns, given one value after the other; the sizes of the statements are powers of two.
 */
export function* insertMany(into: string, width: number, values: readonly Value[]): StoragePlan<void> {
  for (const part of rowsInParts(values, width))
    yield { sql: insertOf(into, part.size, width), values: part.values, blind: true }
}

/** Inserts those rows whose key is not taken, and gives the keys of the rows that it inserted. */
export function* insertNew(
  into: string,
  key: string,
  width: number,
  values: readonly Value[],
): StoragePlan<ReadonlySet<string>> {
  const inserted = new Set<string>()
  for (const part of rowsInParts(values, width)) {
    const sql = `${insertOf(into, part.size, width)} on conflict (${key}) do nothing returning ${key}`
    for (const stored of yield* rows(sql, ...part.values)) inserted.add(textColumn(stored, key))
  }
  return inserted
}

interface Part {
  /** How many rows; a power of two. */
  readonly size: number
  readonly values: readonly Value[]
}

/** Rows, given one value after the other, in parts whose sizes are powers of two. */
export function* rowsInParts(values: readonly Value[], width: number): Generator<Part> {
  for (let from = 0; from < values.length;) {
    const size = largestPowerOfTwo((values.length - from) / width)
    const to = from + size * width
    yield { size, values: values.slice(from, to) }
    from = to
  }
}

/** Placeholders for a list that is padded to a power of two with nulls, which equal nothing. */
export function padded(values: readonly Value[]): { readonly marks: string; readonly values: readonly Value[] } {
  let size = 1
  while (size < values.length) size *= 2
  return { marks: '?, '.repeat(size - 1) + '?', values: [...values, ...Array<null>(size - values.length).fill(null)] }
}

function largestPowerOfTwo(limit: number): number {
  let size = 1
  while (size * 2 <= Math.min(limit, LARGEST)) size *= 2
  return size
}

const INSERTS = new Map<string, Map<number, string>>()

/** The text of an insert, made once: the same string is the same prepared statement. */
function insertOf(into: string, size: number, width: number): string {
  const ofSize = INSERTS.get(into) ?? new Map<number, string>()
  INSERTS.set(into, ofSize)
  const known = ofSize.get(size)
  if (known !== undefined) return known
  const tuple = `(${Array<string>(width).fill('?').join(', ')})`
  const sql = `insert into ${into} values ${Array<string>(size).fill(tuple).join(', ')}`
  ofSize.set(size, sql)
  return sql
}
