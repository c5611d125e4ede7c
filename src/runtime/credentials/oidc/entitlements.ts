import { isRecord } from '../../../crypto/json/kinds.js'
import type { JsonObject } from '../../../protocol/manifest.js'
import type { Principal } from '../../../protocol/principals.js'
import type { Identity } from '../../definition.js'
import { identityIn } from '../identity-in.js'
import { askedOfHook, type HookBounds } from '../identity-hook.js'
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
  bounds: HookBounds,
): Promise<Identity | undefined> {
  if (entitlements === undefined) return { principal }
  const given = await askedOfHook('entitlements', () => entitlements(claims), bounds)
  return isRecord(given) && given['scopes'] !== undefined ? identityIn({ ...given, principal }) : undefined
}
