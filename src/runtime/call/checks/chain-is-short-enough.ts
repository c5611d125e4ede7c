import { failure } from '../../../protocol/failures.js'
import type { TokenFacts } from '../facts/facts.js'
import type { Check } from './check.js'

/** The token's place in its chain is within the depth that each of its ancestors allows (section 8). */
export const chainIsShortEnough: Check<TokenFacts> = ({ token: { chain, record } }) => {
  const most = Math.min(...chain.map((link) => link.claims.constraints.max_delegation_depth))
  if (record.depth <= most) return undefined
  return failure('delegation_depth_exceeded', `The token is at depth ${record.depth}; its chain allows ${most}.`)
}
