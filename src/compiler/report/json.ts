import type { Diagnostic, Place, Range, TextEdit } from '../diagnostics.js'
import { linesBySource, snippetOf, type LinesOfFile } from './code-frame.js'
import { maskOf } from './mask.js'
import { DIAGNOSTICS_VERSION, printedJson } from './printed-json.js'
import { publicFix } from './public-fix.js'
import { shown, summaryOf, type CheckedRun } from './run.js'

/** The findings as data: `schemas/diagnostics.schema.json`. */
export function jsonReport(run: CheckedRun, version: string): string {
  const mask = maskOf(run.sources, run.diagnostics)
  const lines = linesBySource(mask.sources)
  return printedJson({
    version: DIAGNOSTICS_VERSION,
    tool: { name: 'svc', version },
    summary: summaryOf(run),
    diagnostics: shown(run).map((each) => jsonDiagnostic(each, publicFix(each, run, mask), lines)),
  })
}

function jsonDiagnostic(
  { code, slug, severity, message, file, range, path, related, suggestion, isGuess, docs }: Diagnostic,
  fix: readonly TextEdit[] | undefined,
  lines: LinesOfFile,
) {
  const snippet = snippetOf(lines(file), range)
  return {
    code,
    slug,
    severity,
    message,
    file,
    range: jsonRange(range),
    path,
    ...(snippet === undefined ? {} : { snippet }),
    related: related.map((each) => ({ message: each.message, ...jsonPlace(each) })),
    ...(suggestion === undefined ? {} : { suggestion }),
    ...(fix === undefined
      ? {}
      : {
          fix: fix.map((edit) => ({ ...jsonPlace(edit), new_text: edit.newText })),
          fix_safety: isGuess ? 'unsafe' : 'safe',
        }),
    docs,
  }
}

const jsonPlace = ({ file, range }: Place) => ({ file, range: jsonRange(range) })

const jsonRange = ({ start, end }: Range) => ({
  start: { line: start.line, column: start.column },
  end: { line: end.line, column: end.column },
})
