/** The files of a child: the packages that it is made of, its own folder, and what a person accepted. */
import { existsSync, lstatSync, realpathSync, type Stats } from 'node:fs'
import { dirname, join, parse, resolve, sep } from 'node:path'
import { Unreachable } from './channel.js'
import type { PinnedProcess } from './pinned.js'

/** Where the package of a child is, and the folder of the service. */
export interface ChildHome {
  readonly home: string
  readonly own: string
}

/** Real paths; what is below them belongs to them. */
export interface ChildView {
  readonly readable: readonly string[]
  /** Paths of the host that a person accepted: the only ones that a child writes to. */
  readonly writable: readonly string[]
  /** Folder that a child works in; within walls it is empty and in memory. */
  readonly own: string
}

/** Returns the files of a child that works in `folder`; none of them holds the service, where its keys are. */
export function childViewOf(
  { paths }: Pick<PinnedProcess, 'paths'>,
  { home, own }: ChildHome,
  folder: string,
): ChildView {
  const accepted = paths.map((path) => acceptedPath(path, own))
  return { readable: [packagesAround(home, own)], writable: accepted, own: realpathSync(folder) }
}

/** What begins with `./` is a path of the service: the child runs elsewhere. */
export const pathOfChild = (text: string, own: string): string => (text.startsWith('./') ? resolve(own, text) : text)

/** Returns whether a path is a folder or in it. */
export const isAtOrBelow = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)

/** Places of the host where its processes meet: sockets, devices, and what others put down for a while. */
const OF_THE_HOST = ['/dev', '/proc', '/run', '/sys']
const MEETING_PLACES = [...OF_THE_HOST, '/tmp', '/var/run', '/var/tmp']

function acceptedPath(text: string, own: string): string {
  const path = pathOfChild(text, own)
  if (!existsSync(path)) throw new Unreachable(`${path}, which the server may open, is not there.`, false)
  const real = realpathSync(path)
  if (isAtOrBelow(own, real))
    throw new Unreachable(`${real} holds the service with its keys. Give the server another folder.`, false)
  if (!isPlain(lstatSync(real)))
    throw new Unreachable(`${real} is neither a file nor a folder. Give the server a folder of its own.`, false)
  if (!isOfTheHost(real)) return real
  throw new Unreachable(`${real} is where programs of this machine meet. Give the server a folder of its own.`, false)
}

const isPlain = (found: Stats): boolean => found.isFile() || found.isDirectory()

/** Checks whether a path is where programs of the whole machine meet. */
export const isOfTheHost = (path: string): boolean =>
  OF_THE_HOST.some((place) => isAtOrBelow(path, place)) || MEETING_PLACES.some((place) => isAtOrBelow(place, path))

/** The widest node_modules around a package that does not hold the service itself; else the package alone. */
function packagesAround(home: string, own: string): string {
  let widest = realpathSync(home)
  for (let at = widest; at !== parse(at).root; at = dirname(at))
    if (at.endsWith(join(sep, 'node_modules')) && !isAtOrBelow(own, at)) widest = at
  return widest
}
