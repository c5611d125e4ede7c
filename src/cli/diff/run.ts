import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { diffManifests } from '../../compiler/diff/diff.js'
import { countSentence, failsOn, type DiffRun, type ReportedChange } from '../../compiler/diff/report/run.js'
import { CliError, EXIT, type ExitCode } from '../cli-error.js'
import { print } from '../print.js'
import { wantsColor } from '../validate/color.js'
import { readAccepted, withReasons, writeAccepted } from './accepted.js'
import { DIFF_FORMATS, type DiffFormat, type DiffOptions } from './options.js'
import { sideOf } from './side.js'

/** Compares two manifests, prints what changed, and says by its exit code whether that may pass. */
export async function diff(before: string, after: string, options: DiffOptions): Promise<ExitCode> {
  const outputs = outputsOf(options.out)
  const [old, now] = [await sideOf(before), await sideOf(after)]
  const file = acceptedFile(after, now.sources[0]!.file, options)
  // What is accepted for the first time makes the file.
  const isThere = options.accepted !== undefined && options.accept === undefined
  const accepted = file === undefined ? [] : await readAccepted(file, isThere)
  const changes = withReasons(diffManifests(old, now), accepted)
  const run: DiffRun = { before, after, sources: now.sources, changes, failOn: options.failOn }
  if (options.accept !== undefined) return accept(run, file, options.accept)
  print(await rendered(options.format, run, wantsColor(options.color)))
  for (const { format, file: target } of outputs) await writeFile(target, await rendered(format, run, false))
  return run.changes.some((change) => failsOn(change, run.failOn)) ? EXIT.findings : EXIT.ok
}

async function accept(run: DiffRun, file: string | undefined, reason: string): Promise<ExitCode> {
  if (file === undefined) throw new CliError('Name the file of accepted changes: --accepted <file>.')
  const failing: readonly ReportedChange[] = run.changes.filter((change) => failsOn(change, run.failOn))
  await writeAccepted(file, run.changes, failing, reason)
  const what = failing.length === 0 ? 'Nothing had to be accepted.' : `Accepted ${countSentence(failing)}`
  process.stdout.write(`${what} ${file} was written; commit it.\n`)
  return EXIT.ok
}

/** Beside the new manifest, where that is a file here. */
function acceptedFile(name: string, manifest: string, { accepted }: DiffOptions): string | undefined {
  if (accepted !== undefined) return accepted
  return name === '-' || /^(?:git:|https?:\/\/)/iu.test(name) ? undefined : join(dirname(manifest), 'svc.accepted.json')
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

const rendered = (format: DiffFormat, run: DiffRun, color: boolean): Promise<string> => REPORTS[format](run, color)
