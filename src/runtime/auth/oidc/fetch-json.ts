import { isRecord } from '../../../crypto/json/kinds.js'
import { parseStrictJson } from '../../../crypto/json/strict-json.js'
import type { JsonObject } from '../../../protocol/manifest.js'
import { readAtMost } from '../../http/read-at-most.js'

const MOST_BYTES = 1024 * 1024
/** For all that is read of a provider at a time: its metadata and its keys. */
const TIMEOUT_MS = 5_000

export const providerTimeout = (): AbortSignal => AbortSignal.timeout(TIMEOUT_MS)

const JSON_TYPE = /^application\/(?:json|jwk-set\+json)(?:\s*;|\s*$)/iu

/**
 * A JSON object from a provider, or undefined: no redirects, 1 MiB after decompression at most, until the signal ends
 * it. Never rejects, so that a hostile or silent provider costs one request and nothing else.
 */
export function fetchJson(url: string, signal: AbortSignal): Promise<JsonObject | undefined> {
  return readJson(url, signal).then(undefined, () => undefined)
}

async function readJson(url: string, signal: AbortSignal): Promise<JsonObject | undefined> {
  const response = await fetch(url, { redirect: 'error', signal, headers: { accept: 'application/json' } })
  const reader = response.body?.getReader()
  // Node 20 forgets the signal of a request once its answer has begun, if memory is collected then: so it is minded
  // here.
  const leave = (): void => void reader?.cancel().catch(() => undefined)
  signal.addEventListener('abort', leave)
  try {
    const isJson = response.ok && JSON_TYPE.test(response.headers.get('content-type') ?? '')
    const bytes = isJson && reader !== undefined ? await readAtMost(reader, MOST_BYTES) : undefined
    if (bytes === undefined || signal.aborted) return undefined
    const parsed = parseStrictJson(bytes)
    return parsed.ok && isRecord(parsed.value) ? parsed.value : undefined
  } finally {
    signal.removeEventListener('abort', leave)
    leave()
  }
}
