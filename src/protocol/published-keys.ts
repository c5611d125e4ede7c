import type { KeyRole } from './words.js'

/** Purpose of a key, by the signed manifest; a JWKS does not state it (decisions, section 14: Roles of keys). */
export interface PublishedKey {
  readonly role: KeyRole
  /** RFC 3339: nothing that is dated later is signed by it. */
  readonly retired_from?: string
  /** Of an audit key that has leaked: the last checkpoint that counts by its signature. */
  readonly until_checkpoint?: LastCheckpoint
}

/** Identity of a checkpoint: its sequence, size and root. */
export interface LastCheckpoint {
  readonly sequence: number
  readonly entry_count: number
  readonly merkle_root: string
}

/** `service_identity.x-keys`: kid -> what the key is for. */
export type PublishedKeys = { readonly [kid: string]: PublishedKey }
