import { addKey } from '../keys.js'
import type { ListNode, MapNode, ScalarNode, YamlNode } from '../tree.js'
import {
  CLOSE_LIST, CLOSE_MAP, COLON, COMMA, DEEPEST, DOUBLE_QUOTE, HASH, NEWLINE, OPEN_LIST, OPEN_MAP, quotedScalar, type Scanner, SINGLE_QUOTE, SPACE, startsPlain,
} from './scanner.js' // prettier-ignore

const silent = (): void => undefined

/** A flow collection; undefined if the scanner does not know one of its forms. */
export function flowCollection(scanner: Scanner): ListNode | MapNode | undefined {
  if (++scanner.depth > DEEPEST) return undefined
  const isMap = scanner.text.charCodeAt(scanner.position) === OPEN_MAP
  const node = isMap ? flowMap(scanner) : flowList(scanner)
  scanner.depth--
  return node
}

function flowList(scanner: Scanner): ListNode | undefined {
  const { text, base } = scanner
  const start = scanner.position++
  const items: YamlNode[] = []
  for (;;) {
    if (!skipBlanks(scanner)) return undefined
    if (text.charCodeAt(scanner.position) === CLOSE_LIST) break
    const item = flowValue(scanner)
    if (item === undefined || !skipBlanks(scanner)) return undefined
    items.push(item)
    const code = text.charCodeAt(scanner.position)
    if (code === COMMA) scanner.position++
    else if (code !== CLOSE_LIST) return undefined
  }
  scanner.last = ++scanner.position
  return { kind: 'list', start: base + start, end: base + scanner.position, items }
}

function flowMap(scanner: Scanner): MapNode | undefined {
  const { text, base } = scanner
  const start = scanner.position++
  const map = {
    kind: 'map' as const,
    start: base + start,
    end: 0,
    keys: [],
    values: [] as YamlNode[],
    faults: undefined,
  }
  for (;;) {
    if (!skipBlanks(scanner)) return undefined
    if (text.charCodeAt(scanner.position) === CLOSE_MAP) break
    if (!flowPair(scanner, map) || !skipBlanks(scanner)) return undefined
    const code = text.charCodeAt(scanner.position)
    if (code === COMMA) scanner.position++
    else if (code !== CLOSE_MAP) return undefined
  }
  scanner.last = ++scanner.position
  map.end = base + scanner.position
  return map
}

function flowPair(scanner: Scanner, map: MapNode): boolean {
  const { text } = scanner
  const key = flowScalar(scanner)
  if (
    key === undefined ||
    text.charCodeAt(scanner.position) !== COLON ||
    text.charCodeAt(scanner.position + 1) !== SPACE
  )
    return false
  if (typeof key.value !== 'string' || addKey(map, key, silent) === 'skip') return false
  scanner.position += 2
  if (!skipBlanks(scanner)) return false
  const value = flowValue(scanner)
  if (value === undefined) return false
  map.values.push(value)
  return true
}

function flowValue(scanner: Scanner): YamlNode | undefined {
  const code = scanner.text.charCodeAt(scanner.position)
  return code === OPEN_LIST || code === OPEN_MAP ? flowCollection(scanner) : flowScalar(scanner)
}

function flowScalar(scanner: Scanner): ScalarNode | undefined {
  const { text, position: start, base } = scanner
  const first = text.charCodeAt(start)
  if (first === DOUBLE_QUOTE || first === SINGLE_QUOTE) return quotedScalar(scanner)
  if (!startsPlain(text, start)) return undefined
  let end = start
  for (let at = start; ; at++) {
    const code = text.charCodeAt(at)
    if (code === COMMA || code === CLOSE_LIST || code === CLOSE_MAP || code === NEWLINE || code === COLON) {
      if (code === COLON && isInside(text, at)) {
        end = at + 1
        continue
      }
      scanner.position = at
      break
    }
    if (
      Number.isNaN(code) ||
      code === OPEN_LIST ||
      code === OPEN_MAP ||
      code === 9 ||
      (code === HASH && text.charCodeAt(at - 1) === SPACE)
    )
      return undefined
    if (code !== SPACE) end = at + 1
  }
  const value = scanner.words.read(text, start, end)
  if (value === undefined) return undefined
  scanner.last = end
  return { kind: 'scalar', start: base + start, end: base + end, value, plain: true }
}

/** A colon within a word, such as that of a time or a scope. */
function isInside(text: string, colon: number): boolean {
  const next = text.charCodeAt(colon + 1)
  return (next >= 97 && next <= 122) || (next >= 48 && next <= 57) || (next >= 65 && next <= 90)
}

/** Blanks and line ends between tokens; false at what only the full parser can judge. */
function skipBlanks(scanner: Scanner): boolean {
  const { text } = scanner
  let at = scanner.position
  let lineStart = -1
  for (;;) {
    const code = text.charCodeAt(at)
    if (code === NEWLINE) lineStart = at + 1
    else if (code !== SPACE) {
      if (code === HASH || code === 9 || (lineStart !== -1 && at - lineStart <= scanner.blockIndent)) return false
      scanner.position = at
      return true
    }
    at++
  }
}
