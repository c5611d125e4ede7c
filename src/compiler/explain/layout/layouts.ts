import { lineCount, linesBetween, type LineIndex } from './lines.js'

/**
 * Lines as they may have been meant: other white space or dashes before the same words, and what is then to be said.
 */
export interface Layout {
  /** The line that the finding is about. */
  readonly line: number
  readonly kind: 'white space' | 'dash' | 'indentation'
  readonly message: string
  readonly changed: ReadonlyMap<number, string>
}

const kind = 'indentation'
/** A list of mappings seldom has more items, and a mapping more fields, than this. */
const MOST_SIBLINGS = 12
const isKey = (line: string): boolean => /^(?:- +)*["']?[\w.$-]+["']?:(?:\s|$)/u.test(line)

export const isBlank = (line: string): boolean => /^\s*(?:#|$)/u.test(line)
export const indentOf = (line: string): number => line.length - line.trimStart().length
const wordOf = (line: string): string => /^(?:- +)*["']?([\w.$-]+)/u.exec(line.trim())?.[1] ?? line.trim().slice(0, 20)

/** Lines farther from a fault have nothing to do with it. */
const FARTHEST = 400

/** The ways in which the lines near a fault may have been meant, the likeliest first. */
export function* layoutsNear(lines: LineIndex, fault: number, isAlone: boolean): Generator<Layout> {
  const from = Math.max(0, fault - FARTHEST)
  const local = linesBetween(lines, from, Math.min(lineCount(lines), fault + FARTHEST))
  for (const { line, changed, ...layout } of layoutsOf(local, fault - from, isAlone))
    yield { ...layout, line: line + from, changed: new Map([...changed].map(([at, text]) => [at + from, text])) }
}

function* layoutsOf(lines: readonly string[], fault: number, isAlone: boolean): Generator<Layout> {
  const near = linesNear(lines, fault, isAlone)
  const column = indentOf(lines[fault]!)
  yield* withSpaces(lines, fault)
  for (const line of near) {
    yield* withDash(lines, line)
    yield* deeperThanKey(lines, line)
    yield* alignedBlock(lines, line, column)
    yield* alignedLine(lines, line, column)
  }
  for (const line of near) yield* alignedPart(lines, line)
}

/**
 * The line of the fault, those before it, the next one, where the deeper lines before it begin, and what it is deeper
 * than.
 */
function linesNear(lines: readonly string[], fault: number, isAlone: boolean): readonly number[] {
  const next = written(lines, fault, 1)
  if (isAlone) return next === undefined ? [fault] : [fault, next]
  const before = written(lines, fault, -1)
  const beforeThat = before === undefined ? undefined : written(lines, before, -1)
  const all = [fault, before, next, beforeThat, startOfDeeper(lines, fault), parentOf(lines, fault)]
  return [...new Set(all)].filter((line) => line !== undefined)
}

/** The nearest line before or after one that is neither blank nor a comment. */
function written(lines: readonly string[], from: number, step: 1 | -1): number | undefined {
  let line = from + step
  while (line >= 0 && line < lines.length && isBlank(lines[line]!)) line += step
  return line < 0 || line >= lines.length ? undefined : line
}

function startOfDeeper(lines: readonly string[], fault: number): number | undefined {
  let start: number | undefined
  for (let line = written(lines, fault, -1); line !== undefined; line = written(lines, line, -1)) {
    if (indentOf(lines[line]!) <= indentOf(lines[fault]!)) break
    start = line
  }
  return start
}

/** White space that looks like spaces and is none to YAML. */
const oddSpace = (line: string): string | undefined => /^\s*?([^\S\t\r ])/u.exec(line)?.[1]

/** The nearest lines with such white space, as if they had spaces, which are as wide or half as wide. */
function* withSpaces(lines: readonly string[], fault: number): Generator<Layout> {
  const isOdd = (line: number): boolean => oddSpace(lines[line] ?? '') !== undefined && !isBlank(lines[line]!)
  let start = fault
  while (start > 0 && !isOdd(start)) start--
  if (!isOdd(start)) return
  let end = start + 1
  while (isOdd(start - 1)) start--
  while (isOdd(end)) end++
  const mark = codePoint(oddSpace(lines[start]!)!)
  const message = `The indentation holds ${mark}, which only looks like a space; write spaces.`
  for (const width of [' ', '  ']) {
    const changed = lines.slice(start, end).map((text, index) => [start + index, withWidth(text, width)] as const)
    yield { line: start, kind: 'white space', message, changed: new Map(changed) }
  }
}

const withWidth = (text: string, width: string): string =>
  text.slice(0, indentOf(text)).replaceAll(/[^ ]/gu, width) + text.trimStart()

const codePoint = (mark: string): string => `U+${mark.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`

function parentOf(lines: readonly string[], line: number): number | undefined {
  let above = written(lines, line, -1)
  while (above !== undefined && indentOf(lines[above]!) >= indentOf(lines[line]!)) above = written(lines, above, -1)
  return above
}

function* withDash(lines: readonly string[], line: number): Generator<Layout> {
  const text = lines[line]!
  const indent = indentOf(text)
  if (!isKey(text.trim()) || text.trim().startsWith('-')) return
  const message = `A \`-\` and a space are missing before \`${wordOf(text)}\`, where an item of the list begins.`
  for (const column of indent < 2 ? [indent] : [indent - 2, indent])
    yield { line, kind: 'dash', message, changed: new Map([[line, `${' '.repeat(column)}- ${text.trimStart()}`]]) }
}

/** Yields layouts that move what follows a key without a value below it: one line, two, and so on. */
function* deeperThanKey(lines: readonly string[], line: number): Generator<Layout> {
  const before = written(lines, line, -1)
  if (before === undefined || !/(?::|[|>][+-]?)$/u.test(lines[before]!.trimEnd())) return
  const key = columnOfKey(lines[before]!)
  const by = key + 2 - indentOf(lines[line]!)
  if (by < 1) return
  const message = `What belongs to \`${wordOf(lines[before]!)}\` is indented deeper than it; indent this by ${spaces(by)} more.`
  for (const end of endsOfSiblings(lines, line, key))
    yield { line, kind, message, changed: moved(lines, line, end, by) }
}

const columnOfKey = (line: string): number => /^\s*(?:- +)*/u.exec(line)![0].length
const spaces = (count: number): string => (count === 1 ? 'one space' : `${count} spaces`)

/**
 * Returns the possible ends of the lines that begin with one and are deeper than a column, or siblings of the first:
 * a blank line comes first.
 */
function endsOfSiblings(lines: readonly string[], from: number, column: number): readonly number[] {
  const indent = indentOf(lines[from]!)
  const ends: number[] = []
  const blank = lines.findIndex((text, line) => line > from && text.trim() === '')
  if (blank !== -1) ends.push(blank)
  for (let line = from + 1; line < lines.length && ends.length < MOST_SIBLINGS; line++) {
    const text = lines[line]!
    if (isBlank(text) || indentOf(text) > Math.max(indent, column)) continue
    ends.push(line)
    if (indentOf(text) < indent) return ends
  }
  return [...ends, lines.length]
}

function* alignedBlock(lines: readonly string[], line: number, wanted: number): Generator<Layout> {
  const indent = indentOf(lines[line]!)
  const ends = endsOfSiblings(lines, line, indent)
  for (const end of ends.slice(0, 2)) yield* aligned(lines, line, end, [...columnsFor(lines, line, end), wanted])
}

/** A line with some of those that stand where its own would stand if it stood deeper. */
function* alignedPart(lines: readonly string[], line: number): Generator<Layout> {
  const indent = indentOf(lines[line]!)
  for (const column of columnsFor(lines, line, line + 1))
    if (column > indent)
      for (const end of endsOfSiblings(lines, line, column)) yield* aligned(lines, line, end, [column])
}

function* aligned(lines: readonly string[], line: number, end: number, columns: readonly number[]): Generator<Layout> {
  const text = lines[line]!
  const indent = indentOf(text)
  for (const column of columns)
    if (column !== indent && !isUnderOwn(lines, line, column))
      yield { line, kind, message: misaligned(text, column), changed: moved(lines, line, end, column - indent) }
}

const alignedLine = (lines: readonly string[], line: number, wanted: number): Generator<Layout> =>
  aligned(lines, line, line + 1, [...columnsFor(lines, line, line + 1), wanted])

const misaligned = (line: string, column: number): string =>
  `\`${wordOf(line)}\` is indented by ${spaces(indentOf(line))}, which fits nothing here; indent it ` +
  `by ${spaces(column)}.`

/** Returns the possible columns of a line: those open above it, one below them, and that of the next line. */
function columnsFor(lines: readonly string[], from: number, end: number): readonly number[] {
  const columns: number[] = []
  let least = Infinity
  for (let line = written(lines, from, -1); line !== undefined && least > 0; line = written(lines, line, -1)) {
    const indent = indentOf(lines[line]!)
    if (indent >= least) continue
    least = indent
    const column = columnOfKey(lines[line]!)
    if (columns.length === 0 && lines[line]!.trimEnd().endsWith(':')) columns.push(column + 2)
    columns.push(...(column === indent ? [indent] : [column, indent]))
  }
  const next = written(lines, end - 1, 1)
  if (next !== undefined) columns.push(indentOf(lines[next]!))
  return [...new Set(columns)]
}

/** Checks whether a line would be under a field of the author's own, where everything fits. */
function isUnderOwn(lines: readonly string[], line: number, column: number): boolean {
  // A line without lines below it may stand before one that is there.
  const next = written(lines, line, 1)
  const isBeforeOne = next !== undefined && indentOf(lines[next]!) === column
  if (isBeforeOne && !lines[line]!.trimEnd().endsWith(':')) return false
  let least = column
  for (let above = written(lines, line, -1); above !== undefined && least > 0; above = written(lines, above, -1)) {
    const indent = indentOf(lines[above]!)
    if (indent >= least) continue
    if (/^(?:- +)*["']?x-/u.test(lines[above]!.trimStart())) return true
    least = indent
  }
  return false
}

function moved(lines: readonly string[], from: number, end: number, by: number): ReadonlyMap<number, string> {
  const changed = new Map<number, string>()
  for (let line = from; line < end; line++) {
    const text = lines[line]!
    if (isBlank(text)) continue
    changed.set(line, ' '.repeat(Math.max(0, indentOf(text) + by)) + text.trimStart())
  }
  return changed
}
