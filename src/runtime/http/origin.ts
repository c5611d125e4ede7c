import { refuse } from '../errors/refusal.js'
import type { Service } from '../service.js'
import type { HttpRequest } from './exchange.js'
import { isLoopback, isLoopbackClient, isLoopbackHost } from '../net/loopback.js'

type Served = Pick<Service, 'hosts' | 'origins'>

/** Requires a page's origin to be a listed host or an allowed origin, if hosts are listed. */
export function assertOrigin({ hosts, origins }: Served, request: HttpRequest): void {
  const origin = request.header('origin')
  if (hosts === undefined || origin === null || origins?.has(origin) === true) return
  if (!URL.canParse(origin) || !hosts.has(new URL(origin).host)) refuseHost()
}

/** Requires a request to be for a listed host, if hosts are listed. */
export function assertHost({ hosts }: Served, request: HttpRequest): void {
  if (hosts !== undefined && !hosts.has(request.header('host') ?? '')) refuseHost()
}

const refuseHost = (): never => refuse('insufficient_authority', 'This service is not served under this host name.')

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
  if (isLoopbackClient(request.client) && !isLoopbackHost(request.header('host') ?? '')) refuseHost()
}
