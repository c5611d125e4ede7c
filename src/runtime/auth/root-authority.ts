import { tierScopes } from '../../protocol/approver-scopes.js'
import type { Manifest } from '../../protocol/manifest.js'
import type { TokenRequest } from '../../protocol/token.js'
import type { Identity } from '../definition.js'
import { present } from '../json/present.js'
import { refuse } from '../errors/refusal.js'
import { rootSubject, type Authority } from './authority.js'
import { expiryOf } from './expiry.js'
import { purposeWith } from './purpose.js'

/** The authority of a root token: what an identity asks for, if it is entitled to it (section 4.4). `now` in s. */
export function rootAuthority(manifest: Manifest, identity: Identity, request: TokenRequest, now: number): Authority {
  assertEntitled(manifest, identity, request)
  return present({
    sub: rootSubject(identity.principal, request.subject),
    root_principal: identity.principal,
    scope: request.scope,
    capability: request.capability,
    purpose: purposeWith({}, request.purpose_parameters),
    constraints: present({
      budget: request.budget,
      max_delegation_depth: depthWithin(request, manifest.limits.max_delegation_depth),
      concurrent_branches: request.concurrent_branches ?? ('allowed' as const),
    }),
    caller_class: request.caller_class,
    session_id: request.session_id,
    exp: expiryOf(manifest.limits, request, now),
  })
}

/** Refuses what an identity may not have: scopes, a class, a capability that is not there. */
export function assertEntitled(manifest: Manifest, identity: Identity, request: TokenRequest): void {
  const { caller_classes } = identity
  const entitled = rootScopesOf(manifest, identity)
  const excess = request.scope.filter((scope) => !entitled.includes(scope))
  if (excess.length > 0) refuse('scope_escalation', `The credential is not entitled to ${excess.join(', ')}.`)
  if (request.caller_class !== undefined && !caller_classes?.includes(request.caller_class))
    refuse('scope_escalation', `The credential is not entitled to the caller class ${request.caller_class}.`)
  if (request.capability !== undefined && !Object.hasOwn(manifest.capabilities, request.capability))
    refuse('unknown_capability', `There is no capability ${request.capability}.`)
}

/** The scopes that an identity is entitled to. */
export const rootScopesOf = (manifest: Manifest, { scopes }: Identity): readonly string[] =>
  scopes ?? everyMinimumScope(manifest)

/**
 * Returns the rights of an agent that acts for an identity: the same, without approver scopes and roles (decisions,
 * section 21).
 */
export function forActor(manifest: Manifest, { principal, caller_classes, ...rest }: Identity): Identity {
  const scopes = rootScopesOf(manifest, { principal, ...rest }).filter(isOrdinaryIn(manifest))
  return present({ principal, scopes, caller_classes })
}

const minimumScopes = new WeakMap<Manifest, readonly string[]>()

/** Returns the default scopes of a principal: never an approver scope. Computed once for each manifest. */
export function everyMinimumScope(manifest: Manifest): readonly string[] {
  const known = minimumScopes.get(manifest)
  if (known !== undefined) return known
  const scopes = Object.values(manifest.capabilities)
    .flatMap((capability) => capability.minimum_scope)
    .filter(isOrdinaryIn(manifest))
  minimumScopes.set(manifest, scopes)
  return scopes
}

/** Returns a test for scopes that cannot approve: approver scopes must be listed explicitly. */
function isOrdinaryIn({ capabilities, approvals }: Manifest): (scope: string) => boolean {
  const tiers = new Set(tierScopes(capabilities))
  return (scope) => !scope.startsWith('approver:') && scope !== approvals.approver_scope && !tiers.has(scope)
}

/** Reach of an authority: its scopes and its class. */
interface Reach {
  readonly scope: readonly string[]
  readonly caller_class?: string | undefined
}

/**
 * Holds for what stays within an identity's scopes and classes (threat N03). Scopes that no capability has any more are
 * within those of an identity without a list.
 */
export function reachesNoFurther(
  manifest: Manifest,
  { scopes, caller_classes }: Pick<Identity, 'scopes' | 'caller_classes'>,
  { scope, caller_class }: Reach,
): boolean {
  if (caller_class !== undefined && caller_classes?.includes(caller_class) !== true) return false
  return scope.every(scopes === undefined ? isOrdinaryIn(manifest) : (each) => scopes.includes(each))
}

function depthWithin({ max_delegation_depth }: TokenRequest, most: number): number {
  if (max_delegation_depth === undefined || max_delegation_depth <= most) return max_delegation_depth ?? most
  return refuse('delegation_depth_exceeded', `This service allows a delegation depth of ${most} at most.`)
}
