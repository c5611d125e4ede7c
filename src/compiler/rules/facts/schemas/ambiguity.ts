import { overlap, type CharacterSet } from './character-sets.js'
import type { Pattern } from './read-pattern.js'

/** Characters of a pattern, after which of them which may follow, and in how many ways. */
interface Automaton {
  readonly sets: CharacterSet[]
  /** For each character those that may follow it: one that is there twice may follow in two ways. */
  readonly follow: number[][]
}

interface Part {
  readonly isNullable: boolean
  readonly first: readonly number[]
  readonly last: readonly number[]
}

/** Pairs of characters that are looked at; a pattern with more is too long to be judged. */
const MOST_STEPS = 200_000

/**
 * Checks whether a backtracking engine may take exponential time: some text can be matched in two ways that begin and
 * end at the same character of the pattern (Weber and Seidl 1991). Undefined if the pattern is too long to analyse.
 */
export function isExponential(pattern: Pattern): boolean | undefined {
  const automaton: Automaton = { sets: [], follow: [] }
  partOf(pattern, automaton)
  const size = automaton.sets.length
  let steps = 0
  const nextOf = (pair: number): readonly number[] => {
    const [one, other] = [Math.floor(pair / size), pair % size]
    const next: number[] = []
    steps += automaton.follow[one]!.length * automaton.follow[other]!.length
    if (steps > MOST_STEPS) return next
    for (const a of automaton.follow[one]!)
      for (const b of automaton.follow[other]!)
        if (overlap(automaton.sets[a]!, automaton.sets[b]!)) next.push(a * size + b)
    return next
  }
  const isTwice = ([...group]: readonly number[]): boolean =>
    group.some((pair) => isDiagonal(pair, size)) &&
    (group.some((pair) => !isDiagonal(pair, size)) || hasDoubleStep(group, automaton, size))
  const found = componentsOf(size, nextOf).some(isTwice)
  return steps > MOST_STEPS ? undefined : found
}

const isDiagonal = (pair: number, size: number): boolean => Math.floor(pair / size) === pair % size

/** Checks whether a character of a loop follows another in two ways, as in `(a*)*`. */
function hasDoubleStep(group: readonly number[], { follow }: Automaton, size: number): boolean {
  const members = new Set(group.filter((pair) => isDiagonal(pair, size)).map((pair) => pair % size))
  return [...members].some((from) => {
    const next = follow[from]!.filter((to) => members.has(to))
    return new Set(next).size < next.length
  })
}

/** The pairs that lead to each other, of those that begin with one character twice. Tarjan's, without recursion. */
function componentsOf(size: number, nextOf: (pair: number) => readonly number[]): readonly (readonly number[])[] {
  const index = new Map<number, number>()
  const low = new Map<number, number>()
  const open: number[] = []
  const isOpen = new Set<number>()
  const components: number[][] = []
  const enter = (pair: number) => {
    index.set(pair, index.size)
    low.set(pair, index.get(pair)!)
    open.push(pair)
    isOpen.add(pair)
    return { pair, next: nextOf(pair), at: 0 }
  }
  for (let start = 0; start < size; start++) {
    if (index.has(start * size + start)) continue
    const path = [enter(start * size + start)]
    for (let visit = path.at(-1); visit !== undefined; visit = path.at(-1)) {
      const to = visit.next[visit.at++]
      if (to === undefined) {
        path.pop()
        const before = path.at(-1)
        if (before !== undefined) low.set(before.pair, Math.min(low.get(before.pair)!, low.get(visit.pair)!))
        if (low.get(visit.pair) === index.get(visit.pair)) {
          const component = open.splice(open.lastIndexOf(visit.pair))
          for (const pair of component) isOpen.delete(pair)
          components.push(component)
        }
      } else if (!index.has(to)) path.push(enter(to))
      else if (isOpen.has(to)) low.set(visit.pair, Math.min(low.get(visit.pair)!, index.get(to)!))
    }
  }
  return components
}

const NOTHING: Part = { isNullable: true, first: [], last: [] }

/** Glushkov's automaton. A count is judged as a loop, where it repeats at all. */
function partOf(pattern: Pattern, automaton: Automaton): Part {
  switch (pattern.kind) {
    case 'place':
      return NOTHING
    case 'set': {
      const position = automaton.sets.push(pattern.set) - 1
      automaton.follow.push([])
      return { isNullable: false, first: [position], last: [position] }
    }
    case 'any': {
      const parts = pattern.parts.map((part) => partOf(part, automaton))
      return {
        isNullable: parts.some(({ isNullable }) => isNullable),
        first: parts.flatMap(({ first }) => first),
        last: parts.flatMap(({ last }) => last),
      }
    }
    case 'all':
      return pattern.parts
        .map((part) => partOf(part, automaton))
        .reduce((before, after) => joined(before, after, automaton), NOTHING)
    case 'repeat': {
      const part = partOf(pattern.part, automaton)
      if (pattern.most > 1) connect(part.last, part.first, automaton)
      return pattern.least === 0 ? { ...part, isNullable: true } : part
    }
  }
}

function joined(before: Part, after: Part, automaton: Automaton): Part {
  connect(before.last, after.first, automaton)
  return {
    isNullable: before.isNullable && after.isNullable,
    first: before.isNullable ? [...before.first, ...after.first] : before.first,
    last: after.isNullable ? [...before.last, ...after.last] : after.last,
  }
}

function connect(last: readonly number[], first: readonly number[], { follow }: Automaton): void {
  for (const from of last) follow[from]!.push(...first)
}
