/** What its walls refused a server, as far as its words say, and the option of `svc import mcp` that gives it. */
import { shellPath } from '../../../protocol/shell.js'
import type { PinnedAddress, PinnedContainer, PinnedProcess } from './pinned.js'
import { isOfTheHost } from './view.js'

interface Refusal {
  readonly what: string
  readonly option: string
}

const UNCONFINED = '--confinement none --reason "<why>"'

/** A path that `--path` gives; some are of the whole host, and no child gets them. */
const byPath = (path: string | undefined): string =>
  path === undefined ? '--path <path>' : isOfTheHost(path) ? UNCONFINED : `--path ${shellPath(path)}`

/** Names of Node's permissions, and the options that give them. */
const OPTIONS: { readonly [permission: string]: (resource: string | undefined) => string } = {
  FileSystemRead: byPath,
  FileSystemWrite: byPath,
  ChildProcess: () => '--allow child-process',
  WorkerThreads: () => '--allow worker',
  Addon: () => '--allow addons',
  Net: () => '--network <hosts>',
}

const DENIED = /code: 'ERR_ACCESS_DENIED',\s*permission: '(\w+)'(?:,\s*resource: '([^'\n]+)')?/u
const NO_ADDONS = /ERR_DLOPEN_DISABLED/u
const NO_HOST = /getaddrinfo (?:EAI_AGAIN|ENOTFOUND) ([\w.-]+)/u
const NO_WRITE = /EROFS: read-only file system, \w+ '([^'\n]*)'/u

function refusalIn(said: string): Refusal | undefined {
  const [, permission = '', resource] = DENIED.exec(said) ?? []
  const option = Object.hasOwn(OPTIONS, permission) ? OPTIONS[permission] : undefined
  if (option !== undefined)
    return { what: resource === undefined ? permission : `${permission} of ${resource}`, option: option(resource) }
  if (NO_ADDONS.test(said)) return { what: 'native addons', option: '--allow addons' }
  const [, host] = NO_HOST.exec(said) ?? []
  if (host !== undefined) return { what: `the host ${host}`, option: `--network ${host}` }
  const [, path] = NO_WRITE.exec(said) ?? []
  return path === undefined ? undefined : { what: `writing to ${path}`, option: byPath(path) }
}

/** Returns what a server was refused and the option that gives it; empty where it says nothing of it. */
export function refusedPermission(server: PinnedProcess | PinnedContainer | PinnedAddress, said: string): string {
  if (!('package' in server) || server.confinement === 'none') return ''
  const refused = refusalIn(said)
  if (refused === undefined) return ''
  return `It was refused ${refused.what}. This gives it: svc import mcp ${refused.option}`
}

/** Errors that a program behind walls reports without their names, and what they come from. */
const HINTS = [
  [
    /Access to this API has been restricted/u,
    'Its walls refused it a file, a process, a worker or an addon: import it with --path, --env or --allow.',
  ],
  [/EAI_AGAIN|ENETUNREACH|ENOTFOUND/u, 'Its walls give it no such host: import it with --network.'],
] as const

/** Returns a sentence on the walls that an error of a tool comes from; empty where it may come from anything. */
export function wallsHint(server: PinnedProcess | PinnedContainer | PinnedAddress, text: string): string {
  if (!('package' in server) || server.confinement === 'none') return ''
  const [, hint] = HINTS.find(([error]) => error.test(text)) ?? []
  return hint === undefined ? '' : ` ${hint}`
}
