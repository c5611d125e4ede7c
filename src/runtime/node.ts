/** Parts of a Node process around a service: a server, its keys, its API keys (`svc-kit/runtime/node`). */
import type { Writable } from 'node:stream'
import { answerOverHttp } from './http/answer.js'
import { belowBase, targetsBelow } from './http/base-path.js'
import { addressText, publicAddress } from './http/public-address.js'
import { egressHost, useEgressProxy } from './net/egress.js'
import { isLoopback, isLoopbackHost } from './net/loopback.js'
import { listen, nodeServer, shut } from './http/server.js'
import { KeyTrouble } from './keys/key-directory.js'
import { maintain } from './lifecycle/maintenance.js'
import { endedInTime, endLast, logCrashes, once, onSignal, serveOverStreams } from './lifecycle/process.js'
import { Refusal } from './errors/refusal.js'
import type { Service } from './service.js'
import { StartUpError } from './errors/start-up-error.js'
import { StorageUnavailable } from './storage/contract.js'
import { answerLines } from './surfaces/stdio.js'
import { besideSurfaces, wellKnownOf, type Surface, type SurfaceContext } from './surfaces/surface.js'
import { shellWord } from '../protocol/shell.js'

export { readKeyRing, readKeyRingText } from './keys/key-directory.js'
export { readPublishedManifest } from './keys/published-file.js'
export { readSignerKeys, type SignerOptions } from './keys/remote/ring.js'
export { readApiKeys } from './credentials/api-key-file.js'
export type { Surface } from './surfaces/surface.js'

export interface ServeOptions {
  /** `127.0.0.1` by default. */
  readonly host?: string
  /** 4100 by default; 0 for any free port. A setting may be given as it is written: only digits are a port. */
  readonly port?: number | string
  /**
   * The address that people and agents reach the service by; https unless it is a loopback address. It may have a path,
   * whether the proxy before the service takes it away or not.
   */
  readonly publicUrl?: string | undefined
  /** Beside HTTP: `mcp()` of `svc-kit/mcp`. */
  readonly surfaces?: readonly Surface[]
}

export interface Running {
  readonly url: string
  /** Ends gracefully: not ready any more, requests in flight finish, then the trail is flushed. */
  close(): Promise<void>
}

/** Address of this process, for its parent. */
let listeningAt: string | undefined

/**
 * Serves over HTTP until it is closed; SIGTERM and SIGINT close it and end the process with code 0. Rejects with
 * `StartUpError` when the port cannot be used.
 */
export async function serve(
  service: Service,
  { host = '127.0.0.1', port = 4100, publicUrl, surfaces = [] }: ServeOptions = {},
): Promise<Running> {
  let url = ''
  const place = publicUrl === undefined ? undefined : publicAddress(publicUrl)
  const context = {
    publicUrl: place && addressText(place),
    base: place?.base ?? '',
    address: () => url,
    listensOnLoopback: isLoopbackHost(host.includes(':') ? `[${host}]` : host),
  }
  judgeDevelopmentKeys(service, context)
  Object.assign(service.site, place)
  const answer = await besideSurfaces(service, answerOverHttp(service), surfaces, context)
  const server = nodeServer(belowBase(answer, targetsBelow(context.base, wellKnownOf(surfaces))), service.limits)
  const address = await listen(server, host, portOf(port))
  url = `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`
  listeningAt = url
  const rest = maintain(service)
  const forget = logCrashes(service)
  const close = once(async () => {
    service.lifecycle.draining = true
    await endedInTime(service, async () => {
      await shut(server, service.limits.shutdownMs)
      await rest()
      await service.close()
    })
    forget()
    deaf()
  })
  const deaf = onSignal(close, () => endLast(service))
  const proxy = egressHost()
  service.log.info('The service is listening.', {
    url,
    service_id: service.id,
    ...(proxy !== undefined && { egress_proxy: proxy }),
  })
  return { url, close }
}

/**
 * Takes keys for development, under `svc dev`, where the socket and the address for others are both this machine's, and
 * nowhere else.
 */
function judgeDevelopmentKeys({ apiKeys, log }: Service, { publicUrl, listensOnLoopback }: SurfaceContext): void {
  if (listensOnLoopback && (publicUrl === undefined || isLoopback(publicUrl))) return apiKeys.takeDevelopmentKeys()
  const [first, ...others] = apiKeys.forDevelopment()
  if (first === undefined) return
  log.warn('Others can reach this service, so its API keys for development are not known here.', {
    api_key_ids: [first, ...others].slice(0, 10),
    command: `svc apikeys revoke ${shellWord(first)}`,
  })
}

/** An empty setting is no port; `Number` would take it for 0, which is any. */
const portOf = (port: number | string): number =>
  typeof port === 'number' || /^\d+$/u.test(port) ? Number(port) : Number.NaN

/**
 * Runs a server's main function. What keeps it from starting (a key that others may read, a port in use, a store that
 * cannot be opened, a signer that is away) is printed as one message that says what to do, and the process ends with
 * code 2. A parent that has opened a channel (`svc dev`, a process manager) is told `ready` when the server has
 * started, and `{ listening }`, its address.
 */
export async function start(main: () => Promise<void>): Promise<void> {
  await throughProxy(main).catch((error: unknown) => {
    if (!isForTheOperator(error)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(2)
  })
  if (!process.connected) return
  process.send?.('ready', () => undefined)
  if (listeningAt !== undefined) process.send?.({ listening: listeningAt }, () => undefined)
}

async function throughProxy(main: () => Promise<void>): Promise<void> {
  const problem = useEgressProxy(process.env)
  if (problem !== undefined) throw new StartUpError(problem)
  return main()
}

const isForTheOperator = (error: unknown): error is Error =>
  error instanceof StartUpError ||
  error instanceof KeyTrouble ||
  error instanceof StorageUnavailable ||
  error instanceof Refusal ||
  (error instanceof Error && error.name === 'SchemaMismatch')

export interface StdioOptions {
  /** Standard input by default. */
  readonly input?: AsyncIterable<Uint8Array>
  /** Standard output by default. */
  readonly output?: Writable
}

/**
 * Serves over stdio, one JSON-RPC message a line, until the input ends or the process is told to: then what was read is
 * answered and the trail is flushed. Logs go to standard error.
 */
export const serveStdio = (service: Service, { input, output }: StdioOptions = {}): Promise<void> =>
  serveOverStreams(service, (from, to) => answerLines(service, from, to), { input, output })
