import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pinnedIn } from '../../../compiler/mcp-tools/print-tools.js'
import type { PinnedUpstream } from '../../../runtime/upstream/index.js'
import { CliError } from '../errors/cli-error.js'

/** Returns the files of a project in which `svc import mcp` has written what a person accepted of a server. */
export function pinnedFilesOf(root: string): readonly string[] {
  const folder = join(root, 'src')
  const names = existsSync(folder) ? readdirSync(folder) : []
  return names.filter((name) => name.endsWith('.pinned.ts')).map((name) => join(folder, name))
}

export const pinnedAt = (path: string): PinnedUpstream => pinnedOf(path, readFileSync(path, 'utf8'))

/** Returns what the text of such a file pins. */
export function pinnedOf(path: string, text: string): PinnedUpstream {
  const pinned = pinnedIn(text) as PinnedUpstream | undefined
  if (typeof pinned?.server === 'object' && typeof pinned.tools === 'object') return pinned
  throw new CliError(`${path} is not as svc import mcp writes it. Import the server again.`)
}
