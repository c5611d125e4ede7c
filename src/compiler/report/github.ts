import type { Diagnostic, Severity } from '../diagnostics.js'
import { shown, type CheckedRun } from './run.js'

/** GitHub shows this many annotations of each severity for a step. */
const SHOWN = 10
const COMMAND = { error: 'error', warning: 'warning', info: 'notice' } as const satisfies {
  readonly [severity in Severity]: string
}

/** The findings as workflow commands, worst first; the last one says how many GitHub would not show. */
export function githubReport(run: CheckedRun, command = 'svc validate'): string {
  const all = run.diagnostics.length
  const fitting = firstOfEach(shown(run), SHOWN)
  // The note is a notice itself.
  const lines = fitting.length === all ? fitting : firstOfEach(fitting, SHOWN, SHOWN - 1)
  const note =
    `::notice title=${command}::${all - lines.length} more findings are not shown here; run ${command} to see ` +
    `all ${all}.`
  return [...lines.map(annotation), ...(lines.length === all ? [] : [note]), ''].join('\n')
}

function firstOfEach(findings: readonly Diagnostic[], most: number, infos = most): readonly Diagnostic[] {
  const left: { [severity in Severity]: number } = { error: most, warning: most, info: infos }
  return findings.filter(({ severity }) => left[severity]-- > 0)
}

function annotation({ severity, file, range: { start, end }, code, slug, message }: Diagnostic): string {
  const ends = end.line === start.line ? `,endColumn=${end.column}` : ''
  const place = `file=${property(file)},line=${start.line},endLine=${end.line},col=${start.column}${ends}`
  return `::${COMMAND[severity]} ${place},title=${property(`${code} ${slug}`)}::${data(message)}`
}

const data = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
