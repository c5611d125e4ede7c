import { tierScopes } from '../../protocol/approver-scopes.js'
import { approverScope } from '../../protocol/identifiers.js'
import type { Manifest } from '../../protocol/manifest.js'
import type { Principal } from '../../protocol/principals.js'
import type { Identity } from '../definition.js'

/**
 * Caller in a test. A principal alone gets default entitlements: the one named `approver` may approve everything, an
 * `agent:` only what is delegated to it, anyone else has every `minimum_scope` (section 5.4).
 */
export type TestPrincipal = Principal | Identity
export type TestPrincipals = { readonly [name: string]: TestPrincipal }

/** The three of a scaffold. */
export const DEVELOPMENT = {
  developer: 'human:developer@localhost',
  approver: 'human:approver@localhost',
  agent: 'agent:assistant',
} as const satisfies TestPrincipals

export interface Entitled extends Identity {
  readonly scopes: readonly string[]
}

export function entitledAs(manifest: Manifest, name: string, given: TestPrincipal): Entitled {
  const { scopes, ...identity } = typeof given === 'string' ? { principal: given, scopes: undefined } : given
  if (scopes !== undefined) return { ...identity, scopes }
  if (name === 'approver') return { ...identity, scopes: approverScopes(manifest) }
  return { ...identity, scopes: identity.principal.startsWith('agent:') ? [] : minimumScopes(manifest) }
}

/** Every scope that lets approve something of a manifest (section 4.7). */
function approverScopes({ approvals, capabilities }: Manifest): readonly string[] {
  const own = [...Object.keys(capabilities).map(approverScope), ...tierScopes(capabilities)]
  return approvals.approver_scope === undefined ? own : [approvals.approver_scope, ...own]
}

function minimumScopes({ approvals, capabilities }: Manifest): readonly string[] {
  const every = new Set(Object.values(capabilities).flatMap(({ minimum_scope }) => minimum_scope))
  return [...every].filter((scope) => scope !== approvals.approver_scope && !scope.startsWith('approver:'))
}
