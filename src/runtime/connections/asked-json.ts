/** Bounded requests to authorization servers and to what they protect. */
import { isRecord } from '../../crypto/json/kinds.js'
import { parseStrictJson } from '../../crypto/json/strict-json.js'
import type { JsonObject } from '../../protocol/manifest.js'
import type { ProviderFetch } from '../credentials/oidc/provider-fetch.js'
import { bodyAtMost } from '../net/read-at-most.js'

export const ASKED_WITHIN_MS = 10_000
export const MOST_METADATA_BYTES = 256 * 1024

/** Reason, for a person, why no account is connected; it holds no token and no text of others. */
export class NotConnected extends Error {
  override readonly name: string = 'NotConnected'
}

/** Asks for JSON; undefined where there is none. Redirects are not followed. */
export async function askedJson(
  fetch: ProviderFetch,
  address: string,
  body?: JsonObject,
): Promise<JsonObject | undefined> {
  const headers = { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) }
  const response = await fetch(address, {
    method: body === undefined ? 'GET' : 'POST',
    headers,
    signal: AbortSignal.timeout(ASKED_WITHIN_MS),
    ...(body && { body: JSON.stringify(body) }),
  })
  const bytes = await bodyAtMost(response, MOST_METADATA_BYTES)
  if (!response.ok || bytes === undefined) return undefined
  const json = parseStrictJson(bytes)
  return json.ok && isRecord(json.value) ? json.value : undefined
}
