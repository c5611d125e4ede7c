import { changedStretch } from '../parse/look-again.js'
import type { Entry, EntryMemory } from '../parse/scan/scanner.js'
import type { ScalarNode, YamlNode } from '../parse/tree.js'

/** What is kept of one file: the text that was last read of it, what is not YAML left out, and the capabilities in it. */
export interface FileMemory {
  readonly text: string
  /** The global offset of its first character. */
  readonly base: number
  readonly entries: readonly Entry[]
}

export interface FileReading extends EntryMemory {
  /** The tree in which the entries stand; undefined if the full parser made the tree. */
  root(): YamlNode | undefined
  /** What to keep for the next time. */
  kept(): FileMemory
}

/** The capabilities of a file as they were read before, found again where unchanged text puts them. */
export function readingAgain(before: FileMemory | undefined, text: string, base: number): FileReading {
  let read = text
  let known: ReadonlyMap<number, Entry> = new Map()
  let entries: Entry[] = []
  let root: YamlNode | undefined
  return {
    begin(next) {
      read = next
      known = before === undefined ? new Map<number, Entry>() : unchangedEntries(before, next)
      entries = []
      root = undefined
    },
    at(position) {
      const entry = known.get(position)
      return entry === undefined ? undefined : moved(entry, position, base)
    },
    keep: (entry) => void entries.push(entry),
    end: (tree) => void (root = tree),
    root: () => root,
    kept: () => ({ text: read, base, entries }),
  }
}

/** The scanner looks this far beyond an entry, to see what kind of content follows. */
const LOOK_AHEAD = 2

/** The entries that the one changed stretch of text does not touch, by where they start now. */
function unchangedEntries({ text: old, entries }: FileMemory, text: string): Map<number, Entry> {
  const { before, after } = changedStretch(old, text)
  const moves = text.length - old.length
  const known = new Map<number, Entry>()
  for (const entry of entries) {
    if (entry.next + LOOK_AHEAD <= before) known.set(entry.start, entry)
    else if (lineStart(old, entry.start) >= old.length - after) known.set(entry.start + moves, entry)
  }
  return known
}

const lineStart = (text: string, offset: number): number => (offset < 1 ? 0 : text.lastIndexOf('\n', offset - 1) + 1)

/** The entry with its nodes where its text stands now. They are moved in place: 100,000 numbers take a millisecond. */
function moved(entry: Entry, position: number, base: number): Entry {
  place(entry, base + position)
  const shift = position - entry.start
  return { ...entry, start: position, next: entry.next + shift, last: entry.last + shift }
}

/** Puts the entries of a file back where it has them, after another text of it was read. */
export function placeBack({ entries, base }: FileMemory): void {
  for (const entry of entries) place(entry, base + entry.start)
}

function place({ key, value }: Entry, start: number): void {
  const distance = start - key.start
  if (distance === 0) return
  move(key, distance)
  move(value, distance)
}

function move(node: YamlNode, distance: number): void {
  const spot = node as { -readonly [K in keyof ScalarNode]: ScalarNode[K] }
  spot.start += distance
  spot.end += distance
  if (node.kind === 'list') for (const item of node.items) move(item, distance)
  if (node.kind !== 'map') return
  for (const key of node.keys) move(key, distance)
  for (const value of node.values) move(value, distance)
}
