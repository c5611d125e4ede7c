import { chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, sep } from 'node:path'
import type { McpChannel } from './channel.js'
import { wallsOf } from './confinement.js'
import { nodePermissions } from './confined.js'
import { folderOf } from './installed.js'
import { foldersIn, type ChildFolder } from './namespaces.js'
import type { Environment, PinnedProcess } from './pinned.js'
import { environmentOf, startedChannel } from './process.js'
import { pathOfChild, childViewOf, type ChildHome } from './view.js'

/**
 * Starts the server of a package as a child, in a folder of its own, with PATH, HOME and the listed names as its
 * environment. What is installed must be what was pinned, and it sees no file, process and network but its own.
 */
export function childChannel(
  pinned: PinnedProcess,
  environment: Environment,
  onNotice: (method: string) => void,
  place: ChildHome = { home: folderOf(pinned), own: realpathSync('.') },
): McpChannel {
  const { home, own } = place
  const file = realpathSync(join(home, pinned.file))
  if (!file.startsWith(realpathSync(home) + sep))
    throw new Error(`${pinned.file} leaves the package ${pinned.package}.`)
  const made = realpathSync(mkdtempSync(join(tmpdir(), 'svc-upstream-')))
  const forget = (): void => rmSync(made, { recursive: true, force: true })
  try {
    const folder = madeFolder(made, pinned)
    const view = childViewOf(pinned, place, folder.own)
    const env = environmentOf(pinned.env, environment)
    const args = pinned.args.map((text) => pathOfChild(text, own))
    const program = [process.execPath, ...nodePermissions(view, pinned), file, ...args]
    const command = [...wallsOf(pinned, view, folder, env), ...program]
    return startedChannel(command, { cwd: folder.own, env, ...pinned.user }, onNotice, forget)
  } catch (error) {
    forget()
    throw error
  }
}

function madeFolder(made: string, { user }: PinnedProcess): ChildFolder {
  const folder = foldersIn(made)
  for (const path of [folder.own, folder.root]) mkdirSync(path)
  if (user !== undefined) for (const path of [made, folder.own, folder.root]) chownSync(path, user.uid, user.gid)
  return folder
}
