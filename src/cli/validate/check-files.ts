import { check } from '../../compiler/check.js'
import { serviceOf } from '../../compiler/read/service-of.js'
import type { CheckedRun } from '../../compiler/report/run.js'
import { lintsOf, type ValidateOptions } from './options.js'
import { readManifest, type ManifestSources } from './read-manifest.js'

/** Which files are checked, and how. */
export interface Order {
  readonly files: readonly string[]
  readonly options: ValidateOptions
}

/** How manifests are looked at: at once, or again and again with a memory. */
export interface Checking {
  readonly check: (file: string) => typeof check
  readonly serviceOf: typeof serviceOf
}

const AT_ONCE: Checking = { check: () => check, serviceOf }

/** Every rule over every file. Several manifests are a workspace: hints from one service to another are checked, too. */
export async function checkFiles(
  files: readonly string[],
  options: ValidateOptions,
  checking: Checking = AT_ONCE,
): Promise<CheckedRun> {
  const now = options.now === undefined ? Date.now() : Date.parse(options.now)
  const manifests: ManifestSources[] = []
  for (const file of files) manifests.push(await readManifest(file, options.stdinFilename))
  const services = manifests.length > 1 ? servicesOf(manifests, checking) : new Map<string, ReadonlySet<string>>()
  const runs = manifests.map(({ sources, includeProblems }, index) => {
    const { diagnostics } = checking.check(files[index]!)(sources, {
      now,
      includeProblems,
      services,
      ...lintsOf(options),
    })
    return { sources, diagnostics }
  })
  return runs.length === 1
    ? runs[0]!
    : { sources: runs.flatMap((run) => run.sources), diagnostics: runs.flatMap((run) => run.diagnostics) }
}

function servicesOf(
  manifests: readonly ManifestSources[],
  checking: Checking,
): ReadonlyMap<string, ReadonlySet<string>> {
  const services = manifests.flatMap(({ sources }) => checking.serviceOf(sources) ?? [])
  return new Map(services.map(({ id, capabilities }) => [id, capabilities]))
}
