import type { Json, JsonObject } from '../../../protocol/manifest.js'
import type { OidcOptions } from './options.js'

/** OpenID Connect Core, section 2. */
const LONGEST_SUBJECT = 255

/**
 * Holds for a text that names somebody; half of a character has no form in a principal, and U+0000 none in a row of
 * PostgreSQL.
 */
export const isSubject = (value: Json | undefined): value is string =>
  typeof value === 'string' &&
  value !== '' &&
  value.length <= LONGEST_SUBJECT &&
  value.isWellFormed() &&
  !value.includes('\0')

/**
 * The claim that names an account for all clients of its provider alike: the subject, unless that is another one for
 * each client (decisions, section 20). Undefined where it is no name.
 */
export function claimedSubject({ subjectClaim = 'sub' }: OidcOptions, claims: JsonObject): string | undefined {
  const subject = Object.hasOwn(claims, subjectClaim) ? claims[subjectClaim] : undefined
  return isSubject(subject) ? subject : undefined
}
