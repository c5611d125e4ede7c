import { DELEGATION_TYPE } from '../../protocol/token.js'
import { refuse } from '../errors/refusal.js'

/**
 * The one accepted form: `Bearer` in any case, blanks (RFC 9110, section 11.4), a credential of up to 12 KiB. Two
 * headers arrive comma-joined and fail here.
 */
const BEARER = /^Bearer +([\w.~+/=-]+)$/iu
const MOST = 12_288

/** The credential of an `Authorization` header (section 5.2). */
export function bearerOf(header: string | null): string {
  if (header === null)
    return refuse('authentication_required', 'Send a credential as Authorization: Bearer <credential>.')
  const credential = BEARER.exec(header)?.[1]
  if (credential !== undefined && credential.length <= MOST) return credential
  return refuse('authentication_required', 'The Authorization header must be: Bearer <credential>.')
}

/**
 * Holds for a credential that claims to be a delegation JWT. The `typ` alone decides who verifies it: a credential is
 * never tried both ways.
 */
export function claimsToBeDelegation(bearer: string): boolean {
  const first = bearer.indexOf('.')
  const second = bearer.indexOf('.', first + 1)
  if (first === -1 || second === -1 || bearer.includes('.', second + 1)) return false
  const header = bearer.slice(0, first)
  if (header !== latest.header)
    latest = { header, isDelegation: Buffer.from(header, 'base64url').toString('latin1').includes(DELEGATION_TYPE) }
  return latest.isDelegation
}

/** All tokens of one signing key have the same header. */
let latest = { header: '', isDelegation: false }
