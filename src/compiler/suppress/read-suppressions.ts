import type { PlacedSource } from '../read/sources.js'
import type { Spot, YamlNode } from '../read/tree.js'

/** `# svc-disable-next-line SVC6003, SVC6004 -- why` */
export interface Suppression {
  /** From the `#` to the end of the line. */
  readonly spot: Spot
  readonly codes: readonly { readonly code: string; readonly spot: Spot }[]
  readonly reason: string
  /** The stretch of text whose findings it covers: one line. */
  readonly covers: Spot
}

const COMMENT = /(?<=^|[ \t])#[ \t]*svc-disable-(next-line|line)\b([^\r\n]*)/gmu

/** The suppressions of a file; what stands inside a text is no comment. */
export function readSuppressions({ text, base }: PlacedSource, root: YamlNode | undefined): readonly Suppression[] {
  if (!text.includes('svc-disable-')) return []
  return [...text.matchAll(COMMENT)].flatMap((match) => {
    const start = base + match.index
    if (root !== undefined && isInsideText(root, start)) return []
    const [written, reason = ''] = (match[2] ?? '').split(/[ \t]--(?:[ \t]|$)/u, 2)
    const from = start + match[0].length - (match[2] ?? '').length
    const codes = [...(written ?? '').matchAll(/[^\s,]+/gu)].map((code) => ({
      code: code[0],
      spot: { start: from + code.index, end: from + code.index + code[0].length },
    }))
    const covers = match[1] === 'line' ? lineAt(text, match.index) : nextLine(text, match.index)
    const spot = { start, end: start + match[0].trimEnd().length }
    return [{ spot, codes, reason: reason.trim(), covers: { start: covers.start + base, end: covers.end + base } }]
  })
}

function isInsideText(node: YamlNode, offset: number): boolean {
  if (node.kind === 'scalar') return !node.plain && node.start <= offset && offset < node.end
  const parts = node.kind === 'list' ? node.items : [...node.keys, ...node.values]
  return parts.some((part) => part.start <= offset && offset < part.end && isInsideText(part, offset))
}

function lineAt(text: string, offset: number): Spot {
  const end = text.indexOf('\n', offset)
  return { start: text.lastIndexOf('\n', offset - 1) + 1, end: end === -1 ? text.length : end }
}

/** The next line that is neither blank nor a comment. */
function nextLine(text: string, offset: number): Spot {
  let line = lineAt(text, offset)
  do line = lineAt(text, line.end + 1)
  while (line.end < text.length && /^[ \t\r]*(?:#.*)?$/u.test(text.slice(line.start, line.end)))
  return line
}
