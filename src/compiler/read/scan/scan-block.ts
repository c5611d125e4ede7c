import { getScalarValue, SCALAR_STYLE } from 'js-yaml'
import { addKey } from '../keys.js'
import type { ListNode, MapNode, ScalarNode, YamlNode } from '../tree.js'
import { createWords } from './words.js'
import { flowCollection } from './scan-flow.js'
import {
  COLON, DASH, DEEPEST, DOUBLE_QUOTE, endOfLine, HASH, lineEnd, NEWLINE, nextContent, OPEN_LIST, OPEN_MAP, quotedScalar, type Scanned, type Scanner, SINGLE_QUOTE, SPACE, startsPlain, type EntryMemory,
} from './scanner.js' // prettier-ignore

type Writable<T> = { -readonly [K in keyof T]: T[K] }
const silent = (): void => undefined

/** Line ends of other systems, and marks of documents and directives. */
const FOREIGN = ['\r', '\n---', '\n...', '\n%']

/** The document of a text in the common forms, or the entry at which the scanner gave up: what stands before it is sound. */
export function scanDocument(text: string, base: number, entries?: EntryMemory): Scanned {
  entries?.begin(text)
  if (FOREIGN.some((mark) => text.includes(mark)) || /^(?:\uFEFF|---|\.\.\.|%)/u.test(text)) return {}
  const scanner: Scanner = {
    text, base, position: 0, last: 0, depth: 0, blockIndent: 0, words: createWords(), entries, section: '', begun: undefined,
  } // prettier-ignore
  if (nextContent(scanner) !== 0) return {}
  const root = block(scanner, 0)
  return root !== undefined && scanner.position >= text.length ? { root } : { begun: scanner.begun }
}

/** A block collection at a column; the position is at its first character. Afterwards it is at the next content. */
function block(scanner: Scanner, indent: number): YamlNode | undefined {
  if (++scanner.depth > DEEPEST) return undefined
  const node = isItem(scanner) ? blockList(scanner, indent) : blockMap(scanner, indent)
  scanner.depth--
  return node
}

const isItem = ({ text, position }: Scanner): boolean =>
  text.charCodeAt(position) === DASH && isBlank(text.charCodeAt(position + 1))
const isBlank = (code: number): boolean => code === SPACE || code === NEWLINE || Number.isNaN(code)

function blockMap(scanner: Scanner, indent: number): MapNode | undefined {
  const { base } = scanner
  const map: Writable<MapNode> = {
    kind: 'map',
    start: base + scanner.position,
    end: 0,
    keys: [],
    values: [],
    faults: undefined,
  }
  const isCapabilities = scanner.depth === 2 && scanner.section === 'capabilities'
  const isRemembered = isCapabilities && scanner.entries !== undefined
  for (;;) {
    if (isCapabilities || scanner.depth === 1)
      scanner.begun = { at: scanner.position, column: indent, depth: scanner.depth, isFirst: map.keys.length === 0 }
    if (!(isRemembered ? rememberedEntry(scanner, indent, map) : blockEntry(scanner, indent, map))) return undefined
    const column = columnHere(scanner)
    if (column < indent) break
    if (column !== indent || isItem(scanner)) return undefined
  }
  map.end = base + scanner.last
  return map
}

/** A key and its value; false if the scanner gives up. */
function blockEntry(scanner: Scanner, indent: number, map: MapNode): boolean {
  const key = blockKey(scanner)
  if (key === undefined || addKey(map, key, silent) === 'skip') return false
  scanner.last = key.end - scanner.base
  if (scanner.depth === 1) scanner.section = key.value as string
  const value = blockValue(scanner, indent, key)
  if (value === undefined) return false
  map.values.push(value)
  return true
}

/** The same for a capability: it is not read again when its text is unchanged. */
function rememberedEntry(scanner: Scanner, indent: number, map: MapNode): boolean {
  const { entries, position: start } = scanner
  const known = entries?.at(start)
  if (known === undefined) {
    if (!blockEntry(scanner, indent, map)) return false
    const { position: next, last } = scanner
    entries?.keep({ key: map.keys.at(-1)!, value: map.values.at(-1)!, start, next, last })
    return true
  }
  if (addKey(map, known.key, silent) === 'skip') return false
  map.values.push(known.value)
  scanner.position = known.next
  scanner.last = known.last
  entries?.keep(known)
  return true
}

/** The column of the content at the position, which the last value left there; -1 at the end. */
function columnHere({ text, position }: Scanner): number {
  if (position >= text.length) return -1
  let start = position
  while (start > 0 && text.charCodeAt(start - 1) === SPACE) start--
  return position - start
}

function blockKey(scanner: Scanner): ScalarNode | undefined {
  const { text, position: start, base } = scanner
  const first = text.charCodeAt(start)
  const quoted = first === DOUBLE_QUOTE || first === SINGLE_QUOTE ? quotedScalar(scanner) : undefined
  if (quoted !== undefined)
    return text.charCodeAt(scanner.position++) === COLON && isBlank(text.charCodeAt(scanner.position))
      ? quoted
      : undefined
  if (!startsPlain(text, start)) return undefined
  let at = start
  while (isKeyCharacter(text.charCodeAt(at))) at++
  if (text.charCodeAt(at) !== COLON || !isBlank(text.charCodeAt(at + 1))) return undefined
  const value = scanner.words.read(text, start, at)
  if (typeof value !== 'string') return undefined
  scanner.position = at + 1
  return { kind: 'scalar', start: base + start, end: base + at, value, plain: true }
}

const isKeyCharacter = (code: number): boolean =>
  (code >= 97 && code <= 122) ||
  code === 95 ||
  (code >= 48 && code <= 57) ||
  (code >= 65 && code <= 90) ||
  code === 46 ||
  code === DASH

/** The value after a key's colon. */
function blockValue(scanner: Scanner, indent: number, key: ScalarNode): YamlNode | undefined {
  if (!endOfLine(scanner)) {
    skipSpaces(scanner)
    return inlineValue(scanner, indent)
  }
  const column = nextContent(scanner)
  if (column === -2) return undefined
  if (column > indent)
    return isItem(scanner) || isPair(scanner.text, scanner.position)
      ? block(scanner, column)
      : inlineValue(scanner, indent)
  if (column === indent && isItem(scanner)) return block(scanner, column)
  return { kind: 'scalar', start: key.start, end: key.end, value: null, plain: true }
}

function blockList(scanner: Scanner, indent: number): ListNode | undefined {
  const { text, base } = scanner
  const list: Writable<ListNode> = { kind: 'list', start: base + scanner.position, end: 0, items: [] }
  for (;;) {
    const dash = scanner.position++
    if (endOfLine(scanner)) return undefined
    skipSpaces(scanner)
    const column = indent + scanner.position - dash
    const item = isItem(scanner)
      ? undefined
      : isPair(text, scanner.position)
        ? block(scanner, column)
        : inlineValue(scanner, indent)
    if (item === undefined) return undefined
    list.items.push(item)
    const next = columnHere(scanner)
    if (next < indent || (next === indent && !isItem(scanner))) break
    if (next !== indent) return undefined
  }
  list.end = base + scanner.last
  return list
}

/** Whether a plain key and its colon stand here. Quoted keys in lists are left to the full parser. */
function isPair(text: string, from: number): boolean {
  let at = from
  while (isKeyCharacter(text.charCodeAt(at))) at++
  return at > from && text.charCodeAt(at) === COLON && isBlank(text.charCodeAt(at + 1))
}

function skipSpaces(scanner: Scanner): void {
  while (scanner.text.charCodeAt(scanner.position) === SPACE) scanner.position++
}

/** A value on the line of its key or dash; afterwards the position is at the next content. */
function inlineValue(scanner: Scanner, indent: number): YamlNode | undefined {
  const code = scanner.text.charCodeAt(scanner.position)
  scanner.blockIndent = indent
  const node =
    code === OPEN_LIST || code === OPEN_MAP ? flowCollection(scanner)
    : code === DOUBLE_QUOTE || code === SINGLE_QUOTE ? quotedScalar(scanner)
    : (code === 124 || code === 62) && !startsLine(scanner) ? blockScalar(scanner, indent)
    : plainLine(scanner) // prettier-ignore
  if (node === undefined || !endOfLine(scanner)) return undefined
  const column = nextContent(scanner)
  return column > indent || column === -2 ? undefined : node
}

/** Whether only blanks stand before the position on its line. */
function startsLine({ text, position }: Scanner): boolean {
  let at = position
  while (text.charCodeAt(at - 1) === SPACE) at--
  return at === 0 || text.charCodeAt(at - 1) === NEWLINE
}

function plainLine(scanner: Scanner): ScalarNode | undefined {
  const { text, position: start, base } = scanner
  if (!startsPlain(text, start)) return undefined
  let end = start
  for (let at = start; ; at++) {
    const code = text.charCodeAt(at)
    if (code === NEWLINE || Number.isNaN(code)) break
    if (code === 9 || (code === COLON && isBlank(text.charCodeAt(at + 1)))) return undefined
    if (code === HASH && text.charCodeAt(at - 1) === SPACE) break
    if (code !== SPACE) end = at + 1
  }
  const value = scanner.words.read(text, start, end)
  if (value === undefined) return undefined
  scanner.position = scanner.last = end
  return { kind: 'scalar', start: base + start, end: base + end, value, plain: true }
}

/** A literal or folded text with a plain header. */
function blockScalar(scanner: Scanner, parent: number): ScalarNode | undefined {
  const { text, base } = scanner
  const header = /[|>]([+-]?) *\n/uy
  header.lastIndex = scanner.position
  const match = header.exec(text)
  if (match === null) return undefined
  const folded = text.charCodeAt(scanner.position) === 62
  const start = header.lastIndex
  let indent = 0
  while (text.charCodeAt(start + indent) === SPACE) indent++
  if (indent <= parent || text.charCodeAt(start + indent) === NEWLINE || text.charCodeAt(start + indent) === 9)
    return undefined
  const end = blockEnd(text, start, indent)
  const style = folded ? SCALAR_STYLE.FOLDED_BLOCK : SCALAR_STYLE.LITERAL_BLOCK
  const chomping = match[1] === '+' ? 3 : match[1] === '-' ? 2 : 1
  const value = getScalarValue(text, {
    type: 4,
    valueStart: start,
    valueEnd: end,
    anchorStart: -1,
    anchorEnd: -1,
    tagStart: -1,
    tagEnd: -1,
    style,
    chomping,
    indent,
    fast: false,
  })
  scanner.last = end
  scanner.position = text.charCodeAt(end - 1) === NEWLINE ? end - 1 : end
  return { kind: 'scalar', start: base + start, end: base + end, value, plain: false }
}

/** Where the lines end that are blank or indented deep enough. */
function blockEnd(text: string, from: number, indent: number): number {
  let end = from
  while (end < text.length) {
    let at = end
    while (at - end < indent && text.charCodeAt(at) === SPACE) at++
    if (at - end < indent && text.charCodeAt(at) !== NEWLINE && at < text.length) break
    end = Math.min(text.length, lineEnd(text, at) + 1)
  }
  return end
}
