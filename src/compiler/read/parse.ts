import { parseEvents, YAMLException, type Event } from 'js-yaml'
import { scanDocument } from './scan/scan-block.js'
import type { Begun, EntryMemory } from './scan/scanner.js'
import type { YamlNode } from './tree.js'

/** What a text is: a tree, the events of the full parser, or an error where that stopped. */
export type Parsed = Sound | Unsound
export type Sound =
  | { readonly root: YamlNode; readonly events?: never; readonly reason?: never; readonly position?: never }
  | { readonly events: readonly Event[]; readonly root?: never; readonly reason?: never; readonly position?: never }
interface Unsound {
  readonly reason: string
  readonly position: number
}

/** Nesting of the parser's own calls; keys and values each take one, so it stands well above the limit of the tree. */
const PARSER_DEPTH = 200

/** The full parser: slow, for every form of YAML, and for saying what is wrong. */
export function parseFully(text: string): Parsed {
  try {
    return { events: parseEvents(text, { maxDepth: PARSER_DEPTH }) }
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error
    return { reason: error.reason, position: error.mark?.position ?? 0 }
  }
}

/** The same answer sooner: the scanner reads what it knows, and the full parser, where that gave up, says what is wrong. */
export function parse(text: string, base: number, entries?: EntryMemory, window = WINDOW): Parsed {
  const { root, begun } = scanDocument(text, base, entries)
  if (root !== undefined) return { root }
  return (begun === undefined ? undefined : errorFrom(text, begun, window)) ?? parseFully(text)
}

/** The full parser meets an error within so many characters of the entry in which it stands, or reads the whole. */
const WINDOW = 32 * 1024

/**
 * The error that the full parser would find in the text, from a window that begins with the entry at which the scanner
 * gave up. The parser reads from left to right, and remembers of what it has read only which blocks are open: a head of
 * two lines opens the same. Undefined where it found none, or may have seen the window's end.
 */
function errorFrom(text: string, { at, column, depth, isFirst }: Begun, length: number): Unsound | undefined {
  const start = at - column
  const window = text.slice(start, start + length)
  if (PROPERTY.test(window)) return undefined
  const head = (depth === 2 ? 'capabilities:\n' : '') + (isFirst ? '' : `${' '.repeat(column)}a: b\n`)
  const { reason, position } = parseFully(head + window)
  if (reason === undefined || position < head.length) return undefined
  const isSeen = start + length >= text.length || MORE.test(window.slice(position - head.length))
  return isSeen ? { reason, position: position - head.length + start } : undefined
}

/** An anchor or a tag: with one before it, the parser may read a mapping twice. */
const PROPERTY = /(?<![^\s[{,])[&!]/u
/** A line after that of the error, and the begin of another: no token that the parser had in hand reaches the window's end. */
const MORE = /\n[^\n]*\S[^\n]*\n[^\n]*\S/u
