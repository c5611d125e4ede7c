import { isRecord } from '../../../crypto/json/kinds.js'
import { parseStrictJson } from '../../../crypto/json/strict-json.js'
import type { JsonObject } from '../../../protocol/manifest.js'
import { bodyAtMost } from '../../net/read-at-most.js'
import type { ProviderFetch } from './provider-fetch.js'

const MOST_BYTES = 1024 * 1024
/** For all that is read of a provider at a time: its metadata and its keys. */
const TIMEOUT_MS = 5_000

export const providerTimeout = (): AbortSignal => AbortSignal.timeout(TIMEOUT_MS)

const JSON_TYPE = /^application\/(?:json|jwk-set\+json)(?:\s*;|\s*$)/iu

/**
 * A JSON object from a provider, or undefined: no redirects, 1 MiB after decompression at most, until the signal ends
 * it. Never rejects, so that a hostile or silent provider costs one request and nothing else.
 */
export function fetchJson(fetch: ProviderFetch, url: string, signal: AbortSignal): Promise<JsonObject | undefined> {
  return readJson(fetch, url, signal).then(undefined, () => undefined)
}

async function readJson(fetch: ProviderFetch, url: string, signal: AbortSignal): Promise<JsonObject | undefined> {
  const response = await fetch(url, { method: 'GET', headers: { accept: 'application/json' }, signal })
  const isJson = response.ok && JSON_TYPE.test(response.headers.get('content-type') ?? '')
  const bytes = isJson ? await bodyAtMost(response, MOST_BYTES) : undefined
  if (bytes === undefined) {
    void response.body?.cancel().catch(() => undefined)
    return undefined
  }
  const parsed = parseStrictJson(bytes)
  return parsed.ok && isRecord(parsed.value) ? parsed.value : undefined
}
