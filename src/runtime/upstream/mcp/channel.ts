import type { JsonObject } from '../../../protocol/manifest.js'
import { markedJson } from './marked.js'

/** A way to an MCP server. */
export interface McpChannel {
  /** Begins a session, in whatever revision the server speaks. */
  readonly begin: (signal: AbortSignal) => Promise<void>
  /**
   * Sends a request and gives its result, in which digits that no number holds are marked (`marked.ts`); rejects with
   * `Unreachable`, or with `RpcError` or `OtherResult` where the server answers with an error or another result.
   */
  readonly ask: (
    method: string,
    params: JsonObject,
    signal: AbortSignal,
    onProgress?: () => void,
  ) => Promise<JsonObject>
  /** Whether it is of no use any more. */
  readonly isClosed: () => boolean
  readonly close: () => void
  /** From now on the process may end without it. */
  readonly release: () => void
  /** The last lines that a process of this machine wrote to its errors. */
  readonly said?: () => string
}

/** The longest message of a server; what is longer ends the connection. */
export const MOST_BYTES = 8 * 1024 * 1024

/** The server is away, or broke off; `sent` says whether it may have read the request. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable'
  readonly sent: boolean

  constructor(message: string, sent: boolean) {
    super(message)
    this.sent = sent
  }
}

/** The server answered with an error of the protocol. Its own text is data, and not the message. */
export class RpcError extends Error {
  override readonly name = 'RpcError'
  readonly code: number
  readonly text: string

  constructor(code: number, text = '') {
    super(`The server answered with the error ${code}.`)
    this.code = code
    this.text = text
  }
}

/** The server answered with what is not the result of the request, such as that it needs input first. */
export class OtherResult extends Error {
  override readonly name = 'OtherResult'
  readonly type: string

  constructor(type: string) {
    super(`The server answered with a result of the type ${type}.`)
    this.type = type
  }
}

/** Errors of JSON-RPC by which a request was not run: it is no JSON, no request, of no method, or has wrong parameters. */
const NOT_RUN = [-32_700, -32_600, -32_601, -32_602]

/** Whether an error says that the request was never run. */
export const saysNotRun = ({ code }: RpcError): boolean => NOT_RUN.includes(code)

interface Message {
  readonly id?: unknown
  readonly method?: unknown
  readonly params?: unknown
  readonly result?: unknown
  readonly error?: unknown
}

/** A message of the server; undefined where it is none. */
export function upstreamMessage(text: string): Message | undefined {
  try {
    const value = markedJson(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Message) : undefined
  } catch {
    return undefined
  }
}

/** Returns true for an answer: a line of a log in JSON may have an `id` and an `error`, too. */
export const isAnswer = ({ method, result, error }: Message): boolean =>
  typeof method !== 'string' && (result !== undefined || typeof error === 'object')

/** The result of an answer. */
export function resultIn({ result, error }: Message): JsonObject {
  if (typeof error === 'object' && error !== null) {
    const { code, message } = error as { readonly code?: unknown; readonly message?: unknown }
    throw new RpcError(typeof code === 'number' ? code : 0, typeof message === 'string' ? message : '')
  }
  if (typeof result !== 'object' || result === null || Array.isArray(result)) throw new RpcError(0)
  const { resultType = 'complete' } = result as JsonObject
  if (resultType !== 'complete') throw new OtherResult(String(resultType))
  return result as JsonObject
}
