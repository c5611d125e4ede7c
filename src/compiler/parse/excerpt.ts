import { buildTree } from './build-tree.js'
import { READ_LIMITS } from './limits.js'
import { parseFully, type Unsound } from './parse-fully.js'
import type { Report } from '../finding.js'
import type { MapNode, ScalarNode, YamlNode } from './tree.js'

/** An entry of the root, or of `capabilities`, and where it begins: what stands before it is sound, and all closed. */
export interface Begun {
  readonly at: number
  readonly column: number
  /** 1 in the root, 2 in `capabilities`. */
  readonly depth: number
  readonly isFirst: boolean
}

/**
 * The full parser reads from left to right, and remembers of what it has read only which blocks are open. So a head of
 * two lines opens the same for an excerpt as the whole text before it.
 */
const headOf = ({ column, depth, isFirst }: Begun): string =>
  (depth === 2 ? 'capabilities:\n' : '') + (isFirst ? '' : `${' '.repeat(column)}a: b\n`)

/** An anchor or a tag: with one before it, the parser may read a mapping twice. */
const PROPERTY = /(?<![^\s[{,])[&!]/u
/** The same and an alias, or what begins no plain key: then an entry does not stand for itself. */
const DEPENDENT = /(?<![^\s[{,])[&!*]|^ *[?:[{]/u
/** A line after that of the error, and the begin of another: no token that the parser had in hand reaches the end. */
const MORE = /\n[^\n]*\S[^\n]*\n[^\n]*\S/u

/**
 * The error that the full parser would find in the text, from so many characters that begin with an entry. Undefined
 * where it finds none there, or may have seen where they end.
 */
export function errorFrom(text: string, begun: Begun, length: number): Unsound | undefined {
  const start = begun.at - begun.column
  const excerpt = text.slice(start, start + length)
  if (PROPERTY.test(excerpt)) return undefined
  const head = headOf(begun)
  const { reason, position } = parseFully(head + excerpt)
  if (reason === undefined || position < head.length) return undefined
  const isSeen = start + length >= text.length || MORE.test(excerpt.slice(position - head.length))
  return isSeen ? { reason, position: position - head.length + start } : undefined
}

export interface EntryRead {
  readonly key: ScalarNode
  readonly value: YamlNode
  /** Where its last token ended, and where its lines end. */
  readonly last: number
  readonly end: number
}

/** Entries longer than this are left to the reading of the whole. */
const LONGEST = 32 * 1024

/** One entry as the full parser reads it; undefined if it cannot be read by itself. */
export function readEntry(text: string, base: number, begun: Begun, report: Report): EntryRead | undefined {
  const start = begun.at - begun.column
  const end = entryEnd(text, begun)
  const excerpt = text.slice(start, end)
  if (excerpt.length > LONGEST || DEPENDENT.test(excerpt)) return undefined
  const head = headOf(begun)
  const { events } = parseFully(head + excerpt)
  if (events === undefined) return undefined
  const source = { file: '', text: head + excerpt, base: base + start - head.length }
  const root = buildTree(events, source, report, READ_LIMITS)
  const map = begun.depth === 2 && root?.kind === 'map' ? root.values[0] : root
  const index = begun.isFirst ? 0 : 1
  if (root === undefined || map?.kind !== 'map' || !isLast(map, index)) return undefined
  return { key: map.keys[index]!, value: map.values[index]!, last: root.end - base, end }
}

const isLast = ({ keys, values }: MapNode, index: number): boolean =>
  keys.length === index + 1 && values.length === index + 1

/** Where the next line stands that is no deeper than the entry's key, and no item of a list that is its value. */
function entryEnd(text: string, { at, column }: Begun): number {
  for (let line = text.indexOf('\n', at) + 1; line > 0; line = text.indexOf('\n', line) + 1) {
    let content = line
    while (text.charCodeAt(content) === 32) content++
    if (content - line > column || content === text.length || '#\r\n'.includes(text[content]!)) continue
    const isItem = content - line === column && /^-\s/u.test(text.slice(content, content + 2))
    if (!isItem) return line
  }
  return text.length
}
