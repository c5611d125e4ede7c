import { statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { check } from '../../compiler/check.js'
import type { Manifest } from '../../protocol/manifest.js'
import { CliError, EXIT, type ExitCode } from '../shared/errors/cli-error.js'
import { say } from '../shared/output/say.js'
import { print } from '../shared/output/print.js'
import { readManifest } from '../validate/read-manifest.js'
import type { CaseFile } from './case.js'
import { coverageOf, type TestCoverage } from './coverage.js'
import { handlersAt } from './own-handlers.js'
import { readCases } from './read.js'
import { failedOf, junitOfRun, percentOf, textOfRun, type TestRun } from './report.js'
import { runCase, type Result } from './run-case.js'
import { serviceOver } from './service.js'

export interface TestOptions {
  readonly format: 'text' | 'junit'
  readonly out?: string
  readonly minCoverage?: number
}

/** Runs the cases of the files, and says by its exit code whether all is as they expect. */
export async function test(patterns: readonly string[], options: TestOptions): Promise<ExitCode> {
  const least = options.minCoverage ?? 0
  if (!(least >= 0 && least <= 100)) throw new CliError('--min-coverage is a percentage, from 0 to 100.')
  const started = performance.now()
  const found = await caseFiles(patterns)
  // Without a name, tests may stand elsewhere; who names files, or demands coverage, misses them.
  if (found.length === 0 && patterns.length === 0 && least === 0) say(NO_CASES)
  else if (found.length === 0) throw new CliError(noneNote(below('.')))
  const files = found.map(readCases)
  const byManifest = grouped(files)
  const parts: { readonly results: readonly Result[]; readonly coverage: TestCoverage }[] = []
  for (const [path, of] of byManifest) parts.push(await runAll(await manifestAt(path), of))
  const run: TestRun = {
    results: parts.flatMap(({ results }) => results),
    coverage: {
      rules: sum(parts.map(({ coverage }) => coverage.rules)),
      tested: sum(parts.map(({ coverage }) => coverage.tested)),
      missing: parts.flatMap(({ coverage }) => coverage.missing),
    },
    ms: Math.round(performance.now() - started),
  }
  if (options.format === 'junit') print(junitOfRun(run))
  else if (found.length > 0) print(textOfRun(run))
  if (options.out !== undefined) await writeFile(options.out, junitOfRun(run))
  return failedOf(run).length > 0 || percentOf(run.coverage) < least ? EXIT.findings : EXIT.ok
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)

function grouped(files: readonly CaseFile[]): Map<string, CaseFile[]> {
  const groups = new Map<string, CaseFile[]>()
  for (const file of files) groups.set(file.manifest, [...(groups.get(file.manifest) ?? []), file])
  return groups
}

async function runAll(manifest: Manifest, files: readonly CaseFile[]) {
  const results: Result[] = []
  for (const { now, cases, handlers, manifest: path } of files) {
    const own = handlers === undefined ? {} : await handlersAt(handlers, dirname(path))
    const service = await serviceOver(manifest, now === undefined ? Date.now() : Date.parse(now), own)
    try {
      for (const each of cases) results.push(await runCase(service, manifest, each))
    } finally {
      await service.close()
    }
  }
  return { results, coverage: coverageOf(manifest, results) }
}

async function manifestAt(path: string): Promise<Manifest> {
  const { sources, includeProblems } = await readManifest(path)
  const { manifest, diagnostics } = check(sources, { preset: 'minimal', includeProblems })
  const first = diagnostics.find(({ severity }) => severity === 'error')
  if (manifest !== undefined) return manifest
  throw new CliError(`${path} has errors; run svc validate. The first: ${first?.code ?? ''} ${first?.message ?? ''}`)
}

const SUFFIX = '.svctest.yaml'

const NO_CASES = `There is no *${SUFFIX} below this folder, so what the manifest allows was not tested.`

const noneNote = (wanted: string): string =>
  `No file of cases matches ${wanted}. Name one *${SUFFIX}; svc init writes an example, and svc test --help has more.`

const below = (folder: string): string => join(folder, `**/*${SUFFIX}`).replaceAll('\\', '/')

async function caseFiles(patterns: readonly string[]): Promise<readonly string[]> {
  const { glob } = await import('../shared/arguments/glob.js')
  const wanted = (patterns.length === 0 ? ['.'] : patterns).map((pattern) =>
    statSync(pattern, { throwIfNoEntry: false })?.isDirectory() === true ? below(pattern) : pattern,
  )
  const found = await Promise.all(
    wanted.map((pattern) => glob(pattern, { ignore: ['**/node_modules/**', '**/dist/**'] })),
  )
  const none = wanted.find((_, index) => found[index]!.length === 0)
  if (none !== undefined && patterns.length > 0) throw new CliError(noneNote(none))
  return [...new Set(found.flat())].toSorted()
}
