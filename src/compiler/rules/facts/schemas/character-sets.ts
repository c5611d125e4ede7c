/** Sets of code points, as regular expressions have them. */

/** Code points, as ranges in order that do not touch. */
export type CharacterSet = readonly (readonly [from: number, to: number])[]

export const LAST_POINT = 0x10_ff_ff
export const DIGIT: CharacterSet = [[48, 57]]
export const WORD: CharacterSet = [[48, 57], [65, 90], [95, 95], [97, 122]] // prettier-ignore
export const SPACE: CharacterSet = [[9, 13], [32, 32], [0xa0, 0xa0], [0x1680, 0x1680], [0x2000, 0x200a], [0x2028, 0x2029], [0x202f, 0x202f], [0x205f, 0x205f], [0x3000, 0x3000], [0xfeff, 0xfeff]] // prettier-ignore
export const LINE_END: CharacterSet = [[10, 10], [13, 13], [0x2028, 0x2029]] // prettier-ignore

export function union(sets: readonly CharacterSet[]): CharacterSet {
  const ranges = sets.flat().toSorted((one, other) => one[0] - other[0])
  const joined: [number, number][] = []
  for (const [from, to] of ranges) {
    const last = joined.at(-1)
    if (last !== undefined && from <= last[1] + 1) last[1] = Math.max(last[1], to)
    else joined.push([from, to])
  }
  return joined
}

export function inverse(set: CharacterSet): CharacterSet {
  const rest: [number, number][] = []
  let next = 0
  for (const [from, to] of set) {
    if (from > next) rest.push([next, from - 1])
    next = to + 1
  }
  if (next <= LAST_POINT) rest.push([next, LAST_POINT])
  return rest
}

export const overlap = (one: CharacterSet, other: CharacterSet): boolean =>
  one.some(([from, to]) => other.some(([start, end]) => from <= end && start <= to))

