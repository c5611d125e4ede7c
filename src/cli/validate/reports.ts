import { existsSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Source } from '../../compiler/diagnostics.js'
import { jsonReport } from '../../compiler/report/json.js'
import type { CheckedRun } from '../../compiler/report/run.js'
import { textReport } from '../../compiler/report/text.js'
import { CliError } from '../shared/errors/cli-error.js'
import { packageVersion } from '../shared/files/package-root.js'
import { rulePageUri } from '../shared/rule-pages.js'
import { repositoryOf, runFrom, sarifCategory } from './in-repository.js'
import { FORMAT_NAMES, type ReportFormat } from './options.js'

interface Look {
  readonly color: boolean
  /** The folder that files are named from, where another program reads the report. */
  readonly relativeTo?: string | undefined
}
type Reporter = (run: CheckedRun, look: Look) => string | Promise<string>

/** Format -> how it is written. Those of other tools are loaded when they are asked for. */
const REPORTERS: { readonly [format in ReportFormat]: Reporter } = {
  text: (run, { color }) => textReport(run, { color, summaryOnly: false }),
  json: (run) => jsonReport(run, packageVersion()),
  sarif: async (run, { relativeTo }) =>
    (await import('../../compiler/report/sarif.js')).sarifReport(
      run,
      packageVersion(),
      rulePageUri,
      sarifCategory('svc-validate', relativeTo),
    ),
  github: async (run) => (await import('../../compiler/report/github.js')).githubReport(run),
  gitlab: async (run) => (await import('../../compiler/report/gitlab.js')).gitlabReport(run),
  junit: async (run) => (await import('../../compiler/report/junit.js')).junitReport(run),
}

/** Text names files from here, data from where an option says, reports of CI from the root of the repository. */
export function render(format: ReportFormat, run: CheckedRun, look: Look): string | Promise<string> {
  const isLocal = format === 'text' || (format === 'json' && look.relativeTo === undefined)
  return REPORTERS[format](isLocal ? run : runFrom(repositoryOf(look.relativeTo), run), look)
}

export interface Output {
  readonly format: ReportFormat
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
export async function writeReports(outputs: readonly Output[], run: CheckedRun, relativeTo?: string): Promise<void> {
  for (const { file } of outputs) refuseToOverwrite(file, run.sources)
  for (const { format, file } of outputs) {
    await (await import('../../runtime/storage/make-folder.js')).makeFolder(dirname(file))
    writeFileSync(file, await render(format, run, { color: false, relativeTo }))
  }
}

/** A report that is written over what was checked would destroy it. */
export function refuseToOverwrite(file: string, sources: readonly Source[]): void {
  if (sources.some((source) => resolve(source.file) === resolve(file)) && existsSync(file))
    throw new CliError(
      `\`${file}\` is one of the files that were checked, and would be overwritten; name another file.`,
    )
}
