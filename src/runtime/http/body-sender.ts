/** At whose expense a body is read (decisions, section 20; threats N29, N30). */
import { ENDPOINTS, type Operation } from '../../protocol/endpoints.js'
import type { BodySender } from '../request/bodies-in-flight.js'

/** Operations that end something. */
const ENDS: ReadonlySet<Operation> = new Set(['revoke', 'approval_deny', 'approval_withdraw', 'approval_grant_revoke'])

/** Revocation and operators have a pool that no call takes from. */
export const bodyPoolOf = (operation: Operation): 'known' | 'reserved' =>
  ENDS.has(operation) || 'role' in ENDPOINTS[operation] ? 'reserved' : 'known'

interface Caller {
  readonly principal?: string
  /** Token ids, root first. */
  readonly chain?: readonly string[]
}

export const senderOf = (pool: 'known' | 'reserved', { principal, chain = [] }: Caller, network: string): BodySender =>
  principal === undefined ? { pool: 'unknown', network } : { pool, root: principal, tokens: chain }
