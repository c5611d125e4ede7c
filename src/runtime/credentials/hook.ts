import { isPrincipal } from '../../protocol/principals.js'
import { isRole, type Role } from '../../protocol/roles.js'
import type { Authenticate, Identity } from '../definition.js'
import { settledWithin } from '../errors/settled-within.js'
import { withRoles, type Bootstrap } from './known.js'

/** The first of several that knows the credential; they are asked in order. */
export const firstOf =
  (all: readonly Bootstrap[]): Bootstrap =>
  async (bearer) => {
    for (const ask of all) {
      const identity = await ask(bearer)
      if (identity !== undefined) return identity
    }
    return undefined
  }

/** A hook as a bootstrap: awaited, bounded in time, its answer checked. Whatever is wrong with it counts as unknown. */
export const fromHook =
  (hook: Authenticate, timeoutMs: number): Bootstrap =>
  async (bearer) => {
    const asked = Promise.resolve(bearer).then(hook)
    return identityIn(await settledWithin(asked, timeoutMs))
  }

/** The identity in a hook's answer: a principal string, or an object that holds one; undefined for everything else. */
export function identityIn(answer: unknown): Identity | undefined {
  if (isPrincipal(answer)) return { principal: answer }
  if (typeof answer !== 'object' || answer === null) return undefined
  const { principal, scopes, caller_classes, roles } = answer as { readonly [name in keyof Identity]?: unknown }
  if (!isPrincipal(principal) || !isTextList(scopes) || !isTextList(caller_classes) || !isRoleList(roles))
    return undefined
  return withRoles({ principal, ...(scopes && { scopes }), ...(caller_classes && { caller_classes }) }, roles)
}

const isRoleList = (value: unknown): value is readonly Role[] | undefined =>
  value === undefined || (Array.isArray(value) && value.every(isRole))

const isTextList = (value: unknown): value is readonly string[] | undefined =>
  value === undefined || (Array.isArray(value) && value.every((each) => typeof each === 'string'))
