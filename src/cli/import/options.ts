/** What `svc import openapi` is given. */
export interface OpenApiOptions {
  readonly operation: readonly string[]
  readonly tag: readonly string[]
  readonly list: boolean
  readonly into: string
  readonly name?: string
  readonly server?: string
}
