import { DELEGATION_TYPE } from '../../protocol/token.js'
import { refuse } from '../refusal.js'

/** The one accepted form: `Bearer`, one blank, a credential of up to 12 KiB. Two headers arrive comma-joined and fail here. */
const BEARER = /^Bearer ([\w.~+/=-]{1,12288})$/u

/** The credential of an `Authorization` header (section 5.2). */
export function bearerOf(header: string | null): string {
  if (header === null)
    return refuse('authentication_required', 'Send a credential as Authorization: Bearer <credential>.')
  const match = BEARER.exec(header)
  return (
    match?.[1] ?? refuse('authentication_required', 'The Authorization header must be exactly: Bearer <credential>.')
  )
}

/**
 * Holds for a credential that claims to be a delegation JWT. The `typ` alone decides who verifies it: a credential is never
 * tried both ways.
 */
export function claimsToBeDelegation(bearer: string): boolean {
  const [header, ...rest] = bearer.split('.')
  if (header === undefined || rest.length !== 2) return false
  return Buffer.from(header, 'base64url').toString('latin1').includes(DELEGATION_TYPE)
}
