import { parsedAddress } from './address.js'
import type { Principal } from './principals.js'

/**
 * A name without what people do not tell apart: letters in lower case and composed, the domain of an address as ASCII.
 * It only refuses and ends: who has the same fold is taken for the same person where that takes something away, and is
 * given nothing (decisions, section 20).
 *
 * @example foldOf('human:Ana@MÜNCHEN.example') // 'human:ana@xn--mnchen-3ya.example'
 */
export function foldOf(name: string): string {
  const folded = name.normalize('NFC').toLowerCase().normalize('NFC')
  const at = folded.lastIndexOf('@')
  return at === -1 ? folded : folded.slice(0, at + 1) + asciiDomain(folded.slice(at + 1))
}

const asciiDomain = (domain: string): string =>
  (/^[^/:?#\\[\]%]+$/u.test(domain) ? parsedAddress(`http://${domain}`)?.hostname : undefined) ?? domain

/** Holds where one of some people has a name of others, whichever way it is written. */
export function isAnyOf(some: readonly Principal[], others: readonly Principal[]): boolean {
  const folds = new Set(others.map(foldOf))
  return some.some((each) => folds.has(foldOf(each)))
}
