import { isAccount } from '../../protocol/credential.js'
import { isPrincipal } from '../../protocol/principals.js'
import type { Authenticate, Identity } from '../definition.js'
import { failure } from '../../protocol/failures.js'
import { refuse, Refusal } from '../errors/refusal.js'
import { settledWithin } from '../errors/settled-within.js'
import { withRoles, type Bootstrap, type Known } from './known.js'
import { isRole, type Role } from '../../protocol/roles.js'
import { assertNotBlocked } from './blocked.js'
import { assertClock } from '../lifecycle/clock-difference.js'
import type { Service } from '../service.js'

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

/** The identity behind a bootstrap credential, or a refusal (section 5.5). */
export async function identityOf(service: Service, bearer: string, client: string): Promise<Known> {
  assertClock(service)
  const identity = await service.bootstrap(bearer)
  return identity === undefined ? refuseUnknown(service, client, 'authentication_required') : noted(service, identity)
}

/** Refuses a credential that nobody knows. Guessing is bounded by client address. */
export function refuseUnknown(
  service: Service,
  client: string,
  type: 'authentication_required' | 'invalid_token',
): never {
  const wait = service.guesses.take(client, service.limits.badCredentialsPerMinute)
  if (wait === undefined) return refuse(type, 'The credential is not known here.')
  throw new Refusal(failure('rate_limited', `Too many unknown credentials. Try again in ${wait} s.`), {
    retryAfter: wait,
  })
}

/**
 * Nothing is done in the name of an account before it is noted that it goes by this name (threat N01), or by who is
 * blocked.
 */
export async function noted(service: Service, identity: Known): Promise<Known> {
  if (isAccount(identity.credential)) await service.accounts.note(identity.credential, identity.principal)
  await assertNotBlocked(service, identity)
  return identity
}
