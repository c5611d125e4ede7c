import { writeFile } from 'node:fs/promises'
import { diffManifests, type Side } from '../../compiler/diff/diff.js'
import { countSentence, failsOn, type DiffRun, type ReportedChange } from '../../compiler/diff/report/run.js'
import { CliError, EXIT, type ExitCode } from '../shared/errors/cli-error.js'
import { printError, printOut, printPainted } from '../shared/output/print.js'
import { printableLines } from '../shared/output/printable.js'
import { wantsColor } from '../validate/color.js'
import { acceptedBeside, readAccepted, readNamedAccepted, withReasons, writeAccepted } from './accepted.js'
import { isNewSince } from './commit.js'
import { DIFF_FORMATS, type DiffFormat, type DiffOptions } from './options.js'
import { emptySide, sideName, sideOf } from './side.js'

/** Compares two manifests, prints what changed, and says by its exit code whether that may pass. */
export async function diff(oldName: string, newName: string, options: DiffOptions): Promise<ExitCode> {
  const outputs = outputsOf(options.out)
  const [before, after] = [await sideName(oldName), await sideName(newName)]
  const now = await sideOf(after)
  const old = await baseOf(before, now)
  const { accepted: named } = options
  // Of the base: nobody accepts a change in the change itself.
  const base = acceptedBeside(old.sources[0]!.file)
  const accepted =
    named === undefined || options.accept !== undefined ? await readAccepted(base) : await readNamedAccepted(named)
  const changes = withReasons(diffManifests(old, now), accepted)
  const run: DiffRun = { before, after, sources: now.sources, changes, failOn: options.failOn }
  if (options.accept !== undefined)
    return named === undefined
      ? accept(run, acceptedBeside(now.sources[0]!.file), base, options.accept)
      : accept(run, named, undefined, options.accept)
  const text = await rendered(options.format, run, wantsColor(options.color))
  printPainted(options.format === 'text' ? text : printableLines(text))
  for (const { format, file: target } of outputs) await writeFile(target, await rendered(format, run, false))
  return run.changes.some((change) => failsOn(change, run.failOn)) ? EXIT.findings : EXIT.ok
}

/** The old side; without capabilities where a commit does not have the service yet. */
async function baseOf(name: string, now: Side): Promise<Side> {
  const { file } = now.sources[0]!
  if (!(await isNewSince(name, file))) return sideOf(name)
  printError(`${name} has no ${file} in this folder: the service is new, and everything in it is added.\n`)
  return emptySide(name, now)
}

async function accept(
  run: DiffRun,
  file: string | undefined,
  base: string | undefined,
  reason: string,
): Promise<ExitCode> {
  if (file === undefined || file.startsWith('git:'))
    throw new CliError('Name the file that the accepted changes are written to: --accepted <file>.')
  const changes = withReasons(run.changes, await readAccepted(file))
  const failing: readonly ReportedChange[] = changes.filter((change) => failsOn(change, run.failOn))
  await writeAccepted(file, changes, failing, reason)
  const what = failing.length === 0 ? 'Nothing had to be accepted.' : `Accepted ${countSentence(failing)}`
  printOut(`${what} ${file} was written${nextStep(file, base)}\n`)
  return EXIT.ok
}

/** Returns the step that makes the written file take effect. */
function nextStep(file: string, base: string | undefined): string {
  if (base === file) return '; commit it.'
  return base === undefined ? `. It counts with --accepted ${file}.` : `. It counts once it is ${base}: merge it first.`
}

interface Output {
  readonly format: DiffFormat
  readonly file: string
}

const outputsOf = (options: readonly string[]): readonly Output[] =>
  options.map((option) => {
    const [, name, file] = /^([a-z]+)=(.+)$/u.exec(option) ?? []
    const format = DIFF_FORMATS.find((each) => each === name)
    if (format !== undefined && file !== undefined) return { format, file }
    throw new CliError(`--out \`${option}\` is not format=file; the formats are ${DIFF_FORMATS.join(', ')}.`)
  })

/** Reports are loaded when they are asked for. */
const REPORTS: { readonly [format in DiffFormat]: (run: DiffRun, color: boolean) => Promise<string> } = {
  text: async (run, color) => (await import('../../compiler/diff/report/text.js')).textDiff(run, color),
  json: async (run) => (await import('../../compiler/diff/report/json.js')).jsonDiff(run),
  markdown: async (run) => (await import('../../compiler/diff/report/markdown.js')).markdownDiff(run),
  sarif: async (run) => (await import('./other-formats.js')).sarifDiff(run),
  github: async (run) => (await import('./other-formats.js')).githubDiff(run),
}

/** A comparison in a format. */
export const rendered = (format: DiffFormat, run: DiffRun, color: boolean): Promise<string> =>
  REPORTS[format](run, color)
