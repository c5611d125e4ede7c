import type { Diagnostic, Severity } from '../diagnostics.js'
import type { CheckedRun } from './run.js'

/** GitHub shows this many annotations of a step. */
const SHOWN = 10
const COMMAND = { error: 'error', warning: 'warning', info: 'notice' } as const satisfies {
  readonly [severity in Severity]: string
}
const WEIGHT: { readonly [severity in Severity]: number } = { error: 0, warning: 1, info: 2 }

/** The findings as workflow commands, worst first; the last one says how many GitHub would not show. */
export function githubReport({ diagnostics, limit = 0 }: CheckedRun, command = 'svc validate'): string {
  const worstFirst = diagnostics.toSorted((one, other) => WEIGHT[one.severity] - WEIGHT[other.severity])
  const most = limit > 0 ? Math.min(limit, SHOWN) : SHOWN
  const fits = worstFirst.length <= most
  const lines = worstFirst.slice(0, fits ? most : Math.min(most, SHOWN - 1)).map(annotation)
  const hidden = worstFirst.length - lines.length
  const note = `::notice title=${command}::${hidden} more findings are not shown here; run ${command} to see all ${worstFirst.length}.`
  return [...lines, ...(fits ? [] : [note]), ''].join('\n')
}

function annotation({ severity, file, range: { start, end }, code, slug, message }: Diagnostic): string {
  const ends = end.line === start.line ? `,endColumn=${end.column}` : ''
  const place = `file=${property(file)},line=${start.line},endLine=${end.line},col=${start.column}${ends}`
  return `::${COMMAND[severity]} ${place},title=${property(`${code} ${slug}`)}::${data(message)}`
}

const data = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
