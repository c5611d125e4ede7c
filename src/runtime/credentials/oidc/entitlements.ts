import { isRecord } from '../../../crypto/json/kinds.js'
import type { JsonObject } from '../../../protocol/manifest.js'
import type { Principal } from '../../../protocol/principals.js'
import type { Identity } from '../../definition.js'
import { identityIn } from '../identity-in.js'
import { askedOfHook, type HookBounds } from '../identity-hook.js'
import type { OidcOptions } from './options.js'

/**
 * Returns the entitlements from a provider's claims. A hook has limited time and must give a list of scopes: anything
 * else entitles to nothing, because an identity without a list has every scope (section 5.6).
 */
export async function entitled(
  { entitlements }: OidcOptions,
  claims: JsonObject,
  principal: Principal,
  bounds: HookBounds,
): Promise<Identity | undefined> {
  if (entitlements === undefined) return { principal }
  const given = await askedOfHook('entitlements', () => entitlements(claims), bounds)
  return isRecord(given) && given['scopes'] !== undefined ? identityIn({ ...given, principal }) : undefined
}
