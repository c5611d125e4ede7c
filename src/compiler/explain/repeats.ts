import type { Finding } from '../finding.js'
import { positionAt, type SourceMap } from '../parse/sources.js'
import type { Step } from './step.js'
import { unquoted } from './unquoted.js'

/**
 * Keys in a row that are all given twice are one fault: a part that was pasted twice, or one whose own key or dash is
 * gone. The first of them is reported.
 */
export const joinRepeats: Step = (findings, { read: { placed } }) => {
  const repeats = findings.filter(isRepeat)
  if (repeats.length < 2) return findings
  const rows = rowsOf(repeats, (one, next) => isBelow(placed, one, next))
  const first = new Map(rows.map((row) => [row[0], joined(row, placed)]))
  return findings.flatMap((each) => (isRepeat(each) ? (first.get(each) ?? []) : each))
}

/** A lost dash makes repeats, too; then the layout is reported, and no earlier key is related. */
const isRepeat = ({ code, related }: Finding): boolean => code === 'SVC0103' && related !== undefined

function rowsOf(repeats: readonly Finding[], isNext: (one: Finding, next: Finding) => boolean): readonly Finding[][] {
  const rows: Finding[][] = []
  for (const repeat of repeats) {
    const last = rows.at(-1)?.at(-1)
    if (last !== undefined && isNext(last, repeat)) rows.at(-1)!.push(repeat)
    else rows.push([repeat])
  }
  return rows
}

/** Checks whether a key is the next one in the column of another: every line between them is deeper. */
function isBelow(sources: SourceMap, one: Finding, next: Finding): boolean {
  const file = sources.fileAt(one.span.start)
  if (file !== sources.fileAt(next.span.start)) return false
  const starts = sources.lineStarts(file)
  const [from, to] = [one, next].map(({ span }) => positionAt(starts, span.start - file.base)) as [Position, Position]
  if (to.column !== from.column || to.line <= from.line) return false
  const lineAt = (line: number): string => file.text.slice(starts[line - 1], starts[line] ?? file.text.length)
  const isDeeper = (text: string): boolean => text.trim() === '' || text.search(/\S/u) >= from.column
  if (
    lineAt(to.line)
      .slice(0, from.column - 1)
      .trim() !== ''
  )
    return false
  for (let line = from.line + 1; line < to.line; line++) if (!isDeeper(lineAt(line))) return false
  return true
}

type Position = ReturnType<typeof positionAt>

function joined(row: readonly Finding[], sources: SourceMap): Finding {
  const [repeat] = row as [Finding]
  if (row.length === 1) return repeat
  const name = unquoted(sources.text(repeat.span))
  const more = row.length === 2 ? 'the one after it' : `the ${row.length - 1} after it`
  const message = `The key \`${name}\` and ${more} are given twice; remove them, or write above them what they belong to.`
  return { ...repeat, message }
}
