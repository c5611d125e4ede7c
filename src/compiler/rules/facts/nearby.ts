import { nearest } from '../../nearest.js'

/** Counts how often each value occurs. */
export function occurrencesOf(values: Iterable<string>): ReadonlyMap<string, number> {
  const uses = new Map<string, number>()
  for (const value of values) uses.set(value, (uses.get(value) ?? 0) + 1)
  return uses
}

const cache = new WeakMap<ReadonlyMap<string, number>, readonly string[]>()

/** The often used word that one used once resembles: two slips at most, in a word of five letters or more. */
export function rareNeighbour(word: string, uses: ReadonlyMap<string, number>): string | undefined {
  if (uses.get(word) !== 1 || word.length < 5) return undefined
  let frequent = cache.get(uses)
  if (frequent === undefined) {
    frequent = [...uses].filter(([, count]) => count >= 3).map(([value]) => value)
    cache.set(uses, frequent)
  }
  const near = nearest(word, frequent.slice(0, 500))
  return near !== undefined && isSlip(word, near) ? near : undefined
}

/** One letter too many, too few, changed, or two swapped. */
function isSlip(word: string, other: string): boolean {
  if (Math.abs(word.length - other.length) > 1) return false
  let from = 0
  while (from < word.length && word[from] === other[from]) from++
  let back = 0
  while (back < Math.min(word.length, other.length) - from && word.at(-1 - back) === other.at(-1 - back)) back++
  const [left, right] = [word.slice(from, word.length - back), other.slice(from, other.length - back)]
  return Math.max(left.length, right.length) <= 1 || (left.length === 2 && left[0] === right[1] && left[1] === right[0])
}
