import type { check } from '../../compiler/check.js'
import type { Diagnostic, Source } from '../../compiler/diagnostics.js'
import { judgeLaidOut, type CheckOptions } from '../../compiler/judge.js'
import { serviceOf } from '../../compiler/parse/service-of.js'
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

/** What one check of a file finds. */
async function checkedAtOnce(sources: readonly Source[], options: CheckOptions): Promise<readonly Diagnostic[]> {
  return judgeLaidOut(sources, options) ?? (await import('../../compiler/check.js')).check(sources, options).diagnostics
}

/** Every rule over every file. Several manifests are a workspace: hints from one service to another are checked, too. */
export async function checkFiles(
  files: readonly string[],
  options: ValidateOptions,
  checking?: Checking,
): Promise<CheckedRun> {
  const now = options.now === undefined ? Date.now() : Date.parse(options.now)
  const manifests: ManifestSources[] = []
  for (const file of files) manifests.push(await readManifest(file, options.stdinFilename))
  const services =
    manifests.length > 1
      ? servicesOf(manifests, checking?.serviceOf ?? serviceOf)
      : new Map<string, ReadonlySet<string>>()
  const runs: CheckedRun[] = []
  for (const [index, { sources, includeProblems }] of manifests.entries()) {
    const asked = { now, includeProblems, services, ...lintsOf(options) }
    const diagnostics =
      checking?.check(files[index]!)(sources, asked).diagnostics ?? (await checkedAtOnce(sources, asked))
    runs.push({ sources, diagnostics })
  }
  return runs.length === 1
    ? runs[0]!
    : { sources: runs.flatMap((run) => run.sources), diagnostics: runs.flatMap((run) => run.diagnostics) }
}

function servicesOf(
  manifests: readonly ManifestSources[],
  serviceOf: Checking['serviceOf'],
): ReadonlyMap<string, ReadonlySet<string>> {
  const services = manifests.flatMap(({ sources }) => serviceOf(sources) ?? [])
  return new Map(services.map(({ id, capabilities }) => [id, capabilities]))
}
