import type { JsonObject } from '../protocol/manifest.js'
import type { TokenResponse } from '../protocol/token.js'
import { claimsOf } from './authority.js'
import { cannotTry, doesNotApply } from './outcomes.js'
import type { Reply, ServiceUnderTest } from './target.js'

export const TOKENS = '/svc/tokens'

export async function asRoot(target: ServiceUnderTest, body: JsonObject): Promise<Reply> {
  if (target.scopes.length === 0) cannotTry('the credential may have no minimum scope of the service')
  return target.post(TOKENS, target.credentials.developer, { scope: target.scopes, ...body })
}

/** Lifetime in s: what the token says, or what is left of it by our clock where the answer says something else. */
export function lifetimeOf({ token, expires_at }: TokenResponse) {
  const { exp = 0, iat = 0 } = claimsOf(token)
  const isOfToken = exp === Math.floor(Date.parse(expires_at) / 1000)
  return { isOfToken, expires_at, seconds: isOfToken ? exp - iat : (Date.parse(expires_at) - Date.now()) / 1000 }
}

/** A root token of so many hours; the case does not apply to a service that lets none live that long. */
export async function briefRoot(
  target: ServiceUnderTest,
  ttl_hours: number,
  more: JsonObject = {},
): Promise<TokenResponse> {
  const reply = await asRoot(target, { ...more, ttl_hours })
  const isRefused = (reply.body?.['failure']?.['type'] as unknown) === 'invalid_parameters'
  return isRefused ? doesNotApply('tokens of the service live shorter') : target.root({ ...more, ttl_hours })
}

/** The case does not apply to a service that allows no delegation. */
export async function delegable(target: ServiceUnderTest, token: string, child: object): Promise<void> {
  if (await isDelegable(target, token, child)) return
  doesNotApply('the service allows no such delegation')
}

const DELEGABLE = new WeakMap<object, boolean>()

/** Finds out once whether a plain child of a root token is allowed. */
async function isDelegable(target: ServiceUnderTest, token: string, child: object): Promise<boolean> {
  const known = DELEGABLE.get(target.manifest)
  if (known !== undefined) return known
  const { body } = await target.post(TOKENS, token, child)
  const isAllowed = (body?.['failure']?.['type'] as unknown) !== 'delegation_depth_exceeded'
  DELEGABLE.set(target.manifest, isAllowed)
  return isAllowed
}
