/** An HTTP request and its answer, whoever carries them: a Node server, or a `fetch` handler. */
import type { BodyInFlight } from '../request/bodies-in-flight.js'

export interface HttpRequest {
  readonly method: string
  /** Path and query as they were sent, percent-encoded; the path begins with a slash. */
  readonly target: string
  /** Address of the client, for limits on guessing. */
  readonly client: string
  /** The value of a header, by its name in lower case; several of one name are joined by commas, cookies by semicolons. */
  header(name: string): string | null
  /** True once the client has closed the connection. */
  isGone(): boolean
  /** The body; refused when it is longer than `most` bytes, and when there is no room for it. */
  body(most: number, inFlight: BodyInFlight): Promise<Uint8Array>
}

export interface HttpResponse {
  readonly status: number
  /** Name, value, name, value and so on. */
  readonly headers: readonly string[]
  readonly body: string | Uint8Array | ReadableStream<Uint8Array> | null
  /** Root principal of the caller; undefined if unknown. */
  readonly principal?: string | undefined
  /** Ends what the answer holds: called when it has left, or its connection has closed. */
  readonly left?: () => void
}

export type AnswerOverHttp = (request: HttpRequest) => Promise<HttpResponse>
