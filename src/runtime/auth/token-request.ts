import { CAPABILITY_NAME, SCOPE } from '../../protocol/identifiers.js'
import type { Json, JsonObject } from '../../protocol/manifest.js'
import { LONGEST_PRINCIPAL } from '../../protocol/principals.js'
import { TOKEN_MEMBERS, type TokenRequest } from '../../protocol/token.js'
import { CONCURRENT_BRANCHES } from '../../protocol/words.js'
import { member, membersOf, numberMember, objectMember, wordAmong, shortText, textMember } from '../request/members.js'
import { budgetMember } from '../request/budget.js'
import { idMember } from '../request/ids.js'
import type { RuntimeLimits } from '../limits.js'
import { present } from '../json/present.js'
import { refuse } from '../errors/refusal.js'

const CALLER_CLASS = /^[a-z0-9][a-z0-9._-]{0,63}$/u

/** The body of POST /svc/tokens (section 4.4), or a refusal. */
export function tokenRequestOf(body: Json | undefined, limits: RuntimeLimits): TokenRequest {
  const given = membersOf(body, TOKEN_MEMBERS)
  return present({
    scope: scopeOf(given, limits.scopesPerToken),
    capability: textMember(given, 'capability', (name) => CAPABILITY_NAME.test(name), 'a capability name'),
    subject: shortText(given, 'subject', LONGEST_PRINCIPAL),
    parent_token: idMember(given, 'parent_token', 'token'),
    purpose_parameters: purposeOf(given),
    budget: budgetMember(given),
    caller_class: textMember(given, 'caller_class', (name) => CALLER_CLASS.test(name), 'a caller class'),
    concurrent_branches: wordAmong(given, 'concurrent_branches', CONCURRENT_BRANCHES),
    ttl_hours: numberMember(given, 'ttl_hours', (hours) => hours * 3600 >= 1, 'a number of hours, at least one second'),
    session_id: shortText(given, 'session_id'),
    max_delegation_depth: numberMember(given, 'max_delegation_depth', isCount, 'a whole number from 0'),
  })
}

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0

function scopeOf(given: JsonObject, most: number): readonly string[] {
  const scope = member(given, 'scope')
  if (!Array.isArray(scope) || scope.length === 0 || scope.length > most)
    return refuse('invalid_parameters', `The member scope must be a list of 1 to ${most} scope strings.`)
  const strings = scope.filter((each): each is string => typeof each === 'string' && SCOPE.test(each))
  if (strings.length !== scope.length)
    return refuse('invalid_parameters', 'Every scope must be lower-case ASCII: a-z, 0-9 and . _ : - inside.')
  if (new Set(strings).size !== strings.length) return refuse('invalid_parameters', 'A scope is named twice.')
  return strings
}

/** The purpose; a `task_id` of null counts as absent, so that it is inherited. */
function purposeOf(given: JsonObject): JsonObject | undefined {
  const purpose = objectMember(given, 'purpose_parameters')
  if (purpose === undefined || shortText(purpose, 'task_id') !== undefined) return purpose
  const { task_id: _, ...parameters } = purpose
  return parameters
}
