import { failure } from '../../../protocol/failures.js'
import type { CallFacts, TokenFacts } from '../facts/facts.js'
import type { Check } from './check.js'

/**
 * A token that is bound to a capability calls that one only; steps of a composition run under the composed one (section
 * 5.7.6).
 */
export const capabilityBindingMatches: Check<TokenFacts & Pick<CallFacts, 'composedBy'>> = ({
  name,
  token,
  composedBy,
}) => {
  const bound = token.claims.capability
  if (bound === undefined || bound === (composedBy ?? name)) return undefined
  return failure('purpose_mismatch', `The token is bound to the capability ${bound}.`, {
    grantable_by: token.claims.root_principal,
  })
}
