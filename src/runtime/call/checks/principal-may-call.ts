import { failure } from '../../../protocol/failures.js'
import { classOf } from '../../../protocol/principals.js'
import type { TokenFacts } from '../facts/facts.js'
import type { Check } from './check.js'

/**
 * Requires, for a restricted class of principals, a root token held by its root principal of that class (section
 * 5.9). It stands before the scope, and counts for steps, too: no other token could help (decisions, section 21).
 */
export const principalMayCall: Check<TokenFacts> = ({ capability, steps = [], token: { claims, record } }) => {
  const isDirect = record.depth === 0 && claims.sub === claims.root_principal
  const classes = [capability, ...steps]
    .map(({ requires_principal }) => requires_principal)
    .find((each) => each !== undefined && !(isDirect && each.includes(classOf(claims.sub))))
  if (classes === undefined) return undefined
  return failure(
    'non_delegable_action',
    `Only a ${classes.join(' or ')} principal itself may invoke this capability.`,
    {
      grantable_by: claims.root_principal,
    },
  )
}
