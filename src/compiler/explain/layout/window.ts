import { lineCount, lineAt, linesBetween, type LineIndex } from './lines.js'

/** Size of the text read around a line: a short text in full, some entries of a longer one. */
export interface Width {
  readonly whole: number
  readonly before: number
  readonly after: number
}
export const WIDE: Width = { whole: 250, before: 3, after: 4 }
export const NARROW: Width = { whole: 0, before: 1, after: 1 }
/** Entries are looked for in so many characters. */
const FARTHEST = 4 * 1024
/** Longest text that is read repeatedly. */
const LONGEST = 16 * 1024

export interface Window {
  /** The lines of the text: from one to just before the other. */
  readonly from: number
  readonly to: number
  /** Text that makes them a manifest. */
  readonly head: string
  /** The lines as a text, with some of them changed. */
  readonly textWith: (changed: ReadonlyMap<number, string>) => string
  readonly holds: (line: number) => boolean
}

/** Beginning of every manifest. */
export const HEAD =
  'manifest_metadata: { version: "0.24.0" }\nservice_identity: { id: part }\ntrust: { level: signed }\n'

/** The lines around one; undefined if they are long. What begins the file stands after `top`. */
export function windowAround(lines: LineIndex, line: number, top: string, width: Width): Window | undefined {
  const isShort = lineCount(lines) <= width.whole
  const from = isShort ? 0 : startBefore(lines, line, width.before)
  const to = isShort ? lineCount(lines) : endAfter(lines, line, width.after)
  const head = from === 0 ? top : `${HEAD}capabilities:\n`
  const written = linesBetween(lines, from, to)
  if (written.reduce((length, text) => length + text.length, 0) > LONGEST) return undefined
  return {
    from,
    to,
    head,
    textWith(changed) {
      const part = written.map((text, index) => changed.get(from + index) ?? text)
      return `${head}${part.join('\n')}\n`
    },
    holds: (line) => from <= line && line < to,
  }
}

/** Checks whether a line begins a capability, or what follows the capabilities. */
const isEntry = (line: string): boolean => /^ {0,2}["'\w].*:\s*$/u.test(line)
/** Beginning of the capabilities. */
const ROOT = /(?<![^\n])["']?capabilities/u

/** Some capabilities before a line, or the start of the file: what stands before the capabilities is short. */
function startBefore(lines: LineIndex, line: number, most: number): number {
  const root = lines.text.search(ROOT)
  if (root === -1) return 0
  let size = 0
  let entries = 0
  for (let from = line - 1; from > 0 && lines.starts[from]! > root; from--) {
    const text = lineAt(lines, from)
    size += text.length
    if (/^ {2}\S/u.test(text) && (size > FARTHEST || (isEntry(text) && ++entries === most))) return from
  }
  return 0
}

function endAfter(lines: LineIndex, line: number, most: number): number {
  let size = 0
  let entries = 0
  for (let to = line + 1; to < lineCount(lines); to++) {
    const text = lineAt(lines, to)
    size += text.length
    // An entry that is cut off would lack what stands behind it.
    if (size > 2 * FARTHEST || (isEntry(text) && (size > FARTHEST || ++entries === most))) return to
  }
  return lineCount(lines)
}
