import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { delimiter, dirname, join, relative, resolve, sep } from 'node:path'
import { installedAt, type PinnedAddress, type PinnedProcess } from '../../runtime/upstream/index.js'
import { CliError } from '../cli-error.js'

/** A server that was named on the command line: what is pinned of it, and where its package is now. */
export interface FoundServer {
  readonly name: string
  readonly server: PinnedProcess | PinnedAddress
  readonly home: string | undefined
}

/** The server behind an address, or the installed package of a command. */
export function foundServer(command: readonly string[], env: readonly string[], id: string | undefined): FoundServer {
  const [first = '', ...args] = command
  if (/^https?:\/\//iu.test(first)) return foundAddress(first, args, id)
  const file = realpathSync(binaryOf(first))
  const { home, name, version } = packageAround(file, first)
  const { integrity } = installedAt(home, name)
  if (integrity === undefined)
    throw new CliError(
      `${name} ${version} has no integrity in the lock file of npm. Install it from a registry: npm install ` +
        `--save-exact ${name}@${version}`,
    )
  const server = {
    package: name,
    version,
    integrity,
    file: relative(home, file).replaceAll('\\', '/'),
    args: args.map(argumentOf),
    env,
  }
  return { name: id ?? nameOf(name), server, home }
}

function foundAddress(address: string, args: readonly string[], id: string | undefined): FoundServer {
  if (!URL.canParse(address) || args.length > 0)
    throw new CliError(`${address} must be the one address of an MCP server.`)
  const { hostname } = new URL(address)
  const labels = hostname.split('.')
  const name = id ?? nameOf(labels.length > 1 && !/^[\d.]+$/u.test(hostname) ? labels.at(-2)! : 'upstream')
  return { name, server: { url: address, credential: `${name.toUpperCase()}_CREDENTIAL` }, home: undefined }
}

/** `@scope/server-filesystem` is `filesystem`. */
const nameOf = (text: string): string => {
  const name = text
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

/** A path as it is from anywhere: the child runs in a folder of its own. */
const argumentOf = (text: string): string =>
  !text.startsWith('-') && statSync(text, { throwIfNoEntry: false }) !== undefined ? realpathSync(text) : text

/** A server whose arguments name a folder that holds the service could read its keys. */
export function refuseOwnFolder({ server }: FoundServer, into: string): void {
  if ('url' in server) return
  const own = existsSync(into) ? realpathSync(into) : resolve(into)
  const holds = server.args.find(
    (argument) =>
      statSync(argument, { throwIfNoEntry: false })?.isDirectory() === true &&
      (own === argument || own.startsWith(argument + sep)),
  )
  if (holds !== undefined)
    throw new CliError(
      `${holds} holds the service with its keys. Give the server another folder, or make the service elsewhere ` +
        'with --into.',
    )
}
