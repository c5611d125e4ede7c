import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { CliError } from '../shared/errors/cli-error.js'
import { print, printError } from '../shared/output/print.js'
import { packageRoot } from '../shared/files/package-root.js'
import { replaceFile } from '../shared/files/replace-file.js'
import { serviceAddress } from './service-address.js'
import { shellPath } from '../../protocol/shell.js'

export interface ConfigOptions {
  readonly client: ClientName
  readonly tokenFile: string
  readonly write: boolean
  readonly connect?: string
  readonly scope?: readonly string[]
}

type ClientName = 'claude-code' | 'cursor' | 'vscode' | 'inspector'

/** Client -> its file in a project, and the member of that file that holds servers. */
const CLIENTS: { readonly [name in ClientName]: { readonly file: string; readonly member: string } } = {
  'claude-code': { file: '.mcp.json', member: 'mcpServers' },
  cursor: { file: '.cursor/mcp.json', member: 'mcpServers' },
  vscode: { file: '.vscode/mcp.json', member: 'servers' },
  inspector: { file: 'mcp.json', member: 'mcpServers' },
}

/** `svc mcp config`: how a client starts the service, or reaches it. */
export async function config(folder: string, options: ConfigOptions): Promise<number> {
  const { client, tokenFile, write, connect } = options
  const { file, member } = CLIENTS[client]
  const root = resolve(folder)
  const name = connect === undefined ? nameOf(root) : hostOf(connect)
  const server = connect === undefined ? serverIn(root) : bridgeTo(connect, options)
  const entry = { [name]: { ...server, env: { SVC_TOKEN_FILE: resolve(root, tokenFile) } } }
  const next = nextStep(resolve(root, tokenFile), tokenFile, options)
  if (!write) {
    print(`${JSON.stringify({ [member]: entry }, null, 2)}\n`)
    printError(`${next}\n`)
    return 0
  }
  const path = join(root, file)
  const there = existing(path)
  mkdirSync(dirname(path), { recursive: true })
  // Other servers' entries may hold credentials: the file stays as private as it was.
  const mode = existsSync(path) ? statSync(path).mode & 0o777 : 0o600
  await replaceFile(
    path,
    `${JSON.stringify({ ...there, [member]: { ...(there[member] as object), ...entry } }, null, 2)}\n`,
    mode,
  )
  printError(`${file} lets ${client} call ${name}. ${next}\n`)
  return 0
}

/** Returns the remaining step for the credential, given what the file holds. */
function nextStep(path: string, name: string, { scope }: ConfigOptions): string {
  const held = heldIn(path)
  if (scope !== undefined)
    return held === undefined ? `Put a credential into ${name}.` : `The credential is that in ${name}.`
  const issue = `svc token issue --scope … --subject agent:… --out ${shellPath(name)}`
  if (held === undefined) return `Put a delegation token into ${name}: ${issue}`
  if (held.exp === undefined) return `${name} holds no delegation token. Put one there: ${issue}`
  const until = new Date(held.exp * 1000).toISOString()
  return held.exp * 1000 > Date.now()
    ? `The token in ${name} is valid until ${until}.`
    : `The token in ${name} has expired (${until}). Put another one there: ${issue}`
}

/** Reads the expiry of the token in a file; no `exp` if it holds none, undefined if there is no file. */
function heldIn(path: string): { readonly exp?: number } | undefined {
  if (!existsSync(path)) return undefined
  try {
    const [, payload = ''] = readFileSync(path, 'utf8').split('.')
    const { exp } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { readonly exp?: unknown }
    return typeof exp === 'number' && Number.isFinite(new Date(exp * 1000).getTime()) ? { exp } : {}
  } catch {
    return {}
  }
}

/** Clients start a server from a folder of their own; the service finds its keys and data from its own one. */
function serverIn(root: string): object {
  const server = join(root, 'dist/server.mjs')
  if (!existsSync(server)) throw new CliError(`There is no ${server}. Run svc build first.`)
  const start = `process.chdir(${JSON.stringify(root)}); await import(${JSON.stringify(server)})`
  return { command: 'node', args: ['--input-type=module', '--eval', start, '--', '--mcp'] }
}

/** For clients that start processes, and a service that runs elsewhere. */
function bridgeTo(url: string, { scope = [] }: ConfigOptions): object {
  const svc = join(packageRoot(), 'bin/svc.cjs')
  const narrowed = scope.length === 0 ? [] : ['--scope', ...scope]
  return { command: 'node', args: [svc, 'mcp', 'connect', serviceAddress(url), ...narrowed] }
}

const hostOf = (url: string): string => new URL(serviceAddress(url)).hostname

function nameOf(root: string): string {
  const own = join(root, 'package.json')
  if (!existsSync(own)) return basename(root)
  const { name } = JSON.parse(readFileSync(own, 'utf8')) as { readonly name?: unknown }
  return typeof name === 'string' ? name : basename(root)
}

function existing(path: string): { readonly [member: string]: unknown } {
  if (!existsSync(path)) return {}
  try {
    const value = JSON.parse(readFileSync(path, 'utf8')) as unknown
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as { [member: string]: unknown }
  } catch {
    // Said below: comments, too, would be lost.
  }
  throw new CliError(`${path} is not plain JSON. Run without --write, and copy the entry into it.`)
}
