/** Node's own permissions: a second wall, within the program of a child. */
import { statSync } from 'node:fs'
import { sep } from 'node:path'
import { Unreachable } from './channel.js'
import type { PinnedProcess, Power } from './pinned.js'
import type { ChildView } from './view.js'

/** What a child does only where a person allowed it: Node's own permissions refuse the rest. */
export const POWERS = {
  'child-process': '--allow-child-process',
  worker: '--allow-worker',
  addons: '--allow-addons',
} as const satisfies { readonly [power in Power]: string }

/** Since Node 25 a network is a permission, too. */
const ASKS_FOR_NETWORK = Number(process.versions.node.split('.')[0]) >= 25

/** Returns whether a child reaches no host. */
export const isOffline = ({ network = 'none' }: Pick<PinnedProcess, 'network'>): boolean => network === 'none'

/** SQLite opens any database, whatever Node's permissions say: a child has none. */
const PERMISSIONS =
  Number(process.versions.node.split('.')[0]) < 22
    ? ['--experimental-permission']
    : ['--permission', '--no-experimental-sqlite']

/** Returns the options of Node that keep a program to the files and powers of its child. */
export function nodePermissions(
  { readable, writable, own }: ChildView,
  { allow, network = 'none' }: Pick<PinnedProcess, 'allow' | 'network'>,
): readonly string[] {
  return [
    ...PERMISSIONS,
    ...(isOffline({ network }) || !ASKS_FOR_NETWORK ? [] : ['--allow-net']),
    ...[...readable, ...writable, own].map((path) => `--allow-fs-read=${plain(path)}`),
    ...[...writable, own].map((path) => `--allow-fs-write=${plain(path)}`),
    ...allow.map((power) => POWERS[power]),
  ]
}

/** For Node a star stands for anything, and a comma once parted two paths. */
function plain(path: string): string {
  if (/[*,]/u.test(path))
    throw new Unreachable(`The path ${path} has a * or a comma, which Node reads otherwise.`, false)
  return statSync(path).isDirectory() && !path.endsWith(sep) ? path + sep : path
}
