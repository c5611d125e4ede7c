import type { Json, JsonObject } from '../protocol/manifest.js'
import { isPrincipal } from '../protocol/principals.js'
import type { Budget, DelegationClaims, Purpose, TokenConstraints } from '../protocol/token.js'
import { BUDGET_MODES, CONCURRENT_BRANCHES } from '../protocol/words.js'

/** The claims of a delegation token, if the payload is exactly that: every member known, typed and present where it must be. */
export function delegationClaims(payload: JsonObject | undefined): DelegationClaims | undefined {
  if (payload === undefined || !hasOnly(payload, CLAIMS)) return undefined
  const {
    jti,
    iss,
    aud,
    sub,
    iat,
    nbf,
    exp,
    scope,
    root_principal,
    capability,
    purpose,
    parent_token_id,
    constraints,
    caller_class,
    session_id,
  } = payload
  const sound =
    [jti, iss, aud].every(isText) &&
    [iat, nbf, exp].every((time) => Number.isSafeInteger(time)) &&
    isPrincipal(sub) &&
    isPrincipal(root_principal) &&
    [capability, parent_token_id, caller_class, session_id].every((member) => member === undefined || isText(member)) &&
    Array.isArray(scope) &&
    scope.every(isText) &&
    isPurpose(purpose) &&
    isConstraints(constraints)
  return sound ? (payload as unknown as DelegationClaims) : undefined
}

const CLAIMS = new Set([
  'jti', 'iss', 'aud', 'sub', 'iat', 'nbf', 'exp', 'scope', 'root_principal', 'capability', 'purpose', 'parent_token_id', 'constraints',
  'caller_class', 'session_id',
]) // prettier-ignore

function isPurpose(value: Json | undefined): boolean {
  if (!isObject(value) || !hasOnly(value, new Set<keyof Purpose>(['parameters', 'task_id']))) return false
  return isObject(value['parameters']) && (value['task_id'] === undefined || isText(value['task_id']))
}

function isConstraints(value: Json | undefined): boolean {
  if (
    !isObject(value) ||
    !hasOnly(value, new Set<keyof TokenConstraints>(['budget', 'max_delegation_depth', 'concurrent_branches']))
  )
    return false
  return (
    (value['budget'] === undefined || isBudget(value['budget'])) &&
    Number.isSafeInteger(value['max_delegation_depth']) &&
    CONCURRENT_BRANCHES.some((word) => word === value['concurrent_branches'])
  )
}

function isBudget(value: Json): boolean {
  if (!isObject(value) || !hasOnly(value, new Set<keyof Budget>(['currency', 'max_amount', 'mode']))) return false
  return (
    isText(value['currency']) &&
    typeof value['max_amount'] === 'number' &&
    value['max_amount'] >= 0 &&
    (value['mode'] === undefined || BUDGET_MODES.some((word) => word === value['mode']))
  )
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.length > 0
const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const hasOnly = (value: JsonObject, names: ReadonlySet<string>): boolean =>
  Object.keys(value).every((name) => names.has(name))
