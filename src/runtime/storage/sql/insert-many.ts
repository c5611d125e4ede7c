/** Multi-row inserts: few statements, of few sizes, so that each is prepared once. */
import { tell, type Plan, type Value } from './plan.js'

const LARGEST = 64

/** Inserts all tuples; the sizes of the statements are powers of two. */
export function* insertMany(into: string, tuples: readonly (readonly Value[])[]): Plan<void> {
  for (let from = 0; from < tuples.length;) {
    const size = largestPowerOfTwo(tuples.length - from)
    const part = tuples.slice(from, from + size)
    yield* tell(`insert into ${into} values ${marks(part)}`, ...part.flat())
    from += size
  }
}

/** Placeholders for a list that is padded to a power of two with nulls, which equal nothing. */
export function padded(values: readonly Value[]): { readonly marks: string; readonly values: readonly Value[] } {
  let size = 1
  while (size < values.length) size *= 2
  const filled = [...values, ...Array<null>(size - values.length).fill(null)]
  return { marks: filled.map(() => '?').join(', '), values: filled }
}

function largestPowerOfTwo(limit: number): number {
  let size = 1
  while (size * 2 <= Math.min(limit, LARGEST)) size *= 2
  return size
}

const marks = (tuples: readonly (readonly Value[])[]): string =>
  tuples.map((tuple) => `(${tuple.map(() => '?').join(', ')})`).join(', ')
