/**
 * A JSON-RPC request as the call that an endpoint takes, and the endpoint's answer as JSON text (decisions, section 8).
 */
import { isRecord } from '../../crypto/json/kinds.js'
import { ENDPOINTS, type EndpointRow, type Operation } from '../../protocol/endpoints.js'
import { discoveryOf, operationsOf } from '../../protocol/discovery.js'
import type { Json, JsonObject, Manifest } from '../../protocol/manifest.js'
import type { Call } from '../endpoint/endpoint.js'
import { traceContextOf } from '../../protocol/trace-context.js'
import { STDIO_CLIENT } from '../net/loopback.js'
import { member, membersOf } from '../request/members.js'
import { refuse } from '../errors/refusal.js'

/** Method -> operation, for what this service does over stdio. */
export const methodsOf = (manifest: Manifest): ReadonlyMap<string, Operation> =>
  new Map(
    operationsOf(manifest).flatMap((operation) => {
      const { rpc }: EndpointRow = ENDPOINTS[operation]
      return rpc === undefined ? [] : [[rpc, operation] as const]
    }),
  )

/** Discovery as it is true here: each operation leads to its method, not to a path that nobody serves. */
export function discoveryOverStdio(manifest: Manifest): object {
  const { svc_discovery } = discoveryOf(manifest)
  const endpoints = Object.fromEntries(
    [...methodsOf(manifest)].flatMap(([method, operation]) => {
      const { key }: EndpointRow = ENDPOINTS[operation]
      return key === undefined ? [] : [[key, method] as const]
    }),
  )
  return { svc_discovery: { ...svc_discovery, endpoints } }
}

/**
 * `params` are the members of the HTTP body, its query, the segments of its path, and `auth`, `idempotency_key`,
 * `traceparent` and `tracestate` beside them.
 */
export function callOf(operation: Operation, params: JsonObject): Call {
  const { auth, idempotency_key, traceparent, tracestate, ...rest } = params
  const names = [...ENDPOINTS[operation].path.matchAll(/\{(\w+)\}/gu)].map(([, name]) => name!)
  const segments = Object.fromEntries(names.map((name) => [name, segmentIn(rest, name)]))
  const given = Object.fromEntries(Object.entries(rest).filter(([name]) => !names.includes(name)))
  const isAsked = ENDPOINTS[operation].method === 'GET' || operation === 'audit'
  return {
    authorization: authorizationIn(auth),
    segments,
    query: isAsked ? queryOf(given) : new URLSearchParams(),
    idempotencyKey: textIn(idempotency_key, 'idempotency_key'),
    trace: traceContextOf(traceparent, tracestate),
    client: STDIO_CLIENT,
    caller: {},
    body: async () => (isAsked ? undefined : given),
  }
}

/**
 * An absent capability names none, as an empty path segment does; it is refused as an unknown one, once the caller is
 * known.
 */
function segmentIn(params: JsonObject, name: string): string {
  const value = member(params, name)
  return typeof value === 'string' ? value : ''
}

function authorizationIn(auth: Json | undefined): string | null {
  if (auth === undefined || auth === null) return null
  const bearer = isRecord(auth) ? member(membersOf(auth, ['bearer']), 'bearer') : auth
  if (bearer === undefined) return null
  return typeof bearer === 'string' && isRecord(auth)
    ? `Bearer ${bearer}`
    : refuse('invalid_parameters', 'The member auth must be an object whose bearer is a credential.')
}

function textIn(value: Json | undefined, name: string): string | null {
  if (value === undefined || value === null) return null
  return typeof value === 'string' ? value : refuse('invalid_parameters', `The member ${name} must be a string.`)
}

function queryOf(given: JsonObject): URLSearchParams {
  const entries = Object.entries(given).filter(([, value]) => value !== null)
  return new URLSearchParams(
    entries.map(([name, value]): [string, string] =>
      typeof value === 'object'
        ? refuse('invalid_parameters', `The member ${name} must be a string, a number, true or false.`)
        : [name, String(value)],
    ),
  )
}
