import type { KeyRole } from './words.js'

/** What a key is for, as the signed manifest says it; a JWKS does not tell (decisions, section 14: Roles of keys). */
export interface PublishedKey {
  readonly role: KeyRole
  /** RFC 3339: nothing that is dated later is signed by it. */
  readonly retired_from?: string
  /** Of an audit key that has leaked: the last checkpoint that counts by its signature. */
  readonly until_checkpoint?: LastCheckpoint
}

/** What tells a checkpoint from all others: its place, its size and its root. */
export interface LastCheckpoint {
  readonly sequence: number
  readonly entry_count: number
  readonly merkle_root: string
}

/** `service_identity.x-keys`: kid -> what the key is for. */
export type PublishedKeys = { readonly [kid: string]: PublishedKey }
