import { check } from '../../compiler/check.js'
import { serviceOf } from '../../compiler/parse/service-of.js'
import type { CheckedRun } from '../../compiler/report/run.js'
import { lintsOf, type ValidateOptions } from './options.js'
import { readManifest, type ManifestSources } from './read-manifest.js'
import { schemaJudge } from './schema-judge.js'

/** Files to check and the options. */
export interface Order {
  readonly files: readonly string[]
  readonly options: ValidateOptions
}

/**
 * Every rule and the published schema over every file. Several manifests are a workspace: hints from one service to
 * another are also checked.
 */
export async function checkFiles(files: readonly string[], options: ValidateOptions): Promise<CheckedRun> {
  const now = options.now === undefined ? Date.now() : Date.parse(options.now)
  const manifests: ManifestSources[] = []
  for (const file of files) manifests.push(await readManifest(file, options.stdinFilename))
  const services = manifests.length > 1 ? servicesOf(manifests) : new Map<string, ReadonlySet<string>>()
  const judge = schemaJudge()
  const runs: CheckedRun[] = []
  for (const { sources, includeProblems } of manifests) {
    const { diagnostics } = check(sources, { now, includeProblems, services, judge, ...lintsOf(options) })
    runs.push({ sources, diagnostics })
  }
  return runs.length === 1
    ? runs[0]!
    : { sources: runs.flatMap((run) => run.sources), diagnostics: runs.flatMap((run) => run.diagnostics) }
}

function servicesOf(manifests: readonly ManifestSources[]): ReadonlyMap<string, ReadonlySet<string>> {
  const services = manifests.flatMap(({ sources }) => serviceOf(sources) ?? [])
  return new Map(services.map(({ id, capabilities }) => [id, capabilities]))
}
