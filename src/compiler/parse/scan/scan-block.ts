import { reportTo, type Finding } from '../../finding.js'
import { readEntry, type Begun } from '../excerpt.js'
import { addKey } from '../keys.js'
import { lookingAgain } from '../look-again.js'
import type { ListNode, MapNode, ScalarNode, YamlNode } from '../tree.js'
import { createWords } from './words.js'
import { blockScalar } from './block-scalar.js'
import { flowCollection } from './scan-flow.js'
import {
  COLON, DASH, DEEPEST, DOUBLE_QUOTE, endOfLine, type Entry, HASH, NEWLINE, nextContent, OPEN_LIST, OPEN_MAP, quotedScalar, type Scanned, type Scanner, SINGLE_QUOTE, SPACE, startsPlain, type EntryMemory,
} from './scanner.js' // prettier-ignore

type Writable<T> = { -readonly [K in keyof T]: T[K] }
const silent = (): void => undefined

/** A byte order mark, a line end of old, and marks of documents and directives. */
const FOREIGN = ['\uFEFF', '\r', '\n---', '\n...', '\n%']
const isForeign = lookingAgain((text) => FOREIGN.some((mark) => text.includes(mark)), '\n---'.length)
const STARTS = ['---', '...', '%']
/** The mark that may stand before the document. */
const MARK = /^(?: *(?:#[^\n]*)?\n)*--- *(?: #[^\n]*)?\n/u

/** The document of a text in the common forms, or the entry at which the scanner gave up: what stands before it is sound. */
export function scanDocument(source: string, base: number, entries?: EntryMemory): Scanned {
  entries?.begin(source)
  // With a blank for each CR the text has the same offsets, and one kind of line end.
  const text = source.includes('\r') ? source.replaceAll('\r\n', ' \n') : source
  const position = text.includes('---') ? (MARK.exec(text)?.[0].length ?? 0) : 0
  if (isForeign(text.slice(position)) || STARTS.some((mark) => text.startsWith(mark, position))) return GIVEN_UP
  const scanner: Scanner = {
    source, text, base, position, last: 0, depth: 0, blockIndent: 0, words: createWords(text.length), entries, section: '', begun: undefined, findings: [],
  } // prettier-ignore
  if (nextContent(scanner) !== 0) return GIVEN_UP
  const root = block(scanner, 0)
  if (root === undefined || scanner.position < text.length) return { ...GIVEN_UP, begun: scanner.begun }
  entries?.end(root)
  return { root, findings: scanner.findings }
}

const GIVEN_UP = { findings: [] }

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
  const isMain = scanner.depth === 1 || (scanner.depth === 2 && scanner.section === 'capabilities')
  for (;;) {
    if (!(isMain ? mainEntry(scanner, indent, map) : blockEntry(scanner, indent, map))) return undefined
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

/** The same for a field of the root, and for a capability: that is not read again when its text is unchanged. */
function mainEntry(scanner: Scanner, column: number, map: MapNode): boolean {
  const { position: at, base, depth, entries } = scanner
  const begun = { at, column, depth, isFirst: base + at === map.start }
  scanner.begun = begun
  const known = depth === 2 ? entries?.at(at) : undefined
  const entry = known ?? scannedEntry(scanner, begun) ?? parsedEntry(scanner, begun)
  if (entry === undefined) return false
  scanner.position = entry.next
  scanner.last = entry.last
  if (addKey(map, entry.key, reportTo(scanner.findings)) !== 'skip') map.values.push(entry.value)
  if (depth === 2 && !entry.isFaulty) entries?.keep(entry)
  return true
}

function scannedEntry(scanner: Scanner, { at: start, column }: Begun): Entry | undefined {
  const alone: MapNode = { kind: 'map', start, end: start, keys: [], values: [], faults: undefined }
  if (!blockEntry(scanner, column, alone)) return undefined
  return { key: alone.keys[0]!, value: alone.values[0]!, start, next: scanner.position, last: scanner.last }
}

/** What the scanner does not know, the full parser reads: this entry only. */
function parsedEntry(scanner: Scanner, begun: Begun): Entry | undefined {
  const { source, base } = scanner
  // It gave up in a capability, or in what follows one.
  if (scanner.begun !== begun) return undefined
  const findings: Finding[] = []
  const read = readEntry(source, base, begun, reportTo(findings))
  if (read === undefined) return undefined
  scanner.depth = begun.depth
  scanner.position = read.end
  if (nextContent(scanner) === -2) return undefined
  scanner.findings.push(...findings)
  return { ...read, start: begun.at, next: scanner.position, isFaulty: findings.length > 0 }
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
