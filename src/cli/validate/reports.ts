import { existsSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Source } from '../../compiler/diagnostics.js'
import { jsonReport } from '../../compiler/report/json.js'
import type { CheckedRun } from '../../compiler/report/run.js'
import { textReport } from '../../compiler/report/text.js'
import { CliError } from '../cli-error.js'
import { packageVersion } from '../package-root.js'
import { FORMAT_NAMES, type FormatName } from './options.js'

type Reporter = (run: CheckedRun, color: boolean) => string | Promise<string>

/** Format -> how it is written. Those of other tools are loaded when they are asked for. */
const REPORTERS: { readonly [format in FormatName]: Reporter } = {
  text: (run, color) => textReport(run, { color, summaryOnly: false }),
  json: (run) => jsonReport(run),
  sarif: async (run) => (await import('../../compiler/report/sarif.js')).sarifReport(run, packageVersion()),
  github: async (run) => (await import('../../compiler/report/github.js')).githubReport(run),
  gitlab: async (run) => (await import('../../compiler/report/gitlab.js')).gitlabReport(run),
  junit: async (run) => (await import('../../compiler/report/junit.js')).junitReport(run),
}

export const render = (format: FormatName, run: CheckedRun, color: boolean): string | Promise<string> =>
  REPORTERS[format](run, color)

export interface Output {
  readonly format: FormatName
  readonly file: string
}

/** The `--out` options, checked before anything is read. */
export function outputsOf(options: readonly string[]): readonly Output[] {
  return options.map((option) => {
    const [, name, file] = /^([a-z]+)=(.+)$/u.exec(option) ?? []
    const format = FORMAT_NAMES.find((each) => each === name)
    if (format === undefined || file === undefined)
      throw new CliError(`--out \`${option}\` is not format=file; the formats are ${FORMAT_NAMES.join(', ')}.`)
    if (file === '-')
      throw new CliError(`--out ${option} names no file; \`--format ${format}\` prints to standard output.`)
    return { format, file }
  })
}

/** Writes the reports to their files. They hold everything that was found, whatever is printed. */
export async function writeReports(outputs: readonly Output[], run: CheckedRun): Promise<void> {
  for (const { file } of outputs) refuseToOverwrite(file, run.sources)
  for (const { format, file } of outputs) {
    await (await import('../../runtime/storage/make-folder.js')).makeFolder(dirname(file))
    writeFileSync(file, await render(format, run, false))
  }
}

/** A report that is written over what was checked would destroy it. */
export function refuseToOverwrite(file: string, sources: readonly Source[]): void {
  if (sources.some((source) => resolve(source.file) === resolve(file)) && existsSync(file))
    throw new CliError(
      `\`${file}\` is one of the files that were checked, and would be overwritten; name another file.`,
    )
}
