import type { Position, TextEdit } from '../diagnostics.js'
import { cutAround, safe, type LinesOfFile } from './code-frame.js'
import type { Colors } from './colors.js'

/** A fix of more lines is not shown: it is read in the file. */
const MOST_LINES = 4

/** Returns a fix as a diff; undefined if it is long or changes several files. */
export function fixDiff(
  edits: readonly TextEdit[],
  linesOf: LinesOfFile,
  { red, green, dim }: Colors,
): readonly string[] {
  const [first] = edits
  if (first === undefined || edits.some(({ file }) => file !== first.file)) return []
  const from = Math.min(...edits.map(({ range }) => range.start.line))
  const to = Math.max(...edits.map(({ range }) => range.end.line))
  const before = linesOf(first.file).slice(from - 1, to)
  const after = edited(before, from, edits)
  const gone = before.filter((line) => !after.includes(line))
  const come = after.filter((line) => !before.includes(line))
  if (gone.length + come.length === 0 || gone.length > MOST_LINES || come.length > MOST_LINES) return []
  const cut = cutAround(Math.max(0, first.range.start.column - 1))
  const shown = (line: string): string => safe(line.slice(cut.from, cut.to))
  return [
    dim('  fix'),
    ...gone.map((line) => red(`  - ${shown(line)}`)),
    ...come.map((line) => green(`  + ${shown(line)}`)),
  ]
}

/** Some lines with edits, which count lines from the first of the file. */
function edited(lines: readonly string[], from: number, edits: readonly TextEdit[]): readonly string[] {
  const text = lines.join('\n')
  const offsetOf = ({ line, column }: Position): number =>
    lines.slice(0, line - from).reduce((sum, each) => sum + each.length + 1, 0) + column - 1
  const ordered = edits.toSorted((one, other) => one.range.start.offset - other.range.start.offset)
  let [result, at] = ['', 0]
  for (const { range, newText } of ordered) {
    result += text.slice(at, offsetOf(range.start)) + newText
    at = offsetOf(range.end)
  }
  return (result + text.slice(at)).split('\n')
}
