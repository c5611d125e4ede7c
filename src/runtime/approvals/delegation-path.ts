import type { TokenChain } from '../../protocol/token.js'

/**
 * Holds for tokens that were handed on by the same names, none of which was taken away: a subject is a name, not a
 * proof, and whoever may delegate can name a sibling (docs/decisions/who-may-name-whom.md).
 */
export const isSamePath = (asked: TokenChain, now: TokenChain): boolean =>
  asked.every(({ revoked_at }) => revoked_at === undefined) && isSameList(subjectsOf(asked), subjectsOf(now))

/** The subjects of a chain, root first. */
export const subjectsOf = (chain: TokenChain): readonly string[] => chain.map(({ claims }) => claims.sub)

export const isSameList = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((each, index) => each === other[index])
