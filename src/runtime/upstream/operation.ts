import type { BodyKind, ParameterPlace, ParameterStyle } from '../../protocol/upstream-requests.js'

/** Alternatives of credentials by name; those of one alternative go together. */
export type HttpSecurity = readonly (readonly string[])[]

/** One operation of a service behind this one, as `svc import openapi` writes it beside its handler. */
export interface HttpOperation {
  /** In capitals. */
  readonly method: string
  /** Below the address of the service, with `{name}` for each input in the path. */
  readonly path: string
  /** What is always asked for after `?`, encoded. */
  readonly query?: string
  /** Input -> where it goes. */
  readonly inputs: { readonly [input: string]: HttpInput }
  /** How the body is written; left out where no input is part of one. */
  readonly body?: HttpBody
  /** `Accept`; `application/json` by default. */
  readonly accept?: string
  readonly output: HttpOutput
  /** Status, or `2XX`, -> the media types of its answers; none where it answers without a body. */
  readonly answers?: { readonly [status: string]: readonly string[] }
  /** The credentials that it demands, where they are others than usual; none of them where it is empty. */
  readonly security?: HttpSecurity
}

export interface HttpInput {
  readonly in: ParameterPlace | 'query-string' | 'body' | 'whole-body'
  /** What the service behind calls it. */
  readonly name: string
  /** How several values are written; the default of its place otherwise. */
  readonly style?: ParameterStyle
  readonly explode?: boolean
  /** Written as JSON text, whatever it holds. */
  readonly json?: true
  /** Written with the reserved characters that end nothing in a query. */
  readonly reserved?: true
  /** A file in base64, and its media type. */
  readonly file?: string
}

export interface HttpBody {
  /** `Content-Type`; that of a multipart body gets its boundary. */
  readonly type: string
  readonly as: BodyKind
  /** Sent even where no part of it is given. */
  readonly required?: true
}

/**
 * What becomes of the answer: its members as fields, the list as `items`, any value as `value`, or its status alone.
 */
export type HttpOutput =
  | {
      readonly members: readonly string[]
      /** Field -> what the service behind calls it. */
      readonly renamed?: { readonly [field: string]: string }
    }
  | {
      readonly as: 'items' | 'value' | 'status'
      /** The value is a text: one that comes as a text, and not as JSON, is taken as it is. */
      readonly text?: true
      /** `Location` beside the status. */
      readonly location?: true
    }
