import { refuse } from '../errors/refusal.js'
import type { GrantTerms } from '../storage/contract.js'

/**
 * The terms that all of several approvers gave: once where one of them said once, in the session that one of them named,
 * and the shortest life from when the grant is made (decisions, section 10: Quorum and tiers).
 */
export function narrowest(all: readonly GrantTerms[]): GrantTerms {
  const sessions = new Set(all.flatMap(({ session_id }) => session_id ?? []))
  if (sessions.size > 1)
    return refuse('grant_policy_violation', 'Another approver has bound the grant to another session.')
  const [session_id = null] = sessions
  return {
    grant_type: all.some(({ grant_type }) => grant_type === 'one_time') ? 'one_time' : 'session_bound',
    session_id,
    expires_in_seconds: Math.min(...all.map((each) => each.expires_in_seconds)),
    max_uses: Math.min(...all.map((each) => each.max_uses)),
  }
}
