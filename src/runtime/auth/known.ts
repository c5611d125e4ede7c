import type { Identity } from '../definition.js'

/** Whose a bootstrap credential is, and by which API key, where it is one. */
export interface Known extends Identity {
  readonly apiKey?: string
}

/** Asks a bootstrap credential's owner, or undefined if nobody knows it. */
export type Bootstrap = (bearer: string) => Promise<Known | undefined>
