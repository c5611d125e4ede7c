/** Multi-row inserts: few statements, of few sizes, so that each is prepared once. */
import type { Plan, Value } from './plan.js'

const LARGEST = 64

/** Inserts rows of a number of columns, given one value after the other; the sizes of the statements are powers of two. */
export function* insertMany(into: string, width: number, values: readonly Value[]): Plan<void> {
  for (let from = 0; from < values.length;) {
    const size = largestPowerOfTwo((values.length - from) / width)
    const to = from + size * width
    yield { sql: insertOf(into, size, width), values: values.slice(from, to), blind: true }
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
