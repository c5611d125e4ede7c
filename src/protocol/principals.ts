import { PRINCIPAL_CLASSES, type PrincipalClass } from './words.js'

/** A principal string: `<class>:<identifier>` (section 2.11). */
export type Principal = `${PrincipalClass}:${string}`

const PRINCIPAL = new RegExp(`^(?:${PRINCIPAL_CLASSES.join('|')}):[\\x21-\\x7e\\u00a1-\\uffff]{1,256}$`, 'u')

/** Holds for a principal string with a known class and 1 to 256 visible characters after it. */
export const isPrincipal = (value: unknown): value is Principal =>
  typeof value === 'string' && PRINCIPAL.test(value) && !/[\p{C}\p{Z}]/u.test(value)

/** The class of a principal, which a capability may require (section 5.9). */
export const classOf = (principal: Principal): PrincipalClass =>
  principal.slice(0, principal.indexOf(':')) as PrincipalClass
