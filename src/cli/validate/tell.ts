import type { Diagnostic, Severity } from '../../compiler/diagnostics.js'
import { failsRun, type CheckedRun } from '../../compiler/report/run.js'
import { ruleOf } from '../../compiler/rules/index.js'
import { EXIT, type ExitCode, type InputError } from '../shared/errors/cli-error.js'
import { compare, readBaseline, staleFinding, writeBaseline, writeEntries } from './baseline.js'
import { printableLines } from '../shared/output/printable.js'
import { wantsColor } from './color.js'
import type { ValidateOptions } from './options.js'
import { refuseToOverwrite, render, writeReports, type Output } from './reports.js'

/** The most findings that a person is shown unasked. */
const SHOWN = 100

/** Prints what was found, and writes the other reports. */
export async function printReports(
  found: CheckedRun,
  options: ValidateOptions,
  outputs: readonly Output[],
): Promise<ExitCode> {
  const run = { ...againstBaseline(found, options), failOn: options.failOn }
  await writeReports(outputs, run, options.relativeTo)
  await printReport(printed(run, options), options)
  return exitCodeOf(run.diagnostics, options.failOn)
}

const printByStream = (text: string): void => void process.stdout.write(text)

async function printReport(run: CheckedRun, options: ValidateOptions): Promise<void> {
  const { format, color, relativeTo, print = printByStream } = options
  if (options.statistics === true && format === 'text')
    return print((await import('../../compiler/report/statistics.js')).statisticsReport(run))
  const text = await render(format, run, { color: wantsColor(color), relativeTo })
  print(format === 'text' ? text : printableLines(text))
}

/** A program that reads a report gets one where nothing could be checked, too; a person reads the error. */
export async function reportInput(
  { finding }: InputError,
  options: ValidateOptions,
  outputs: readonly Output[],
): Promise<void> {
  const start = { line: 1, column: 1, offset: 0 }
  const range = { start, end: start }
  const { severity } = ruleOf(finding.code)
  const diagnostic = {
    ...finding,
    severity,
    path: '',
    range,
    related: [],
    docs: `docs/reference/rules/${finding.slug}.md`,
  }
  const run: CheckedRun = { sources: [], diagnostics: [diagnostic] }
  await writeReports(outputs, run, options.relativeTo)
  if (options.format !== 'text') await printReport(run, options)
}

function againstBaseline(run: CheckedRun, options: ValidateOptions): CheckedRun {
  const { baseline } = options
  if (baseline === undefined) return run
  refuseToOverwrite(baseline, run.sources)
  if (options.writeBaseline) writeBaseline(baseline, run.diagnostics)
  const { fresh, kept, stale } = compare(run, readBaseline(baseline))
  if (options.pruneBaseline) writeEntries(baseline, kept)
  const more = stale > 0 && !options.pruneBaseline ? [staleFinding(baseline, stale)] : []
  return { sources: run.sources, diagnostics: [...fresh, ...more] }
}

function printed({ sources, diagnostics }: CheckedRun, options: ValidateOptions): CheckedRun {
  const { quiet, maxProblems, format, failOn } = options
  const limit = maxProblems ?? (format === 'text' ? SHOWN : 0)
  if (!quiet) return { sources, limit, diagnostics, failOn }
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  const isFailed = errors.length === 0 && exitCodeOf(diagnostics, failOn) !== EXIT.ok
  return { sources, limit, diagnostics: errors, failOn, ...(isFailed ? { unshown: { diagnostics, failOn } } : {}) }
}

/** Counts everything that was found, whatever was printed. */
export function exitCodeOf(diagnostics: readonly Diagnostic[], failOn: Severity): ExitCode {
  if (diagnostics.some(({ code }) => code === 'SVC0012')) return EXIT.internal
  return diagnostics.some((each) => failsRun(each, failOn)) ? EXIT.findings : EXIT.ok
}
