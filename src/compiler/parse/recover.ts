import { EVERY_FIELD, markFault, type MapNode, type ScalarNode, type YamlNode } from './tree.js'

/**
 * A text in which the block around a syntax error is blanked, so that the rest can be read. Offsets stay as they are.
 */
export interface Recovered {
  readonly text: string
  /** Beginning of the blanked block's key. */
  readonly keyAt: number
  /** End of the block. */
  readonly end: number
}

/** Blanks the capability around an offset, or the top-level field. Undefined if there is no such block. */
export function withoutBlock(text: string, offset: number): Recovered | undefined {
  const keyAt =
    blockAround(text, Math.min(offset, text.length), 2) ?? blockAround(text, Math.min(offset, text.length), 0)
  if (keyAt === undefined) return undefined
  const indent = keyAt - lineStartOf(text, keyAt)
  const colon = /^[^\n:]*:/u.exec(text.slice(keyAt, keyAt + 200))
  const end = blockEnd(text, keyAt, indent)
  // Without its anchors and aliases the rest would read differently.
  if (/[&*]/u.test(text.slice(keyAt, end))) return undefined
  const kept = colon === null ? 0 : colon[0].length
  const blank = text.slice(keyAt + kept, end).replaceAll(/[^\n\r]/gu, ' ')
  return { text: text.slice(0, keyAt + kept) + blank + text.slice(end), keyAt, end }
}

/** A search from before the start would find what stands at the start. */
const lineStartOf = (text: string, offset: number): number => (offset < 1 ? 0 : text.lastIndexOf('\n', offset - 1) + 1)

/** First text on a line. After a tab, the intended depth is unknown. */
const CONTENT = /^( *)(?=[^ \t#\r\n])/u

/**
 * The start of the nearest key at an indentation, at or above the line of an offset; not beyond a lesser indentation.
 */
function blockAround(text: string, offset: number, indent: number): number | undefined {
  for (let line = lineStartOf(text, offset); ; line = lineStartOf(text, line - 1)) {
    const content = CONTENT.exec(text.slice(line, line + 200))
    const column = content?.[1]?.length
    if (column === indent && isKeyAt(text, line + indent)) return line + indent
    if ((column !== undefined && column < indent) || line === 0) return undefined
  }
}

const isKeyAt = (text: string, at: number): boolean => /^["']?[\w.$-]+["']?\s*:(?:\s|$)/u.test(text.slice(at, at + 160))

function blockEnd(text: string, from: number, indent: number): number {
  for (let line = text.indexOf('\n', from) + 1; line > 0; line = text.indexOf('\n', line) + 1) {
    const content = CONTENT.exec(text.slice(line, line + 200))
    if (
      content !== null &&
      content[1]!.length <= indent &&
      !/^[-\]}]/u.test(text.slice(line + content[1]!.length, line + content[1]!.length + 1))
    )
      return line
  }
  return text.length
}

/**
 * Says of the blanked block's key that its value is unknown, so that nothing is said about it; and of the root, if the
 * block went on to the end, that any field may have been in it.
 */
export function markBlanked(root: YamlNode, keyAt: number, isLast: boolean): void {
  if (root.kind !== 'map') return
  if (isLast && root.keys.some(({ start }) => start === keyAt)) markFault(root, EVERY_FIELD)
  for (const map of [root, ...root.values.filter((value): value is MapNode => value.kind === 'map')]) {
    const index = map.keys.findIndex(({ start }) => start === keyAt)
    const key = map.keys[index]
    if (key === undefined) continue
    const unknown: ScalarNode = {
      kind: 'scalar',
      start: key.start,
      end: key.end,
      value: null,
      plain: false,
      broken: true,
    }
    map.values[index] = unknown
    return markFault(map, String(key.value))
  }
  markFault(root, EVERY_FIELD)
}
