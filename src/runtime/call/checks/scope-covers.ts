import { failure } from '../../../protocol/failures.js'
import type { TokenFacts } from '../facts/facts.js'
import type { Check } from './check.js'

/** The token carries every scope of the capability, compared as exact strings (section 5.7.5). */
export const scopeCovers: Check<TokenFacts> = ({ token, capability }) => {
  const missing = capability.minimum_scope.filter((scope) => !token.claims.scope.includes(scope))
  if (missing.length === 0) return undefined
  return failure('scope_insufficient', `The token lacks ${missing.join(', ')}.`, {
    requires: missing.join(', '),
    grantable_by: token.claims.root_principal,
  })
}
