import type { Diagnostic } from '../diagnostics.js'
import { isFixable, summarySentence, type CheckedRun } from './run.js'

/** Reports how often each rule found something, most frequent first; `[*]` marks fixable ones. */
export function statisticsReport(run: CheckedRun): string {
  const byCode = new Map<string, Diagnostic[]>()
  for (const each of run.diagnostics) byCode.set(each.code, [...(byCode.get(each.code) ?? []), each])
  const rows = [...byCode.values()].toSorted(
    (one, other) => other.length - one.length || (one[0]!.code < other[0]!.code ? -1 : 1),
  )
  const width = String(rows[0]?.length ?? 0).length
  return [...rows.map((found) => row(found, width)), `${summarySentence(run)}\n`].join('\n')
}

function row(found: readonly Diagnostic[], width: number): string {
  const { code, slug, severity } = found[0]!
  const mark = found.some(isFixable) ? '[*]' : '   '
  return `${String(found.length).padStart(width)}  ${code}  ${mark}  ${severity.padEnd(7)}  ${slug}`
}
