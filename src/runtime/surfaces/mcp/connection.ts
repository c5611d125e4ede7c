import type { RequestStateCodec } from '@modelcontextprotocol/server'
import type { JsonObject } from '../../../protocol/manifest.js'
import type { TraceContext } from '../../../protocol/trace-context.js'
import type { Tool } from '../../../protocol/tools.js'
import type { Token } from '../../auth/token.js'
import type { Service } from '../../service.js'
import type { McpOptions } from './options.js'
import type { Subscriptions } from './subscription-store.js'
import type { Era } from './tool-list.js'

/** Connection of a tool call, or of one HTTP request. */
export interface McpConnection {
  readonly service: Service
  /** Returns the abilities that the client declared when it connected; per request in the modern era. */
  readonly declaredAtFirst: () => object | undefined
  readonly era: Era
  /** By their names. */
  readonly tools: ReadonlyMap<string, Tool>
  readonly options: McpOptions
  readonly states: RequestStateCodec<CallState>
  readonly subscriptions: Subscriptions
  /** Tells sessions apart; undefined for a client without one. */
  readonly session: string | undefined
  /** The delegation token of the caller; read again at each call. */
  readonly bearer: () => Promise<string>
  readonly client: string
  /** The token behind the bearer, where it was read a moment ago for this very message. */
  readonly token: Token | undefined
  /** Trace context in the headers of the request, used if the message has none. */
  readonly trace: TraceContext | undefined
}

/** State that a waiting call leaves with the client: signed ids, useless to anyone else. */
export interface CallState {
  /** The tool, and a digest of who calls. */
  readonly tool: string
  readonly caller: string
  /** Answers to questions of the handler so far, and how often it has asked. */
  readonly answers?: JsonObject
  readonly asked?: number
  /** Inputs that the person has typed; there once they were asked for. */
  readonly clarified?: JsonObject
  /** The approval request, how often it was waited for, and the Idempotency-Key of the continuation. */
  readonly request?: string
  readonly round?: number
  readonly key?: string
  /** Rounds of waiting for an account that the person connects. */
  readonly connecting?: number
}
