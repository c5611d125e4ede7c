import type { Credential } from '../../protocol/credential.js'
import type { Identity } from '../definition.js'

/** Whose a bootstrap credential is, and which API key or account it is, where that is known. */
export interface Known extends Identity {
  readonly credential?: Credential
}

/** Asks a bootstrap credential's owner, or undefined if nobody knows it. */
export type Bootstrap = (bearer: string) => Promise<Known | undefined>
