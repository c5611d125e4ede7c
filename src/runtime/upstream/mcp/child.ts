import { chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, sep } from 'node:path'
import type { Duplex } from 'node:stream'
import type { McpChannel } from './channel.js'
import { wallsOf } from './confinement.js'
import { isOffline, nodePermissions } from './confined.js'
import { EXISTS_MODULE } from './exists-inside.js'
import { folderOf } from './installed.js'
import { foldersIn, type ChildFolder } from './namespaces.js'
import type { Environment, PinnedProcess } from './pinned.js'
import { environmentOf, startedChannel } from './process.js'
import { PROXY_ENVIRONMENT, RELAY_MODULE } from './relay-inside.js'
import { serveRelay } from './relay.js'
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
    const relay = relayOf(pinned)
    const program = [
      process.execPath,
      ...nodePermissions(view, pinned),
      `--import=${EXISTS_MODULE}`,
      ...relay.options,
      file,
      ...args,
    ]
    const command = [...wallsOf(pinned, view, folder, env), ...program]
    const settings = { cwd: folder.own, env: { ...env, ...relay.env }, ...pinned.user }
    return startedChannel(command, { ...settings, ...relay.settings }, onNotice, forget)
  } catch (error) {
    forget()
    throw error
  }
}

/** The relay of a child that has walls and a network. */
function relayOf({ confinement, network = 'none' }: PinnedProcess) {
  if (confinement === 'none' || isOffline({ network })) return { options: [], env: {}, settings: {} }
  const serve = (socket: Duplex): void => serveRelay(socket, network)
  return { options: [`--import=${RELAY_MODULE}`], env: PROXY_ENVIRONMENT, settings: { serve } }
}

function madeFolder(made: string, { user }: PinnedProcess): ChildFolder {
  const folder = foldersIn(made)
  for (const path of [folder.own, folder.root]) mkdirSync(path)
  if (user !== undefined) for (const path of [made, folder.own, folder.root]) chownSync(path, user.uid, user.gid)
  return folder
}
