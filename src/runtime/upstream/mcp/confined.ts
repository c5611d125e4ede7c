import { existsSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, parse, resolve, sep } from 'node:path'
import { Unreachable } from './channel.js'
import type { PinnedProcess, Power } from './pinned.js'

/** What a child does only where a person allowed it: Node's own permissions refuse the rest. */
export const POWERS = {
  'child-process': '--allow-child-process',
  worker: '--allow-worker',
  addons: '--allow-addons',
} as const satisfies { readonly [power in Power]: string }

/** Where the package of a child is, and the folder of the service. */
export interface ChildHome {
  readonly home: string
  readonly own: string
}

/** SQLite opens any database, whatever Node's permissions say: a child has none. */
const PERMISSIONS =
  Number(process.versions.node.split('.')[0]) < 22
    ? ['--experimental-permission']
    : ['--permission', '--no-experimental-sqlite']

/**
 * The options of Node that confine a child: it reads the packages that it is made of, reads and writes its own folder
 * and the paths that a person accepted, and nothing else.
 */
export function confinementOf(
  { paths, allow }: Pick<PinnedProcess, 'paths' | 'allow'>,
  { home, own }: ChildHome,
): readonly string[] {
  return [
    ...PERMISSIONS,
    `--allow-fs-read=${plain(packagesAround(home, own))}`,
    ...paths.flatMap((path) => openable(acceptedPath(path, own))),
    ...allow.map((power) => POWERS[power]),
  ]
}

/** The options that let a child read and write what is at a path. */
export const openable = (path: string): readonly string[] =>
  ['--allow-fs-read', '--allow-fs-write'].map((option) => `${option}=${plain(realpathSync(path))}`)

/** What begins with `./` is a path of the service: the child runs elsewhere. */
export const pathOfChild = (text: string, own: string): string => (text.startsWith('./') ? resolve(own, text) : text)

/** A path that is given to a child: none that holds the service, where its keys are. */
function acceptedPath(text: string, own: string): string {
  const path = pathOfChild(text, own)
  if (!existsSync(path)) throw new Unreachable(`${path}, which the server may open, is not there.`, false)
  const real = realpathSync(path)
  if (!isAtOrBelow(own, real)) return real
  throw new Unreachable(`${real} holds the service with its keys. Give the server another folder.`, false)
}

/** Whether a path is a folder or what is in it. */
export const isAtOrBelow = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)

/** For Node a star stands for anything, and a comma once parted two paths. */
function plain(path: string): string {
  if (/[*,]/u.test(path))
    throw new Unreachable(`The path ${path} has a * or a comma, which Node reads otherwise.`, false)
  return statSync(path).isDirectory() && !path.endsWith(sep) ? path + sep : path
}

/** The widest node_modules around a package that does not hold the service itself; else the package alone. */
function packagesAround(home: string, own: string): string {
  let widest = realpathSync(home)
  for (let at = widest; at !== parse(at).root; at = dirname(at))
    if (at.endsWith(join(sep, 'node_modules')) && !isAtOrBelow(own, at)) widest = at
  return widest
}
