import { parsedAddress } from './address.js'
import type { Principal } from './principals.js'

/**
 * A name without what people do not tell apart: letters in lower case and composed, whatever their width and form,
 * without what is not seen; the domain of an address as ASCII, without the dot of the root.
 * It only refuses and ends: who has the same fold is taken for the same person where that takes something away, and is
 * given nothing (decisions, section 20).
 *
 * @example foldOf('human:Ana@MÜNCHEN.example') // 'human:ana@xn--mnchen-3ya.example'
 */
export function foldOf(name: string): string {
  const seen = name.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '')
  const at = seen.lastIndexOf('@')
  // The domain before its letters: what DNS tells apart, such as ß and ss, is one spelling of ASCII.
  return caseless(at === -1 ? seen : seen.slice(0, at + 1) + asciiDomain(seen.slice(at + 1).toLowerCase()))
}

/** A text without the case of its letters; one folding may leave a letter that folds again (ẞ, ß, ss). */
function caseless(text: string, again = 3): string {
  const folded = text
    .toUpperCase()
    .toLowerCase()
    .replace(/i\u0307+/gu, 'i')
    .normalize('NFKC')
  return folded === text || again === 0 ? folded : caseless(folded, again - 1)
}

/**
 * Folds of a name as earlier versions wrote them down, in blocks. They only refuse, too: a block that was in force stays
 * in force, whatever the fold is now.
 */
export function formerFolds(name: string): readonly string[] {
  const first = name.normalize('NFC').toLowerCase().normalize('NFC')
  const seen = name.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '')
  const second = seen.toUpperCase().toLowerCase().normalize('NFKC')
  return [withDomain(first, hostOf), withDomain(second, asciiDomain)]
}

function withDomain(name: string, domainOf: (domain: string) => string): string {
  const at = name.lastIndexOf('@')
  return at === -1 ? name : name.slice(0, at + 1) + domainOf(name.slice(at + 1))
}

/** The domain of an address in the form of DNS, without the dot of the root. */
export const asciiDomain = (domain: string): string => withoutRoot(hostOf(domain))

const hostOf = (domain: string): string =>
  (/^[^/:?#\\[\]%]+$/u.test(domain) ? parsedAddress(`http://${domain}`)?.hostname : undefined) ?? domain

const withoutRoot = (domain: string): string => domain.replace(/\.$/u, '')

/** Holds where one of some people has a name of others, whichever way it is written. */
export function isAnyOf(some: readonly Principal[], others: readonly Principal[]): boolean {
  const folds = new Set(others.map(foldOf))
  return some.some((each) => folds.has(foldOf(each)))
}
