import { PRINCIPAL_CLASSES, type PrincipalClass } from './words.js'

/** A principal string: `<class>:<identifier>` (section 2.11). */
export type Principal = `${PrincipalClass}:${string}`

/** Characters of a principal as it is written; several of them together are indexed in one row of a database. */
export const LONGEST_PRINCIPAL = 1024

/** Characters after the class; one that is percent-encoded as UTF-8 counts as one. */
const MOST_CHARACTERS = 300

const PRINCIPAL = new RegExp(`^(?:${PRINCIPAL_CLASSES.join('|')}):[\\x21-\\x7e\\u00a1-\\uffff]+$`, 'u')
const ENCODED = /%[0-7][\dA-F]|%[C-F][\dA-F](?:%[89AB][\dA-F]){1,3}/gu

/** Holds for a principal string with a known class and 1 to 300 visible characters after it. */
export const isPrincipal = (value: unknown): value is Principal =>
  typeof value === 'string' && value.length <= LONGEST_PRINCIPAL && isShort(value) && isVisible(value)

const isVisible = (value: string): boolean => PRINCIPAL.test(value) && !/[\p{C}\p{Z}]/u.test(value)

const isShort = (value: string): boolean => {
  const identifier = value.slice(value.indexOf(':') + 1)
  return identifier.length <= MOST_CHARACTERS || identifier.replace(ENCODED, '.').length <= MOST_CHARACTERS
}

/** The class of a principal, which a capability may require (section 5.9). */
export const classOf = (principal: Principal): PrincipalClass =>
  principal.slice(0, principal.indexOf(':')) as PrincipalClass
