import type { Diagnostic, RelatedPlace, Severity } from '../diagnostics.js'
import { codeFrame, linesBySource, placeFrame, safe, type Lines, type LinesOfFile } from './code-frame.js'
import { ruleOf } from '../rules/index.js'
import { createColors, type Colors, type Paint } from './colors.js'
import { fixDiff } from './fix-diff.js'
import { maskOf } from './mask.js'
import { publicFix } from './public-fix.js'
import { fixableSentence, isFixable, shown, summaryOf, summarySentence, type CheckedRun } from './run.js'

/** The findings for a person: place, severity, code, message, the lines as written, and what to do. */
export function textReport(
  run: CheckedRun,
  options: { readonly color: boolean; readonly summaryOnly: boolean },
): string {
  const colors = createColors(options.color)
  const mask = maskOf(run.sources, run.diagnostics)
  const lines = linesBySource(mask.sources)
  const diffOf = (each: Diagnostic): readonly string[] => fixDiff(publicFix(each, run, mask) ?? [], lines, colors)
  const blocks = options.summaryOnly
    ? []
    : grouped(shown(run)).map((each) => block(each, lines, diffOf(each[0]), colors))
  const { errors, warnings } = summaryOf(run)
  const isClean = warnings === 0 && run.unshown === undefined
  const paint = errors > 0 ? colors.red : isClean ? colors.green : colors.yellow
  const fixable = fixableSentence(run)
  return [...blocks, `${paint(summarySentence(run))}\n${fixable === '' ? '' : `${fixable}\n`}`].join('\n')
}

/** Findings of a grouped rule that say the same of one file: the first is shown, of the others where they are. */
function grouped(diagnostics: readonly Diagnostic[]): readonly (readonly [Diagnostic, ...Diagnostic[]])[] {
  const groups = new Map<string, [Diagnostic, ...Diagnostic[]]>()
  for (const [index, each] of diagnostics.entries()) {
    const key = ruleOf(each.code)?.role?.isGrouped ? `${each.file}\0${each.code}\0${each.message}` : String(index)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [each])
    else group.push(each)
  }
  return [...groups.values()]
}

function block(
  [diagnostic, ...same]: readonly [Diagnostic, ...Diagnostic[]],
  lines: LinesOfFile,
  diff: readonly string[],
  colors: Colors,
): string {
  const { file, range, severity, code, slug, message, related, suggestion } = diagnostic
  const paint = paintOf(severity, colors)
  const place = `${file}:${range.start.line}:${range.start.column}`
  const head =
    `${colors.bold(safe(place))} ${paint(severity)} ${colors.bold(code)} ${colors.dim(slug)}${markOf(diagnostic)}\n ` +
    ` ${safe(message)}`
  // A finding on a baseline stands in no file that was read.
  const frame = lines(file).length === 0 ? [] : [codeFrame(lines(file), range, { dim: colors.dim, mark: paint })]
  const others = related.flatMap((each) => relatedRows(each, lines(each.file), colors))
  const hint =
    suggestion === undefined || diff.length > 0 || message.includes(suggestion)
      ? []
      : [`  ${colors.cyan('try')} ${safe(suggestion)}`]
  const places = same.map((each) => `${each.range.start.line}:${each.range.start.column}`)
  const also = places.length === 0 ? [] : [`  ${colors.cyan('also')} at ${places.join(', ')}`]
  return [head, ...frame, ...others, ...hint, ...diff, ...also, ''].join('\n')
}

/** Marks a finding that --fix or --unsafe-fixes can fix. */
const markOf = (diagnostic: Diagnostic): string =>
  diagnostic.fix === undefined ? '' : isFixable(diagnostic) ? ' [*]' : ' [?]'

/** Another place, with its line. */
function relatedRows({ file, range, message }: RelatedPlace, lines: Lines, colors: Colors): readonly string[] {
  const place = `${safe(file)}:${range.start.line}:${range.start.column}`
  const head = `  ${colors.cyan('see')} ${place} ${safe(message)}`
  return lines.length === 0 ? [head] : [head, placeFrame(lines, range, { dim: colors.dim, mark: colors.cyan })]
}

const paintOf = (severity: Severity, colors: Colors): Paint =>
  severity === 'error' ? colors.red : severity === 'warning' ? colors.yellow : colors.blue
