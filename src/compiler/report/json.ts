import type { Diagnostic, Place, Range } from '../diagnostics.js'
import { OUTPUT_VERSION, printedJson } from './printed-json.js'
import { shown, summaryOf, type CheckedRun } from './run.js'

/** The findings as data. The shape is that of `schemas/diagnostics.schema.json`, version 1. */
export function jsonReport(run: CheckedRun): string {
  const report = { version: OUTPUT_VERSION, summary: summaryOf(run), diagnostics: shown(run).map(jsonDiagnostic) }
  return printedJson(report)
}

function jsonDiagnostic({ code, slug, severity, message, file, range, related, suggestion, docs }: Diagnostic) {
  return {
    code,
    slug,
    severity,
    message,
    file,
    range: jsonRange(range),
    related: related.map((each) => ({ message: each.message, ...jsonPlace(each) })),
    ...(suggestion === undefined ? {} : { suggestion }),
    docs,
  }
}

const jsonPlace = ({ file, range }: Place) => ({ file, range: jsonRange(range) })

const jsonRange = ({ start, end }: Range) => ({
  start: { line: start.line, column: start.column },
  end: { line: end.line, column: end.column },
})
