/** How much is read around a line: a text of so many lines as a whole, of a longer one some entries. */
export interface Width {
  readonly whole: number
  readonly before: number
  readonly after: number
}
export const WIDE: Width = { whole: 250, before: 3, after: 4 }
export const NARROW: Width = { whole: 0, before: 1, after: 1 }
/** Entries are looked for in so many characters. */
const FARTHEST = 4 * 1024
/** What is longer is not read again and again. */
const LONGEST = 16 * 1024

export interface Window {
  /** The lines as a text, with some of them changed. */
  readonly textWith: (changed: ReadonlyMap<number, string>) => string
  readonly holds: (line: number) => boolean
}

/** What every manifest begins with. */
export const HEAD =
  'manifest_metadata: { version: "0.24.0" }\nservice_identity: { id: part }\ntrust: { level: signed }\n'

/** The lines around one; undefined if they are long. What begins the file stands after `top`. */
export function windowAround(lines: readonly string[], line: number, top: string, width: Width): Window | undefined {
  const isShort = lines.length <= width.whole
  const from = isShort ? 0 : startBefore(lines, line, width.before)
  const to = isShort ? lines.length : endAfter(lines, line, width.after)
  const head = from === 0 ? top : `${HEAD}capabilities:\n`
  const written = lines.slice(from, to)
  if (written.reduce((length, text) => length + text.length, 0) > LONGEST) return undefined
  return {
    textWith(changed) {
      const part = written.map((text, index) => changed.get(from + index) ?? text)
      return `${head}${part.join('\n')}\n`
    },
    holds: (line) => from <= line && line < to,
  }
}

/** Where a capability begins, or what follows them. */
const isEntry = (line: string): boolean => /^ {0,2}["'\w].*:\s*$/u.test(line)
const isRoot = (line: string): boolean => /^["']?capabilities/u.test(line)

/** Some capabilities before a line, or the start of the file: what stands before the capabilities is short. */
function startBefore(lines: readonly string[], line: number, most: number): number {
  const root = lines.findIndex(isRoot)
  if (root === -1) return 0
  let size = 0
  let entries = 0
  for (let from = line - 1; from > root; from--) {
    size += lines[from]!.length
    if (/^ {2}\S/u.test(lines[from]!) && (size > FARTHEST || (isEntry(lines[from]!) && ++entries === most))) return from
  }
  return 0
}

function endAfter(lines: readonly string[], line: number, most: number): number {
  let size = 0
  let entries = 0
  for (let to = line + 1; to < lines.length; to++) {
    size += lines[to]!.length
    // An entry that is cut off would lack what stands behind it.
    if (size > 2 * FARTHEST || (isEntry(lines[to]!) && (size > FARTHEST || ++entries === most))) return to
  }
  return lines.length
}
