import type { SideEffect } from '../../protocol/manifest.js'
import type { Role } from '../../protocol/roles.js'
import { get, useCsrf } from './ask.js'
import { setServiceClock } from './hooks/use-now.js'

/** Service and person: the data that every page begins with. */
export interface Me {
  readonly service: string
  readonly host: string
  /** ms, by the clock of the service. */
  readonly now: number
  /** Host of the identity provider, where there is one. */
  readonly provider?: string
  readonly takes_keys: boolean
  /** True if some capability uses accounts of people. */
  readonly connects?: true
  readonly person?: Person
}

/** Person who signed in. */
export interface Person {
  readonly principal: string
  readonly csrf: string
  readonly by: 'provider' | 'key'
  readonly ends_in: number
  /** Roles beside approving: read every audit entry, revoke tokens. */
  readonly roles: readonly Role[]
  /** Capabilities that this person may decide about. */
  readonly may_approve: readonly string[]
  /** Scopes of tiers that this person has, for what costs more. */
  readonly tiers: readonly string[]
  /** Capability -> what it does, of those that this person may decide about, and of their steps. */
  readonly effects: { readonly [capability: string]: SideEffect }
}

export async function readMe(): Promise<Me | undefined> {
  const me = await get<Me>('/me')
  if (!me.ok) return undefined
  useCsrf(me.value.person?.csrf ?? '')
  setServiceClock(me.value.now)
  return me.value
}
