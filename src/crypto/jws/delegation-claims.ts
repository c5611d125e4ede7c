/**
 * Claims of a delegation JWT, read from JSON into their type (section 2.10). Unknown claims are left out (RFC 7519,
 * section 4).
 */
import type { Json, JsonObject } from '../../protocol/manifest.js'
import { isPrincipal } from '../../protocol/principals.js'
import type { Budget, DelegationClaims, Purpose, TokenConstraints } from '../../protocol/token.js'
import { BUDGET_MODES, CONCURRENT_BRANCHES } from '../../protocol/words.js'
import { isRecord } from '../json/kinds.js'

/** Constraints of a token without any: the narrowest. */
const NO_CONSTRAINTS: TokenConstraints = { max_delegation_depth: 0, concurrent_branches: 'exclusive' }

/**
 * The claims, or undefined unless each has its type and the audience is the given one. Times are rounded down to s;
 * without
 * `nbf` a token is valid from when it was issued.
 */
export function readClaims(claims: JsonObject, audience: string): DelegationClaims | undefined {
  const { jti, iss, aud, sub, iat, nbf = iat, exp, scope, root_principal } = claims
  const purpose = readPurpose(claims['purpose'])
  const constraints = readConstraints(claims['constraints'])
  const { capability, parent_token_id, caller_class, session_id } = claims
  const optional = present({ capability, parent_token_id, caller_class, session_id })
  if (!isText(jti) || !isText(iss) || !names(aud, audience) || !isTexts(scope) || !areTexts(optional)) return undefined
  if (!isPrincipal(sub) || !isPrincipal(root_principal) || !isTime(iat) || !isTime(nbf) || !isTime(exp))
    return undefined
  if (purpose === undefined || constraints === undefined) return undefined
  const times = { iat: Math.floor(iat), nbf: Math.floor(nbf), exp: Math.floor(exp) }
  return { jti, iss, aud: audience, sub, ...times, scope, root_principal, purpose, constraints, ...optional }
}

function readPurpose(value: Json | undefined): Purpose | undefined {
  if (value === undefined) return { parameters: {} }
  if (!isRecord(value) || !hasOnly(value, ['parameters', 'task_id'])) return undefined
  const { parameters } = value
  const task = present({ task_id: value['task_id'] })
  return isRecord(parameters) && areTexts(task) ? { parameters, ...task } : undefined
}

function readConstraints(value: Json | undefined): TokenConstraints | undefined {
  if (value === undefined) return NO_CONSTRAINTS
  if (!isRecord(value) || !hasOnly(value, ['budget', 'max_delegation_depth', 'concurrent_branches'])) return undefined
  const { budget, max_delegation_depth: depth, concurrent_branches: branches } = value
  if (typeof depth !== 'number' || !Number.isSafeInteger(depth) || !isWord(branches, CONCURRENT_BRANCHES))
    return undefined
  const rest = { max_delegation_depth: depth, concurrent_branches: branches }
  if (budget === undefined) return rest
  return isBudget(budget) ? { budget, ...rest } : undefined
}

function isBudget(value: Json): value is JsonObject & Budget {
  if (!isRecord(value) || !hasOnly(value, ['currency', 'max_amount', 'mode'])) return false
  const { currency, max_amount, mode } = value
  const isAmount = typeof max_amount === 'number' && max_amount >= 0
  return isText(currency) && isAmount && (mode === undefined || isWord(mode, BUDGET_MODES))
}

const isText = (value: Json | undefined): value is string => typeof value === 'string' && value !== ''
const isTexts = (value: Json | undefined): value is readonly string[] => Array.isArray(value) && value.every(isText)
const isTime = (value: Json | undefined): value is number => typeof value === 'number'
const isWord = <Word extends string>(value: Json | undefined, words: readonly Word[]): value is Word =>
  words.some((word) => word === value)
const names = (aud: Json | undefined, audience: string): boolean =>
  aud === audience || (isTexts(aud) && aud.includes(audience))
const hasOnly = (value: JsonObject, members: readonly string[]): boolean =>
  Object.keys(value).every((name) => members.includes(name))
const areTexts = <Name extends string>(values: { readonly [name in Name]?: Json }): values is {
  readonly [name in Name]?: string
} => Object.values<Json | undefined>(values).every(isText)

type Present<T> = { readonly [name in keyof T]?: Exclude<T[name], undefined> }
const present = <T extends object>(values: T): Present<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Present<T>
