import { basename, dirname, posix } from 'node:path'
import type { PinnedFiles } from '../../compiler/diff/pinned.js'
import type { JsonObject } from '../../protocol/manifest.js'
import { pinnedAt, pinnedFilesOf, pinnedOf } from '../shared/files/pinned-files.js'
import { bytesInCommit, filesInCommit } from './commit.js'

/**
 * Returns what was accepted of servers in the folder of a manifest, here or in a commit; undefined for a manifest that
 * came alone.
 */
export async function pinnedBeside(manifest: string): Promise<PinnedFiles | undefined> {
  if (manifest === 'stdin' || /^https?:\/\//iu.test(manifest)) return undefined
  const [, commit, path] = /^(git:[^:]+:)(.*)$/su.exec(manifest) ?? []
  if (commit === undefined)
    return Object.fromEntries(pinnedFilesOf(dirname(manifest)).map((file) => [nameOf(file), valueOf(pinnedAt(file))]))
  const folder = `${commit}${posix.join(posix.dirname(path!), 'src')}`
  const names = (await filesInCommit(folder)).filter((name) => name.endsWith('.pinned.ts'))
  const read = names.map(async (name) => {
    const bytes = await bytesInCommit(`${folder}/${name}`)
    return [nameOf(name), valueOf(pinnedOf(`${folder}/${name}`, new TextDecoder().decode(bytes)))] as const
  })
  return Object.fromEntries(await Promise.all(read))
}

const nameOf = (file: string): string => posix.join('src', basename(file))

const valueOf = (pinned: object): JsonObject => pinned as JsonObject
