import type { GrantRequest } from '../../protocol/approval.js'
import type { GrantPolicy, Json } from '../../protocol/manifest.js'
import type { GrantTerms } from '../storage/contract.js'
import { GRANT_TYPES } from '../../protocol/words.js'
import { idMember } from '../request/ids.js'
import { membersOf, numberMember, wordAmong, shortText } from '../request/members.js'
import { present } from '../json/present.js'
import { reasonIn } from './reason.js'
import { refuse } from '../errors/refusal.js'

const MEMBERS = ['approval_request_id', 'grant_type', 'session_id', 'expires_in_seconds', 'max_uses', 'reason'] as const

const isPositive = (value: number): boolean => Number.isSafeInteger(value) && value > 0

/** The body of POST /svc/approval_grants (section 4.7), or a refusal. */
export function grantRequestOf(body: Json | undefined): GrantRequest {
  const given = membersOf(body, MEMBERS)
  return present({
    approval_request_id: idMember(given, 'approval_request_id', 'approvalRequest') ?? missing('approval_request_id'),
    grant_type: wordAmong(given, 'grant_type', GRANT_TYPES),
    session_id: shortText(given, 'session_id'),
    expires_in_seconds: numberMember(given, 'expires_in_seconds', isPositive, 'a whole number of seconds above 0'),
    max_uses: numberMember(given, 'max_uses', isPositive, 'a whole number above 0'),
    reason: reasonIn(given),
  })
}

const missing = (name: string): never => refuse('invalid_parameters', `The member ${name} is required.`)

/**
 * Returns the terms of a grant; refuses values above the policy instead of reducing them. `requested` is the session
 * in which the approval was requested: a default that needs a session uses it.
 */
export function termsWithin(policy: GrantPolicy, request: GrantRequest, requested?: string): GrantTerms {
  const { grant_type = policy.default_grant_type, expires_in_seconds = policy.expires_in_seconds } = request
  const isDefault = request.grant_type === undefined && grant_type === 'session_bound'
  const session_id = request.session_id ?? (isDefault ? requested : undefined) ?? null
  const mostUses = grant_type === 'one_time' ? 1 : policy.max_uses
  const { max_uses = mostUses } = request
  if (!policy.allowed_grant_types.includes(grant_type))
    return outside(`Grants of this request are ${policy.allowed_grant_types.join(' or ')}.`)
  if ((grant_type === 'session_bound') !== (session_id !== null))
    return outside('The member session_id is required for session_bound grants and for no others.')
  if (expires_in_seconds > policy.expires_in_seconds)
    return outside(`A grant may last ${policy.expires_in_seconds} s at most.`)
  if (max_uses > mostUses) return outside(`A ${grant_type} grant may be used ${mostUses} times at most.`)
  return { grant_type, session_id, expires_in_seconds, max_uses }
}

const outside = (detail: string): never => refuse('grant_policy_violation', detail)
