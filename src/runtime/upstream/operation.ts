/** One operation of a service behind this one, as `svc import openapi` writes it beside its handler. */
export interface HttpOperation {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
  /** Below the address of the service, with `{name}` for each input in the path. */
  readonly path: string
  /** Input -> where it goes. */
  readonly inputs: { readonly [input: string]: HttpInput }
  /** How the body is written; JSON unless it says otherwise. */
  readonly form?: true
  readonly output: HttpOutput
}

export interface HttpInput {
  readonly in: 'path' | 'query' | 'header' | 'body' | 'whole-body'
  /** What the service behind calls it. */
  readonly name: string
  /** Several values as one, with commas between; one parameter for each otherwise. */
  readonly joined?: true
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
  | { readonly as: 'items' | 'value' | 'status' }
