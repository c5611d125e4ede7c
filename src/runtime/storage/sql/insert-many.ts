/** Multi-row inserts: few statements, of few sizes, so that each is prepared once. */
import type { Plan, Value } from './plan.js'

const LARGEST = 64

/** Inserts all tuples; the sizes of the statements are powers of two. */
export function* insertMany(into: string, tuples: readonly (readonly Value[])[]): Plan<void> {
  for (let from = 0; from < tuples.length;) {
    const size = largestPowerOfTwo(tuples.length - from)
    yield { sql: insertOf(into, size, tuples[0]!.length), values: flat(tuples, from, from + size), blind: true }
    from += size
  }
}

/** Half of what `flat()` of an array costs. */
function flat(tuples: readonly (readonly Value[])[], from: number, to: number): readonly Value[] {
  const values: Value[] = []
  for (let index = from; index < to; index++) for (const value of tuples[index]!) values.push(value)
  return values
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
