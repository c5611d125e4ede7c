import { isRecord } from '../../../crypto/json/kinds.js'
import { parseStrictJson } from '../../../crypto/json/strict-json.js'
import type { JsonObject } from '../../../protocol/manifest.js'
import { bodyAtMost } from '../../net/read-at-most.js'
import type { ProviderFetch } from './provider-fetch.js'

const MOST_BYTES = 1024 * 1024
/** For all that is read of a provider at a time: its metadata and its keys. */
const TIMEOUT_MS = 5_000

export const providerTimeout = (): AbortSignal => AbortSignal.timeout(TIMEOUT_MS)

/** Types that JSON comes under: its own, and those that stores of files give to a file whose type they do not know. */
const JSON_TYPE =
  /^(?:(?:application|text)\/(?:[\w.-]+\+)?json|text\/plain|(?:application|binary)\/octet-stream)(?:\s*;|\s*$)/iu

/**
 * A JSON object from a provider, or undefined, with the reason: no redirects, 1 MiB after decompression at most, until
 * the signal ends it. Never rejects, so that a hostile or silent provider costs one request and nothing else.
 */
export function fetchJson(
  fetch: ProviderFetch,
  url: string,
  signal: AbortSignal,
  onFailed: (reason: string) => void,
): Promise<JsonObject | undefined> {
  return readJson(fetch, url, signal, onFailed).then(undefined, (error: unknown) => {
    onFailed(signal.aborted ? 'no answer in time' : codeOf(error))
    return undefined
  })
}

async function readJson(
  fetch: ProviderFetch,
  url: string,
  signal: AbortSignal,
  onFailed: (reason: string) => void,
): Promise<JsonObject | undefined> {
  const response = await fetch(url, { method: 'GET', headers: { accept: 'application/json' }, signal })
  const refused = refusedBy(response)
  if (refused !== undefined) {
    void response.body?.cancel().catch(() => undefined)
    onFailed(refused)
    return undefined
  }
  const bytes = await bodyAtMost(response, MOST_BYTES)
  const parsed = bytes === undefined ? undefined : parseStrictJson(bytes)
  if (parsed?.ok === true && isRecord(parsed.value)) return parsed.value
  onFailed(bytes === undefined ? `more than ${MOST_BYTES} bytes` : 'no JSON object')
  return undefined
}

const LONGEST_TYPE = 60

function refusedBy({ ok, status, headers }: Response): string | undefined {
  if (!ok) return `status ${status}`
  const type = headers.get('content-type') ?? ''
  return type === '' || JSON_TYPE.test(type) ? undefined : `type ${type.slice(0, LONGEST_TYPE)}`
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'no answer'
