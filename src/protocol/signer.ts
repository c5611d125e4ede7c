/** The messages between a service and the process that holds its keys (`svc signer`; docs/guides/signer.md). */
import type { KeyRole } from './words.js'

/** Endpoints of a signer: HTTP/1.1 with JSON, over a unix socket or mutual TLS. */
export const SIGNER_PATHS = { keys: '/keys', sign: '/sign', secrets: '/secrets' } as const

/** A signature that a service asks for. */
export interface SignRequest {
  readonly kid: string
  /** Role that the key must have. */
  readonly use: KeyRole
  /** The bytes to sign, as base64url: the input of a JWS, or the text of a note. */
  readonly bytes: string
}

/** r and s, 64 bytes, as base64url. */
export interface SignResponse {
  readonly signature: string
}

/** Reason why nothing was signed. */
export interface SignerRefusal {
  readonly error: string
}
