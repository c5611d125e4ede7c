import type { JsonObject } from '../../../protocol/manifest.js'
import type { Principal } from '../../../protocol/principals.js'
import type { Identity } from '../../definition.js'
import { settledWithin } from '../../errors/settled-within.js'
import { identityIn } from '../hook.js'
import type { OidcOptions } from './options.js'

/**
 * What a provider's claims entitle a principal to. A hook is awaited for a bounded time and must give a list of scopes:
 * whatever else it gives entitles to nothing, because an identity without a list has every scope there is (section
 * 5.6).
 */
export async function entitled(
  { entitlements }: OidcOptions,
  claims: JsonObject,
  principal: Principal,
  timeoutMs: number,
): Promise<Identity | undefined> {
  if (entitlements === undefined) return { principal }
  const answer: unknown = await settledWithin(
    Promise.resolve(claims).then((each) => entitlements(each)),
    timeoutMs,
  )
  const given: { readonly scopes?: unknown } = typeof answer === 'object' && answer !== null ? answer : {}
  return Array.isArray(given.scopes) ? identityIn({ ...given, principal }) : undefined
}
