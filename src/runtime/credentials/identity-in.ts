import { isRecord } from '../../crypto/json/kinds.js'
import type { Json } from '../../protocol/manifest.js'
import { isPrincipal } from '../../protocol/principals.js'
import { isRole, type Role } from '../../protocol/roles.js'
import type { Identity } from '../definition.js'
import { withRoles } from './known.js'

/**
 * The identity in a copy of a hook's answer: a principal string, or an object that holds one; undefined for everything
 * else.
 */
export function identityIn(answer: Json | undefined): Identity | undefined {
  if (isPrincipal(answer)) return { principal: answer }
  if (!isRecord(answer)) return undefined
  const { principal, scopes, caller_classes, roles } = answer
  if (!isPrincipal(principal) || !isTextList(scopes) || !isTextList(caller_classes) || !isRoleList(roles))
    return undefined
  return withRoles({ principal, ...(scopes && { scopes }), ...(caller_classes && { caller_classes }) }, roles)
}

const isRoleList = (value: Json | undefined): value is readonly Role[] | undefined =>
  value === undefined || (Array.isArray(value) && value.every(isRole))

const isTextList = (value: Json | undefined): value is readonly string[] | undefined =>
  value === undefined || (Array.isArray(value) && value.every((each) => typeof each === 'string'))
