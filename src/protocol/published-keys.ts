import type { KeyRole } from './words.js'

/** What a key is for, as the signed manifest says it; a JWKS does not tell (decisions, section 14: Roles of keys). */
export interface PublishedKey {
  readonly role: KeyRole
  /** RFC 3339: nothing that is dated later is signed by it. */
  readonly retired_from?: string
}

/** `service_identity.x-keys`: kid -> what the key is for. */
export type PublishedKeys = { readonly [kid: string]: PublishedKey }
