import { getScalarValue, SCALAR_STYLE } from 'js-yaml'
import type { ScalarNode } from '../tree.js'
import { lineEnd, NEWLINE, type Scanner, SPACE } from './scanner.js'

/** A literal or folded text with a plain header. */
export function blockScalar(scanner: Scanner, parent: number): ScalarNode | undefined {
  const { text, source, base } = scanner
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
  const value = getScalarValue(source, {
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
