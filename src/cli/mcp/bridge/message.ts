/** Messages of JSON-RPC 2.0, as the bridge reads and makes them. */
import { parseStrictJson } from '../../../crypto/json/strict-json.js'

export type McpMessageId = string | number

export interface McpMessage {
  readonly jsonrpc: '2.0'
  readonly id?: McpMessageId
  readonly method?: string
  readonly params?: { readonly [name: string]: unknown }
  readonly result?: unknown
  readonly error?: unknown
}

/** Codes of the specification; the last one is the first that is free for servers. */
export const ERROR_CODES = { parse: -32_700, request: -32_600, failed: -32_000 } as const

/** The message in a text, or why there is none: what two parsers could read differently, and batches, are not taken. */
export function messageIn(text: Uint8Array | string): McpMessage | string {
  const parsed = parseStrictJson(text, { maxMembers: MOST_MEMBERS })
  if (!parsed.ok) return parsed.reason
  const { value } = parsed
  return isMembers(value) && value['jsonrpc'] === '2.0' && isWellFormed(value)
    ? (value as object as McpMessage)
    : 'A message is one object of JSON-RPC 2.0; batches are not taken.'
}

const MOST_MEMBERS = 1_000_000

const isWellFormed = ({ id, method, params }: { readonly [name: string]: unknown }): boolean =>
  (id === undefined || typeof id === 'string' || typeof id === 'number') &&
  (method === undefined ? id !== undefined : typeof method === 'string') &&
  (params === undefined || isMembers(params))

export const isMembers = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An error as the answer to a request, or to what was none. */
export const errorMessage = (
  id: McpMessageId | null,
  code: (typeof ERROR_CODES)[keyof typeof ERROR_CODES],
  message: string,
  data?: object,
) => ({ jsonrpc: '2.0' as const, id, error: { code, message, ...(data !== undefined && { data }) } })
