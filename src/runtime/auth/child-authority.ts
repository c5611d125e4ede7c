import type { Limits } from '../../protocol/manifest.js'
import { minorUnits } from '../../protocol/money.js'
import type { Budget, DelegationClaims, TokenRecord, TokenRequest } from '../../protocol/token.js'
import { present } from '../json/present.js'
import { refuse } from '../errors/refusal.js'
import { childSubject, type Authority } from './authority.js'
import { expiryOf } from './expiry.js'
import { purposeWith } from './purpose.js'

/**
 * The authority of a child token: never more than its parent's in scope, binding, purpose, budget, class, session,
 * concurrency, depth or expiry (section 4.4). What is not asked for is inherited. `now` in s.
 */
export function childAuthority(limits: Limits, parent: TokenRecord, request: TokenRequest, now: number): Authority {
  const { claims } = parent
  return present({
    sub: childSubject(limits, claims, request.subject),
    root_principal: claims.root_principal,
    parent_token_id: claims.jti,
    scope: scopeWithin(claims, request),
    capability: sameOrInherited(claims.capability, request.capability, 'capability') ?? request.capability,
    purpose: purposeWith(claims.purpose.parameters, request.purpose_parameters),
    constraints: present({
      budget: budgetWithin(claims.constraints.budget, request.budget),
      max_delegation_depth: depthWithin(parent, request),
      concurrent_branches:
        claims.constraints.concurrent_branches === 'exclusive'
          ? 'exclusive'
          : (request.concurrent_branches ?? 'allowed'),
    } as const),
    caller_class: noneOrInherited(claims.caller_class, request.caller_class, 'caller_class'),
    session_id: noneOrInherited(claims.session_id, request.session_id, 'session_id'),
    exp: Math.min(claims.exp, expiryOf(limits, request, now)),
  })
}

function scopeWithin(parent: DelegationClaims, { scope }: TokenRequest): readonly string[] {
  const excess = scope.filter((each) => !parent.scope.includes(each))
  if (excess.length === 0) return scope
  return refuse('scope_escalation', `The parent token lacks ${excess.join(', ')}.`)
}

/** Returns the parent's binding; refuses a request for another one. */
function sameOrInherited(bound: string | undefined, asked: string | undefined, name: string): string | undefined {
  if (bound === undefined || asked === undefined || bound === asked) return bound
  return refuse('scope_escalation', `The member ${name} may not differ from that of the parent token.`)
}

/** Like `sameOrInherited`, for what only a root token may set. */
function noneOrInherited(inherited: string | undefined, asked: string | undefined, name: string): string | undefined {
  if (asked === undefined || asked === inherited) return inherited
  return refuse('scope_escalation', `The member ${name} is set on the root token and inherited.`)
}

function budgetWithin(parent: Budget | undefined, asked: Budget | undefined): Budget | undefined {
  if (parent === undefined || asked === undefined) return asked ?? parent
  if (asked.currency !== parent.currency)
    return refuse('budget_currency_mismatch', `The budget of the parent token is in ${parent.currency}.`)
  if (unitsOf(asked) > unitsOf(parent))
    return refuse('budget_exceeded', `The budget of the parent token is ${parent.max_amount} ${parent.currency}.`)
  return parent.mode === 'cumulative' ? { ...asked, mode: 'cumulative' } : asked
}

/** Minor units of a budget, whose amount was checked when it was read. */
const unitsOf = ({ currency, max_amount }: Budget): bigint => minorUnits({ currency, amount: max_amount })!

/** The depth that a child may still delegate to, if its own place in the chain is within the parent's. */
function depthWithin({ claims, depth }: TokenRecord, { max_delegation_depth: asked }: TokenRequest): number {
  const most = claims.constraints.max_delegation_depth
  const allowed = asked ?? most
  if (depth + 1 > most)
    return refuse('delegation_depth_exceeded', `The parent token allows a delegation depth of ${most}.`)
  if (allowed > most || allowed < depth + 1)
    return refuse(
      'delegation_depth_exceeded',
      `The member max_delegation_depth must be between ${depth + 1} and ${most}.`,
    )
  return allowed
}
