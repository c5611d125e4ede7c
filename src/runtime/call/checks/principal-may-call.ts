import { failure } from '../../../protocol/failures.js'
import { classOf } from '../../../protocol/principals.js'
import type { TokenFacts } from '../facts/facts.js'
import type { Check } from './check.js'

/**
 * Requires, for a restricted class of principals, a root token held by its root principal of that class (section
 * 5.9).
 */
export const principalMayCall: Check<TokenFacts> = ({ capability, token: { claims, record } }) => {
  const classes = capability.requires_principal
  if (classes === undefined) return undefined
  const isDirect = record.depth === 0 && claims.sub === claims.root_principal
  if (isDirect && classes.includes(classOf(claims.sub))) return undefined
  return failure(
    'non_delegable_action',
    `Only a ${classes.join(' or ')} principal itself may invoke this capability.`,
    {
      grantable_by: claims.root_principal,
    },
  )
}
