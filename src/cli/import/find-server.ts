import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { delimiter, dirname, join, relative, resolve, sep } from 'node:path'
import {
  installedAt,
  isAtOrBelow,
  isPinnedImage,
  POWERS,
  type ChildHome,
  type ReachableHosts,
  type PinnedAddress,
  type PinnedContainer,
  type PinnedProcess,
  type Power,
} from '../../runtime/upstream/index.js'
import { parsedAddress } from '../../protocol/address.js'
import { CliError } from '../shared/errors/cli-error.js'
import { isVariable } from '../shared/formats/environment.js'

/** A server that was named on the command line: what is pinned of it, and where its package is now. */
export interface FoundServer {
  readonly name: string
  readonly server: PinnedProcess | PinnedContainer | PinnedAddress
  readonly place: ChildHome | undefined
}

/** What a person gives a child beside its arguments, and where the service is that starts it. */
export interface ChildOptions {
  readonly env: readonly string[]
  /** Beside the arguments that are paths. */
  readonly path: readonly string[]
  readonly allow: readonly string[]
  readonly confinement: 'namespaces' | 'none'
  readonly reason?: string
  /** `none`, `open`, or hosts joined by commas. */
  readonly network: string
  readonly into: string
}

/** The server behind an address, or the installed package of a command. */
export function foundServer(
  command: readonly string[],
  { env, path, allow, confinement, reason, network, into }: ChildOptions,
  id: string | undefined,
): FoundServer {
  const [first = '', ...args] = command
  if (/^https?:\/\//iu.test(first)) return foundAddress(first, args, id)
  const file = realpathSync(binaryOf(first))
  const { home, name, version } = packageAround(file, first)
  const { integrity, files } = installedAt(home, name)
  if (integrity === undefined)
    throw new CliError(
      `${name} ${version} has no integrity in the lock file of npm. Install it from a registry: npm install ` +
        `--save-exact ${name}@${version}`,
    )
  const own = existsSync(into) ? realpathSync(into) : resolve(into)
  const paths = [...new Set([...args.filter(isPath), ...path].map((text) => pathFrom(own, text)))]
  const server = {
    package: name,
    version,
    integrity,
    files,
    file: relative(home, file).replaceAll('\\', '/'),
    args: args.map((text) => pathFrom(own, text)),
    env: env.map(variableNamed),
    paths,
    allow: allow.map(powerNamed),
    confinement,
    ...(confinement === 'none' && { reason: reasonIn(reason) }),
    network: networkNamed(network),
  }
  return { name: id ?? nameOf(name), server, place: { home, own } }
}

function foundAddress(address: string, args: readonly string[], id: string | undefined): FoundServer {
  const url = parsedAddress(address)
  if (url === undefined || args.length > 0) throw new CliError(`${address} must be the one address of an MCP server.`)
  const { hostname, href } = url
  const labels = hostname.split('.')
  const name = id ?? nameOf(labels.length > 1 && !/^[\d.]+$/u.test(hostname) ? labels.at(-2)! : 'upstream')
  return { name, server: { url: href, credential: `${name.toUpperCase()}_CREDENTIAL` }, place: undefined }
}

/** The server of an image: what is pinned of it is its digest. */
export function foundImage(
  image: string,
  args: readonly string[],
  env: readonly string[],
  id: string | undefined,
): FoundServer {
  if (!isPinnedImage(image))
    throw new CliError(
      `--container ${JSON.stringify(image)} must name an image by its digest, as <name>@sha256:<digest>. Find it ` +
        "with: docker image inspect --format '{{.RepoDigests}} {{.Id}}' <name>",
    )
  const [, name = 'upstream'] = /([^/@:]+)(?::[^/@]*)?@/u.exec(image) ?? []
  return {
    name: id ?? nameOf(name),
    server: { confinement: 'container', image, args, env: env.map(variableNamed) },
    place: undefined,
  }
}

function reasonIn(reason = ''): string {
  if (reason.trim() !== '') return reason.trim()
  throw new CliError(
    'With --confinement none the server reaches all that you can reach. Say why it must: --reason "Its author is us."',
  )
}

const HOST = /^(?=.{1,253}$)[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})*\.[a-z][a-z0-9-]{0,62}$/u

/** The hosts of `--network`. */
function networkNamed(text: string): ReachableHosts {
  if (text === 'none' || text === 'open') return text
  const hosts = text.split(',').map((host) => host.trim().toLowerCase())
  const wrong = hosts.find((host) => !HOST.test(host))
  if (wrong === undefined) return hosts
  throw new CliError(
    `--network ${JSON.stringify(wrong)} must be none, open, or names of hosts such as api.example.com.`,
  )
}

/** `@scope/server-filesystem` is `filesystem`, and `@scope/mcp-server` is `scope`. */
const nameOf = (text: string): string => {
  const name = text
    .replace(/^@([^/]+)\/(?:mcp|server|mcp-server)$/u, '$1')
    .replace(/^@[^/]+\//u, '')
    .replace(/^(?:mcp-server-|server-|mcp-)|(?:-mcp-server|-mcp|-server)$/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/gu, '_')
    .slice(0, 40)
  return /^[a-z]/u.test(name) ? name : 'upstream'
}

/** Where npm put the command: a package that is installed here, or one that `npx --package` brought. */
function binaryOf(command: string): string {
  const folders = [
    ...parents(resolve('.')).map((folder) => join(folder, 'node_modules/.bin')),
    ...(process.env['PATH'] ?? '').split(delimiter),
  ]
  const found = /[/\\]/u.test(command)
    ? resolve(command)
    : folders.map((folder) => join(folder, command)).find((file) => existsSync(file))
  if (found !== undefined && existsSync(found)) return found
  throw new CliError(
    `There is no command ${command}. Install its package at an exact version: npm install --save-exact ` +
      '<package>@<version>',
  )
}

const parents = (folder: string): readonly string[] =>
  dirname(folder) === folder ? [folder] : [folder, ...parents(dirname(folder))]

function packageAround(file: string, command: string) {
  const home = parents(dirname(file)).find(
    (folder) => existsSync(join(folder, 'package.json')) && folder.split(sep).includes('node_modules'),
  )
  if (home === undefined || !/\.[cm]?js$/u.test(file))
    throw new CliError(
      `${command} is no command of an npm package. A server is pinned by package, version and integrity; another ` +
        'one can be reached by its address.',
    )
  const { name, version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as {
    readonly name: string
    readonly version: string
  }
  return { home, name, version }
}

const isPath = (text: string): boolean => !text.startsWith('-') && existsSync(text)

/** A path as the child finds it, which runs elsewhere: from the service where it is in it, else from anywhere. */
function pathFrom(own: string, text: string): string {
  if (!isPath(text)) return text
  const real = realpathSync(text)
  if (isAtOrBelow(own, real))
    throw new CliError(
      `${real} holds the service with its keys. Give the server another folder, or make the service elsewhere ` +
        'with --into.',
    )
  return isAtOrBelow(real, own) ? `./${relative(own, real).replaceAll('\\', '/')}` : real
}

function variableNamed(name: string): string {
  if (isVariable(name)) return name
  throw new CliError(`--env ${JSON.stringify(name)} must be a name such as GITHUB_TOKEN; its value stays where it is.`)
}

function powerNamed(text: string): Power {
  if (Object.hasOwn(POWERS, text)) return text as Power
  throw new CliError(`--allow ${JSON.stringify(text)} must be one of ${Object.keys(POWERS).join(', ')}.`)
}
