import { refuse } from '../errors/refusal.js'
import type { Service } from '../service.js'
import type { HttpRequest } from './exchange.js'
import { comparableHost } from '../net/host.js'
import { isLoopback, isLoopbackClient, isLoopbackHost } from '../net/loopback.js'

type Served = Pick<Service, 'hosts' | 'origins' | 'site'>

/** Requires a page's origin to be of a listed host, the service's own or an allowed one, if hosts are listed. */
export function assertOrigin(service: Served, request: HttpRequest): void {
  const origin = request.header('origin')
  if (service.hosts === undefined || origin === null || isKnownOrigin(service, origin)) return
  if (!URL.canParse(origin) || !isServed(service, new URL(origin).host)) refuseOrigin(origin)
}

/** Requires a request to be for a listed host or that of the public address, if hosts are listed. */
export function assertHost(service: Served, request: HttpRequest): void {
  const host = request.header('host') ?? ''
  if (service.hosts !== undefined && !isServed(service, host)) refuseHost(host)
}

const isKnownOrigin = ({ origins, site }: Served, origin: string): boolean =>
  origins?.has(origin) === true || origin === site.origin

const isServed = ({ hosts, site }: Served, given: string): boolean => {
  const host = comparableHost(given)
  return host !== undefined && (hosts?.has(host) === true || host === site.host)
}

const refuseHost = (host: string): never =>
  refuse(
    'insufficient_authority',
    `This service is not served under the host name ${shown(host)}. Set SVC_PUBLIC_URL to its address, ` +
      'or add the name to hosts.',
  )

const refuseOrigin = (origin: string): never =>
  refuse(
    'insufficient_authority',
    `A page of ${shown(origin)} may not send requests to this service. Add its origin to origins.`,
  )

const LONGEST_SHOWN = 100
const shown = (text: string): string => JSON.stringify(text.slice(0, LONGEST_SHOWN))

/**
 * For surfaces that a desktop runs: where no hosts are listed, a page of another host is refused, and a loopback
 * address is asked for by a loopback name or that of the public address only (DNS rebinding).
 */
export function assertServedHere(service: Served, request: HttpRequest): void {
  assertOrigin(service, request)
  assertHost(service, request)
  if (service.hosts !== undefined) return
  const origin = request.header('origin')
  const host = request.header('host') ?? ''
  if (origin !== null && !isKnownOrigin(service, origin) && !isLoopback(origin)) refuseOrigin(origin)
  if (isLoopbackClient(request.client) && !isLoopbackHost(host) && !isServed(service, host)) refuseHost(host)
}
