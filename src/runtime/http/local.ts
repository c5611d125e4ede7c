/** Judges who asks by this machine: a proxy on it makes every client look like one (decisions, section 20). */
import { isLoopbackClient, isLoopbackHost } from '../net/loopback.js'
import type { HttpRequest } from './exchange.js'

/** Headers that a proxy adds: the peer is then not the client. */
const FORWARDED = [
  'cdn-loop',
  'cf-connecting-ip',
  'client-ip',
  'fastly-client-ip',
  'fly-client-ip',
  'forwarded',
  'true-client-ip',
  'via',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-envoy-external-address',
  'x-forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-forwarded-scheme',
  'x-forwarded-server',
  'x-forwarded-ssl',
  'x-original-forwarded-for',
  'x-original-host',
  'x-real-ip',
] as const

/** Holds when a program on this very machine asks, by a loopback name, with nothing between. */
export const isLocal = (request: HttpRequest): boolean =>
  isLoopbackClient(request.client) &&
  isLoopbackHost(request.header('host') ?? '') &&
  FORWARDED.every((name) => request.header(name) === null)

/** Returns the address of a caller for limits and credentials: a proxy of this machine is not this machine. */
export const callerAddress = (request: HttpRequest): string =>
  isLocal(request) || !isLoopbackClient(request.client) ? request.client : `${request.client} by a proxy`
