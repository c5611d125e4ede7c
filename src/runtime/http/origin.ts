import { refuse } from '../errors/refusal.js'
import type { Service } from '../service.js'
import type { HttpRequest } from './exchange.js'

type Served = Pick<Service, 'hosts' | 'origins'>

/** Where hosts are listed, a page must come from one of them, or from an origin that is allowed. */
export function assertOrigin({ hosts, origins }: Served, request: HttpRequest): void {
  const origin = request.header('origin')
  if (hosts === undefined || origin === null || origins?.has(origin) === true) return
  if (!URL.canParse(origin) || !hosts.has(new URL(origin).host)) refuseHost()
}

/** Where hosts are listed, a request must be for one of them. */
export function assertHost({ hosts }: Served, request: HttpRequest): void {
  if (hosts !== undefined && !hosts.has(request.header('host') ?? '')) refuseHost()
}

const refuseHost = (): never => refuse('insufficient_authority', 'This service is not served under this host name.')

const LOOPBACK = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/u

/**
 * For surfaces that a desktop runs: where no hosts are listed, a page of another host is refused, and a loopback
 * address is asked for by a loopback name only (DNS rebinding).
 */
export function assertServedHere(service: Service, request: HttpRequest): void {
  assertOrigin(service, request)
  assertHost(service, request)
  if (service.hosts !== undefined) return
  const origin = request.header('origin')
  if (origin !== null && service.origins?.has(origin) !== true && !isLoopback(origin)) refuseHost()
  const isLocal = LOOPBACK.test(request.client) || LOOPBACK_NETWORK.includes(request.client)
  if (isLocal && !isLoopback(`http://${request.header('host') ?? ''}`)) refuseHost()
}

/** `::1` as limits name it: the network of a client, not its address. */
const LOOPBACK_NETWORK = ['::1', '0:0:0:0::/64']

const isLoopback = (address: string): boolean => URL.canParse(address) && LOOPBACK.test(new URL(address).hostname)
