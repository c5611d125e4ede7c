import type { Diagnostic, Source } from '../diagnostics.js'

/**
 * Keys in a row that are all given twice are one fault: a part that was pasted twice, or one whose own key or dash is
 * gone. The first of them tells it.
 */
export function joinRepeats(diagnostics: readonly Diagnostic[], sources: readonly Source[]): readonly Diagnostic[] {
  const repeats = diagnostics.filter(({ code }) => code === 'SVC0103')
  if (repeats.length < 2) return diagnostics
  const lines = new Map(sources.map(({ file, text }) => [file, text.split('\n')]))
  const rows = rowsOf(repeats, (one, next) => isBelow(lines.get(one.file) ?? [], one, next))
  const told = new Map(rows.flatMap((row) => row.map((each, index) => [each, index === 0 ? first(row) : undefined])))
  return diagnostics.flatMap((each) => (told.has(each) ? (told.get(each) ?? []) : each))
}

function rowsOf(
  repeats: readonly Diagnostic[],
  isNext: (one: Diagnostic, next: Diagnostic) => boolean,
): readonly Diagnostic[][] {
  const rows: Diagnostic[][] = []
  for (const repeat of repeats) {
    const last = rows.at(-1)?.at(-1)
    if (last !== undefined && isNext(last, repeat)) rows.at(-1)!.push(repeat)
    else rows.push([repeat])
  }
  return rows
}

/** Whether a key is the next one at the column of another: between them stands only what is deeper. */
function isBelow(lines: readonly string[], one: Diagnostic, next: Diagnostic): boolean {
  const { line, column } = one.range.start
  const { start } = next.range
  if (one.file !== next.file || start.column !== column || start.line <= line) return false
  const isDeeper = (text: string): boolean => text.trim() === '' || text.search(/\S/u) >= column
  const isFirst = (text: string | undefined): boolean => text?.slice(0, column - 1).trim() === ''
  return isFirst(lines[start.line - 1]) && lines.slice(line, start.line - 1).every(isDeeper)
}

function first(row: readonly Diagnostic[]): Diagnostic {
  const [repeat] = row as [Diagnostic]
  if (row.length === 1) return repeat
  const more = row.length === 2 ? 'the one after it' : `the ${row.length - 1} after it`
  const message = repeat.message.replace(
    / is given twice;.*/u,
    ` and ${more} are given twice; remove them, or write above them what they belong to.`,
  )
  return { ...repeat, message }
}
