/** Chooses what confines a child on this machine; where nothing does, no child is started (decisions, section 20). */
import { existsSync } from 'node:fs'
import { Unreachable } from './channel.js'
import { bwrapWalls, NAMESPACES_TRIAL, unshareWalls, type ChildFolder, type Walls } from './namespaces.js'
import type { PinnedProcess } from './pinned.js'
import { endsWell } from './process.js'
import type { ChildView } from './view.js'

/** A program that ends well. */
const NOTHING = [process.execPath, '--eval', '']

/** Returns the walls around a child; none where its pinned file says so with a reason. */
export function wallsOf(pinned: PinnedProcess, view: ChildView, folder: ChildFolder, env: NodeJS.ProcessEnv): Walls {
  if (pinned.confinement === 'none') return unconfined(pinned)
  const here = [bwrapWalls, ...(isOffline(pinned) ? [unshareWalls] : [])].map((wallsBy) =>
    wallsBy(view, pinned.allow, folder),
  )
  const found = here.find((walls) => endsWell([...walls, ...NOTHING], { env, ...pinned.user }))
  if (found !== undefined) return found
  throw new Unreachable(
    `Nothing here confines ${pinned.package}, so it is not started. ${remedyFor(seenHere(env))}`,
    false,
  )
}

export const isOffline = ({ network = 'none' }: Pick<PinnedProcess, 'network'>): boolean => network === 'none'

function unconfined({ package: name, reason = '' }: PinnedProcess): Walls {
  if (reason.trim() !== '') return []
  throw new Unreachable(`${name} is pinned with confinement none and without a reason. Add its reason.`, false)
}

/** Facts of a machine on which nothing confines a child. */
export interface Machine {
  readonly platform: string
  readonly givesNamespaces: boolean
  readonly hasBwrap: boolean
  readonly isContainer: boolean
}

const seenHere = (env: NodeJS.ProcessEnv): Machine => ({
  platform: process.platform,
  givesNamespaces: endsWell(NAMESPACES_TRIAL, { env }),
  hasBwrap: endsWell(['bwrap', '--version'], { env }),
  isContainer: existsSync('/.dockerenv') || existsSync('/run/.containerenv'),
})

const BY_PACKAGE = 'Run: apt-get install bubblewrap'
const BY_IMAGE = 'Import it as an image: svc import mcp --container <name>@sha256:<digest> -- <arguments>'
const BY_ADDRESS =
  'Start it in a container of its own beside this one, and import its address: svc import mcp -- http://127.0.0.1:<port>/mcp'

/** Returns the one command of the confinement that works on a machine. */
export function remedyFor({ platform, givesNamespaces, hasBwrap, isContainer }: Machine): string {
  if (platform !== 'linux') return BY_IMAGE
  if (!hasBwrap && (givesNamespaces || !isContainer)) return BY_PACKAGE
  return isContainer ? BY_ADDRESS : BY_IMAGE
}
