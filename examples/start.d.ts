/** A built copy of an example, with keys of its own. */
export interface Prepared {
  readonly folder: string
  readonly credentials: { readonly [variable: string]: string }
  remove(): void
}

export function prepare(name: string, main?: string): Prepared

/** A running example. */
export interface Example {
  readonly folder: string
  readonly url: string
  readonly credentials: { readonly [variable: string]: string }
  readonly createClient: (options: { readonly baseUrl: string; readonly credential: string }) => never
  stop(): Promise<void>
}

export function start(name: string, env?: { readonly [variable: string]: string }, main?: string): Promise<Example>

export function knowWithoutDev(folder: string): void
