/** Messages of JSON-RPC 2.0, one a line. */
import { isRecord } from '../../crypto/json/kinds.js'
import { parseStrictJson, type StrictJsonLimits } from '../../crypto/json/strict-json.js'
import { failure, type Failure } from '../../protocol/failures.js'
import type { Json, JsonObject } from '../../protocol/manifest.js'

export type RpcId = string | number | null

export interface RpcRequest {
  /** Absent in a notification, which is not answered. */
  readonly id?: RpcId
  readonly method: string
  readonly params: JsonObject
}

/** Reason why a line is no request, with its id, if it has one. */
export interface RpcTrouble {
  readonly id: RpcId
  readonly code: number
  readonly failure: Failure
}

/** Codes of the specification; a failure of the service itself has the first code that is free for servers. */
export const CODES = { parse: -32_700, request: -32_600, method: -32_601, params: -32_602, failed: -32_000 } as const

export const trouble = (code: keyof typeof CODES, id: RpcId, reason: Failure): RpcTrouble => ({
  id,
  code: CODES[code],
  failure: reason,
})

/** The request in a line, or what is wrong with it. */
export function requestIn(line: Uint8Array, limits: StrictJsonLimits): RpcRequest | RpcTrouble {
  const parsed = parseStrictJson(line, limits)
  if (!parsed.ok) return trouble('parse', null, failure('invalid_parameters', `The line is not JSON: ${parsed.reason}`))
  if (!isRecord(parsed.value)) return malformed(null, 'A message must be one JSON object; batches are not taken.')
  const { jsonrpc, id, method, params = {} } = parsed.value
  const known = isId(id) ? id : null
  if (jsonrpc !== '2.0') return malformed(known, 'The member jsonrpc must be "2.0".')
  if (id !== undefined && !isId(id)) return malformed(null, 'The member id must be a string, a number or null.')
  if (typeof method !== 'string') return malformed(known, 'The member method must be a string.')
  if (!isRecord(params))
    return trouble('params', known, failure('invalid_parameters', 'The member params must be an object.'))
  return { method, params, ...(id !== undefined && { id: known }) }
}

const malformed = (id: RpcId, detail: string): RpcTrouble =>
  trouble('request', id, failure('invalid_parameters', detail))

const isId = (id: Json | undefined): id is RpcId => id === null || typeof id === 'string' || typeof id === 'number'

/** A response whose result is JSON text already. */
export const resultLine = (id: RpcId, result: string): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}\n`

/** A response that says why there is no result; `data` holds the whole failure. */
export const errorLine = (id: RpcId, code: number, reason: Failure, beside: object = {}): string =>
  `${JSON.stringify({ jsonrpc: '2.0', id, error: { code, message: reason.detail, data: { ...reason, ...beside } } })}\n`

export const notificationLine = (method: string, params: object): string =>
  `${JSON.stringify({ jsonrpc: '2.0', method, params })}\n`
