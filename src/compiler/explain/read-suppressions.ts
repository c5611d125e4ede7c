import type { PlacedSource } from '../parse/sources.js'
import type { Span, YamlNode } from '../parse/tree.js'

/** `# svc-disable-next-line SVC6003, SVC6004 -- why` */
export interface Suppression {
  readonly word: string
  /** From the `#` to the end of the line. */
  readonly span: Span
  readonly codes: readonly { readonly code: string; readonly span: Span }[]
  readonly reason: string
  /** The stretch of text whose findings it covers: one line. */
  readonly covers: Span
}

const COMMENT = /(?<=^|[ \t])#[ \t]*svc-disable-(next-line|line)\b([^\r\n]*)/gmu

/** The suppressions of a file; what stands inside a text is no comment. */
export function readSuppressions({ text, base }: PlacedSource, root: YamlNode | undefined): readonly Suppression[] {
  if (!text.includes('svc-disable-')) return []
  const nextLineOf = nextLines(text)
  return [...text.matchAll(COMMENT)].flatMap((match) => {
    const start = base + match.index
    if (root !== undefined && isInsideText(root, start)) return []
    const [written, reason = ''] = (match[2] ?? '').split(/[ \t]--(?:[ \t]|$)/u, 2)
    const from = start + match[0].length - (match[2] ?? '').length
    const codes = [...(written ?? '').matchAll(/[^\s,]+/gu)].slice(0, MOST_CODES).map((code) => ({
      code: code[0],
      span: { start: from + code.index, end: from + code.index + code[0].length },
    }))
    const covers = match[1] === 'line' ? lineAt(text, match.index) : nextLineOf(match.index)
    const span = { start, end: start + match[0].trimEnd().length }
    return [
      {
        word: `svc-disable-${match[1]}`,
        span,
        codes,
        reason: reason.trim(),
        covers: { start: covers.start + base, end: covers.end + base },
      },
    ]
  })
}

/** Nobody means more rules by one comment. */
const MOST_CODES = 100

function isInsideText(node: YamlNode, offset: number): boolean {
  if (offset < node.start || offset >= node.end) return false
  if (node.kind === 'scalar') return !node.plain
  if (node.kind === 'list') return node.items.some((item) => isInsideText(item, offset))
  const index = lastNotAfter(node.keys, offset)
  return [node.keys[index], node.values[index]].some((part) => part !== undefined && isInsideText(part, offset))
}

/** Keys stand in the order of the text. */
function lastNotAfter(keys: readonly Span[], offset: number): number {
  let low = 0
  let high = keys.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (keys[middle]!.start <= offset) low = middle
    else high = middle - 1
  }
  return low
}

function lineAt(text: string, offset: number): Span {
  const end = text.indexOf('\n', offset)
  return { start: offset < 1 ? 0 : text.lastIndexOf('\n', offset - 1) + 1, end: end === -1 ? text.length : end }
}

/** The same for comments one after the other, in one pass: those of one block cover the same line. */
function nextLines(text: string): (offset: number) => Span {
  let last: Span | undefined
  return (offset) => {
    if (last === undefined || offset >= last.start) last = nextLine(text, offset)
    return last
  }
}

/** The next line that is neither blank nor a comment. */
function nextLine(text: string, offset: number): Span {
  let line = lineAt(text, offset)
  do line = lineAt(text, line.end + 1)
  while (line.end < text.length && /^[ \t\r]*(?:#.*)?$/u.test(text.slice(line.start, line.end)))
  return line
}
