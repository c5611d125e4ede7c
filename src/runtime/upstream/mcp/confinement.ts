/** Chooses what confines a child on this machine; where nothing does, no child is started (decisions, section 20). */
import { Unreachable } from './channel.js'
import { isOffline } from './confined.js'
import {
  bwrapWalls,
  LIMITED,
  NAMESPACES_TRIAL,
  READ_ONLY_DEVICES,
  unshareWalls,
  type ChildFolder,
  type Walls,
} from './namespaces.js'
import type { PinnedProcess } from './pinned.js'
import { endsWell } from './process.js'
import type { ChildView } from './view.js'

/** A program that ends well. */
const NOTHING = [process.execPath, '--eval', '']

/** Returns the walls around a child; none where its pinned file says so with a reason. */
export function wallsOf(pinned: PinnedProcess, view: ChildView, folder: ChildFolder, env: NodeJS.ProcessEnv): Walls {
  if (pinned.confinement === 'none') return unconfined(pinned)
  refuseWithoutProxy(pinned)
  const here: readonly Walls[] = [
    [...LIMITED, ...(isRoot(pinned) ? READ_ONLY_DEVICES : []), ...bwrapWalls(view, pinned.allow)],
    ...(isOffline(pinned) ? [[...LIMITED, ...unshareWalls(view, pinned.allow, folder)]] : []),
  ]
  const found = here.find((walls) => endsWell([...walls, ...NOTHING], { env, ...pinned.user }))
  if (found !== undefined) return found
  throw new Unreachable(
    `Nothing here confines ${pinned.package}, so it is not started. ${remedyFor(seenHere(env))}`,
    false,
  )
}

/** Holds where the child is root for the kernel, whatever its namespaces call it. */
const isRoot = ({ user }: PinnedProcess): boolean => (user?.uid ?? process.getuid?.()) === 0

const [MAJOR = 0, MINOR = 0] = process.versions.node.split('.').map(Number)

/** A server reaches its hosts by a proxy, of which older versions of Node know nothing. */
function refuseWithoutProxy(pinned: PinnedProcess): void {
  if (isOffline(pinned) || MAJOR >= 24 || (MAJOR === 22 && MINOR >= 21)) return
  throw new Unreachable(
    `${pinned.package} has a network, and needs a Node whose fetch knows NODE_USE_ENV_PROXY: 22.21, or 24 and newer. ` +
      `This is ${process.version}.`,
    false,
  )
}

function unconfined({ package: name, reason = '' }: PinnedProcess): Walls {
  if (reason.trim() !== '') return []
  throw new Unreachable(`${name} is pinned with confinement none and without a reason. Add its reason.`, false)
}

/** What a machine is, on which nothing confines a child. */
export interface Machine {
  readonly platform: string
  /** As containers and hardened systems do: a program that makes them is there, and fails. */
  readonly refusesNamespaces: boolean
}

const seenHere = (env: NodeJS.ProcessEnv): Machine => ({
  platform: process.platform,
  refusesNamespaces:
    endsWell(['bwrap', '--version'], { env }) ||
    (endsWell(['unshare', '--version'], { env }) && !endsWell(NAMESPACES_TRIAL, { env })),
})

const BY_IMAGE = 'Import it as an image: svc import mcp --container <name>@sha256:<digest> -- <arguments>'
const BY_PACKAGE = 'Run: apt-get install bubblewrap'
const BY_ADDRESS =
  'This system refuses namespaces. Start the server by itself beside the service, and import its address: ' +
  'svc import mcp -- http://127.0.0.1:<port>/mcp'

/** Returns the one command of the confinement that works on a machine. */
export const remedyFor = ({ platform, refusesNamespaces }: Machine): string =>
  platform !== 'linux' ? BY_IMAGE : refusesNamespaces ? BY_ADDRESS : BY_PACKAGE
