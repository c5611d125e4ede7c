import type { Severity } from '../diagnostics.js'
import { fingerprintOf } from './fingerprint.js'
import { printedJson } from './printed-json.js'
import { shown, type CheckedRun } from './run.js'

const SEVERITY = { error: 'major', warning: 'minor', info: 'info' } as const satisfies {
  readonly [severity in Severity]: string
}

/** The findings as a GitLab code quality report. */
export function gitlabReport(run: CheckedRun): string {
  const printOf = fingerprintOf(run.diagnostics)
  const issues = shown(run).map(({ message, code, severity, file, range: { start, end } }, index, all) => ({
    description: message,
    check_name: code,
    fingerprint: printOf(all[index]!),
    severity: SEVERITY[severity],
    location: {
      path: file.replace(/^\.\//u, ''),
      positions: { begin: { line: start.line, column: start.column }, end: { line: end.line, column: end.column } },
    },
  }))
  return printedJson(issues)
}
