/**
 * A service within an application that exists (`svc-kit/runtime/mount`): Express, Fastify, Koa and node:http take
 * `node`; Hono, Next.js, Bun and Deno take `fetch` (decisions, section 18).
 *
 * @example
 * const agents = await mount(service, { basePath: '/agents', publicUrl: 'https://shop.example/agents' })
 * app.use(agents.node) // before express.json()
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isIP } from 'node:net'
import { settledWithin } from './errors/settled-within.js'
import { StartUpError } from './errors/start-up-error.js'
import { failure } from '../protocol/failures.js'
import { errorResponse } from './endpoint/error-response.js'
import { reasonOf } from './errors/reason.js'
import { answerOverHttp, failureResponse } from './http/answer.js'
import { atRoot, basePathOf, targetsBelow, type TargetBelow } from './http/base-path.js'
import { clientOf } from './http/client-address.js'
import type { AnswerOverHttp } from './http/exchange.js'
import { httpRequestOf, webResponseOf, targetIn } from './http/fetch.js'
import { clientBehind } from './http/forwarded.js'
import { headerIn, listener, targetOf, type PeerOf } from './http/listener.js'
import { addressText, publicAddress } from './http/public-address.js'
import { unreadAnswers } from './http/unread-answers.js'
import { maintain } from './lifecycle/maintenance.js'
import { closeStore, endedInTime, once } from './lifecycle/process.js'
import type { Service } from './service.js'
import { besideSurfaces, wellKnownOf, type Surface } from './surfaces/surface.js'

export type { Surface } from './surfaces/surface.js'

export interface MountOptions {
  /**
   * The path below which the application hands requests on, as `/agents`; the path of `publicUrl` unless given, and the
   * root without both. The path of `publicUrl` is another one where a proxy before the application rewrites it.
   */
  readonly basePath?: string
  /**
   * The address that people and agents reach the service by, with its path; https unless it is a loopback address. The
   * console and sign-in over MCP need it.
   */
  readonly publicUrl?: string | undefined
  /** Beside the interface: `webConsole()` of `svc-kit/console`, `mcp()` of `svc-kit/mcp`. */
  readonly surfaces?: readonly Surface[]
  /** Addresses and networks of proxies whose `X-Forwarded-For` is believed, as `10.0.0.0/8`; none unless given. */
  readonly trustedProxies?: readonly string[]
  /**
   * Gives the address of the peer for `fetch`, which has no socket: of the request, and of what was handed on with it.
   * Without it, limits count by credential alone.
   */
  readonly clientAddress?: (request: Request, connection: unknown) => string | undefined
}

export interface Mounted {
  /**
   * Answers what is below the base path; anything else goes to `next`, or is answered as not found. No body parser may
   * come before it.
   */
  readonly node: (request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void) => void
  /** Answers a web request; `connection` is for `clientAddress`. */
  readonly fetch: (request: Request, connection?: unknown) => Promise<Response>
  /** Paths at the root of the host that are also answered: route them to the same function (RFC 8615). */
  readonly wellKnown: readonly string[]
  /** Ends gracefully: what is in flight ends, the trail is flushed, the store is closed. Close it after the server. */
  close(): Promise<void>
}

/** Services that are mounted in this process: each has its background work once. */
const MOUNTED = new WeakSet<Service>()

/**
 * Mounts a service, and starts its background work. Rejects with `StartUpError` for options that cannot be, and for a
 * service that is mounted already.
 */
export async function mount(service: Service, options: MountOptions = {}): Promise<Mounted> {
  const { surfaces = [] } = options
  const place = options.publicUrl === undefined ? undefined : publicAddress(options.publicUrl)
  const inner = basePathOf(options.basePath ?? place?.base ?? '')
  const clients = clientsBehind(options)
  if (MOUNTED.has(service))
    throw new StartUpError('This service is mounted already: use what mount() gave the first time.')
  MOUNTED.add(service)
  Object.assign(service.site, place ?? { base: inner })
  const context = {
    publicUrl: place && addressText(place),
    base: place?.base ?? inner,
    address: () => undefined,
    listensOnLoopback: false,
  }
  const opened = await besideSurfaces(service, answerOverHttp(service), surfaces, context).catch((error: unknown) => {
    MOUNTED.delete(service)
    throw error
  })
  const [answer, ended] = counted(opened)
  const wellKnown = wellKnownOf(surfaces)
  const targetBelow = targetsBelow(inner, wellKnown)
  const close = closing(service, maintain(service), ended)
  service.log.info('The service is mounted.', { service_id: service.id, base_path: inner || '/' })
  return {
    node: nodeHandler(service, answer, targetBelow, clients.ofIncoming),
    fetch: webHandler(service, answer, targetBelow, clients.ofRequest),
    wellKnown: wellKnown.map((path) => atRoot(path, inner)),
    close,
  }
}

/** No endpoint and no page is at the root of a service. */
const NOWHERE = '/'

type ClientOfRequest = (request: Request, connection: unknown) => string

/** The addresses of clients, by a socket or by what the application says. */
function clientsBehind({ trustedProxies = [], clientAddress }: MountOptions): {
  readonly ofIncoming: PeerOf
  readonly ofRequest: ClientOfRequest
} {
  const behind = clientBehind(trustedProxies)
  return {
    ofIncoming: ({ socket, rawHeaders }) => behind(socket.remoteAddress, headerIn(rawHeaders, 'x-forwarded-for')),
    ofRequest: (request, connection) => {
      const peer = clientAddress?.(request, connection)
      if (peer === undefined) return ''
      if (isIP(peer) === 0) throw new TypeError('clientAddress gave something else than an IP address.')
      return clientOf(behind(peer, request.headers.get('x-forwarded-for')))
    },
  }
}

function nodeHandler(
  { limits }: Service,
  answer: AnswerOverHttp,
  targetBelow: TargetBelow,
  clientOfIncoming: PeerOf,
): Mounted['node'] {
  const listen = listener(answer, unreadAnswers(limits), clientOfIncoming)
  return (request, response, next) => {
    // Express and Connect cut off the path that a handler is used at.
    const url = (request as { readonly originalUrl?: string }).originalUrl ?? request.url ?? ''
    const target = targetBelow(targetOf(url))
    if (target === undefined && next !== undefined) next()
    else listen(request, response, target ?? NOWHERE)
  }
}

function webHandler(
  service: Service,
  answer: AnswerOverHttp,
  targetBelow: TargetBelow,
  clientOfRequest: ClientOfRequest,
): Mounted['fetch'] {
  const clientIn = (request: Request, connection: unknown): string | undefined => {
    try {
      return clientOfRequest(request, connection)
    } catch (error) {
      service.log.error('The address of a client could not be told.', { error: reasonOf(error) })
      return undefined
    }
  }
  return async (request, connection) => {
    const client = clientIn(request, connection)
    if (client === undefined)
      return webResponseOf(
        failureResponse(errorResponse(service, failure('internal_error', 'The service failed.'))),
        service.limits.requestTimeoutMs,
      )
    const target = targetIn(request)
    return webResponseOf(
      await answer(httpRequestOf(request, targetBelow(target) ?? NOWHERE, client)),
      service.limits.requestTimeoutMs,
    )
  }
}

/** Ends what is in flight, the background work and the store, once. */
const closing = (service: Service, rest: () => Promise<void>, ended: () => Promise<void>): (() => Promise<void>) =>
  once(async () => {
    service.lifecycle.draining = true
    await endedInTime(service, async () => {
      await settledWithin(ended(), service.limits.shutdownMs)
      await rest()
      await service.close()
    })
    await closeStore(service)
  })

/** Counts answers until they have left, and says when none is left. */
function counted(answer: AnswerOverHttp): readonly [answer: AnswerOverHttp, ended: () => Promise<void>] {
  let [open, whenNone] = [0, (): void => undefined]
  const leave = (): void => {
    open -= 1
    if (open === 0) whenNone()
  }
  return [
    async (request) => {
      open += 1
      const response = await answer(request)
      return {
        ...response,
        left: () => {
          response.left?.()
          leave()
        },
      }
    },
    () => (open === 0 ? Promise.resolve() : new Promise((resolve) => (whenNone = resolve))),
  ]
}
