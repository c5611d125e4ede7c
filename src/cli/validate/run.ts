import { check } from '../../compiler/index.js'
import { jsonReport } from '../../compiler/report/json.js'
import type { CheckedRun } from '../../compiler/report/run.js'
import { textReport } from '../../compiler/report/text.js'
import { EXIT, type ExitCode } from '../cli-error.js'
import { wantsColor } from './color.js'
import { manifestFiles } from './manifest-files.js'
import type { ValidateOptions } from './options.js'
import { readManifest } from './read-manifest.js'

/** Checks the files and prints what was found. */
export async function validate(patterns: readonly string[], options: ValidateOptions): Promise<ExitCode> {
  const files = await manifestFiles(patterns)
  const run = await checkFiles(files)
  process.stdout.write(
    options.format === 'json' ? jsonReport(run) : textReport(run, { color: wantsColor(), summaryOnly: false }),
  )
  return run.diagnostics.some(({ severity }) => severity === 'error') ? EXIT.findings : EXIT.ok
}

async function checkFiles(files: readonly string[]): Promise<CheckedRun> {
  const runs: CheckedRun[] = []
  for (const file of files) {
    const { sources, includeProblems } = await readManifest(file)
    const { diagnostics } = check(sources, { now: Date.now(), includeProblems })
    runs.push({ sources, diagnostics })
  }
  return { sources: runs.flatMap((run) => run.sources), diagnostics: runs.flatMap((run) => run.diagnostics) }
}
