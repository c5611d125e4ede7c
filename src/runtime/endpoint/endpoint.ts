import type { Json } from '../../protocol/manifest.js'
import type { TraceContext } from '../../protocol/trace-context.js'
import type { Document } from '../keys/published-documents.js'
import type { Token } from '../auth/token.js'
import type { Service } from '../service.js'
import type { Conversation } from './conversation.js'

/** A request to the service, whatever brought it: HTTP is one thin caller among others. */
export interface Call {
  /** The `Authorization` header, or its like. */
  readonly authorization: string | null
  /** The delegation token in it, where a surface has read it a moment ago for this very request. */
  readonly token?: Token
  /** The segments of the path, by name. */
  readonly segments: { readonly [name: string]: string }
  readonly query: URLSearchParams
  readonly idempotencyKey: string | null
  /** The id of the last event that somebody has seen who follows a stream again. */
  readonly lastEventId?: string | null
  /** Trace context of the caller. */
  readonly trace?: TraceContext | undefined
  /** Address of the client, for limits on guessing. */
  readonly client: string
  /** Known facts about the caller: its disclosure level, the account charged for its body, its reference. */
  readonly caller: {
    class?: string
    principal?: string
    tokenId?: string
    /** Token ids, root first. */
    chain?: readonly string[]
    reference?: string | undefined
    /** Part of an invocation that is read: until its body is, it is none, and has no id (decisions, section 21). */
    reads?: 'body' | 'headers'
  }
  /** Conversation with the caller of an invocation, where the surface can have one. */
  readonly conversation?: Conversation | undefined
  /** Says what is done when the answer has left, or nobody takes it: for a surface that can tell. */
  readonly whenLeft?: (act: () => void) => void
  /** Reads and parses the body; asked only once the caller is known. Undefined when it is empty. */
  body(): Promise<Json | undefined>
}

/** Response of an endpoint: a value, a text that is JSON already, a document, a signed note, or a stream of events. */
export type EndpointAnswer =
  | { readonly status: number; readonly value: object; readonly maxAge?: number }
  | {
      readonly status: number
      readonly text: string
      readonly replayed: true | undefined
      /** s */
      readonly retryAfter: number | undefined
    }
  | { readonly document: Document }
  | { readonly note: string }
  /** Prometheus' text format. */
  | { readonly metrics: string }
  | { readonly events: ReadableStream<Uint8Array> }

export type Endpoint = (service: Service, call: Call) => Promise<EndpointAnswer>

export const ok = (value: object): EndpointAnswer => ({ status: 200, value })
