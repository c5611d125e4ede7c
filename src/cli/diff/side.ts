import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { check } from '../../compiler/check.js'
import type { Side } from '../../compiler/diff/diff.js'
import { CliError } from '../shared/errors/cli-error.js'
import { readManifest, type ManifestSources } from '../validate/read-manifest.js'
import { fetchedManifest } from './address.js'
import { isCommit, manifestOfCommit } from './commit.js'
import { pinnedBeside } from './pinned-beside.js'

/** The name of a side: a branch, tag or commit is `git:REF`, unless a file or a folder has the name. */
export async function sideName(name: string): Promise<string> {
  if (name === '-' || /^(?:git:|https?:\/\/)/iu.test(name)) return name
  const there = await stat(name).catch(() => undefined)
  return there === undefined && (await isCommit(name)) ? `git:${name}` : name
}

/** The side of a new service before it was there: nothing is compared but what is new. */
export const emptySide = (name: string, { manifest }: Side): Side => ({
  sources: [{ file: `${name}:svc.yaml`, text: '' }],
  roots: [undefined],
  manifest: { ...manifest, capabilities: {} },
  pinned: undefined,
})

/**
 * A manifest by what names it: a file, a folder, `git:REF:path`, or the address of a service. Its errors are the
 * user's.
 */
export async function sideOf(name: string): Promise<Side> {
  const { sources, includeProblems } = await sourcesOf(name)
  const { diagnostics, manifest, roots } = check(sources, { preset: 'minimal', includeProblems })
  if (manifest !== undefined) return { sources, roots, manifest, pinned: await pinnedBeside(sources[0]!.file) }
  const first = diagnostics.find(({ severity }) => severity === 'error')
  const at = first === undefined ? name : `${first.file}:${first.range.start.line}`
  throw new CliError(
    `${name} cannot be compared: it has errors. The first is at ${at}: ${first?.code ?? ''} ${first?.message ?? ''}`,
  )
}

function sourcesOf(name: string): Promise<ManifestSources> {
  if (/^https?:\/\//iu.test(name)) return fetchedManifest(name)
  return name.startsWith('git:') ? manifestOfCommit(name) : manifestOfPath(name)
}

async function manifestOfPath(name: string): Promise<ManifestSources> {
  const there = name === '-' ? undefined : await stat(name).catch(() => undefined)
  return readManifest(there?.isDirectory() === true ? join(name, 'svc.yaml') : name)
}
