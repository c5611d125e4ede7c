import { isRecord } from '../../../crypto/json/kinds.js'
import type { Json, JsonObject } from '../../../protocol/manifest.js'

import type { Log } from '../../definition.js'
import type { Alarms } from '../../telemetry/alarms.js'
import { fetchJson, providerTimeout } from './fetch-json.js'
import { issuerUrl, type OidcOptions } from './options.js'
import type { ProviderFetch } from './provider-fetch.js'

/** The keys of a provider. */
export interface Provider {
  /** The keys as they are known; undefined while the provider gives none. */
  keys(): Promise<readonly JsonObject[] | undefined>
  /** The keys read anew because a token names an unknown one; at most once in a cooldown. */
  newerKeys(): Promise<readonly JsonObject[] | undefined>
  /** Seconds until keys may be read again. */
  secondsToWait(): number
}

/** After this, keys are read anew when they are used. */
const FRESH_MS = 10 * 60_000
/** After this, keys that could not be read anew do not count any more. */
const USABLE_MS = 3600_000
const COOLDOWN_MS = 30_000
const MOST_KEYS = 100

interface Known {
  readonly keys: readonly JsonObject[]
  readonly readAt: number
}

export interface ProviderReading {
  readonly now: () => number
  readonly fetch: ProviderFetch
  readonly log: Log
  readonly alarms: Pick<Alarms, 'add' | 'clear'>
}

export function providerOf(options: OidcOptions, reading: ProviderReading): Provider {
  const { now } = reading
  let known: Known | undefined
  let triedAt = Number.NEGATIVE_INFINITY
  let underWay: Promise<void> | undefined
  const read = async () => {
    triedAt = now()
    const keys = await readKeys(options, reading)
    if (keys !== undefined) known = { keys, readAt: now() }
  }
  const readOnce = () => (underWay ??= read().finally(() => (underWay = undefined)))
  // Either way: a clock that was set back must not make keys last, nor forbid to ask.
  const isWithin = (ms: number, time: number) => Math.abs(now() - time) < ms
  const usable = () => (known !== undefined && isWithin(USABLE_MS, known.readAt) ? known.keys : undefined)
  const mayTry = () => !isWithin(COOLDOWN_MS, triedAt)
  return {
    keys: async () => {
      const isFresh = known !== undefined && isWithin(FRESH_MS, known.readAt)
      if (!isFresh && (underWay !== undefined || mayTry())) await readOnce()
      return usable()
    },
    newerKeys: async () => {
      if (underWay !== undefined || mayTry()) await readOnce()
      return usable()
    },
    secondsToWait: () => Math.max(1, Math.ceil((COOLDOWN_MS - Math.abs(now() - triedAt)) / 1000)),
  }
}

/** The keys of the provider's JWKS; undefined when it gives no valid ones, and the log says why. */
async function readKeys(options: OidcOptions, reading: ProviderReading): Promise<readonly JsonObject[] | undefined> {
  const reasons: { [address: string]: string } = {}
  const signal = providerTimeout()
  const ask = (url: string) => fetchJson(reading.fetch, url, signal, (reason) => void (reasons[url] = reason))
  const metadata = await firstFound(metadataAddresses(options), ask)
  const address = metadata === undefined ? undefined : jwksAddress(options, metadata)
  if (metadata !== undefined && address !== undefined && !namesAccounts(options, metadata, reading)) return []
  const keys = address === undefined ? undefined : keysIn(await ask(address))
  if (keys !== undefined) return keys
  const failed = metadata === undefined ? 'metadata' : address === undefined ? wrongMember(options, metadata) : 'keys'
  reading.log.warn('The identity provider gives no keys.', { issuer: options.issuer, failed, reasons })
  return undefined
}

/** Addresses of metadata: below the issuer (OpenID Connect Discovery), or before its path (RFC 8414, section 3.1). */
function metadataAddresses(options: OidcOptions): readonly string[] {
  const { origin, pathname } = issuerUrl(options)
  const base = options.issuer.replace(/\/$/u, '')
  const path = pathname.replace(/\/$/u, '')
  const [openid, oauth] = ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server']
  return [...new Set([base + openid, origin + oauth + path, origin + openid + path, base + oauth])]
}

async function firstFound(
  addresses: readonly string[],
  ask: (url: string) => Promise<JsonObject | undefined>,
): Promise<JsonObject | undefined> {
  for (const address of addresses) {
    const found = await ask(address)
    if (found !== undefined) return found
  }
  return undefined
}

function keysIn(jwks: JsonObject | undefined): readonly JsonObject[] | undefined {
  const keys = jwks?.['keys']
  if (!Array.isArray(keys) || keys.length > MOST_KEYS) return undefined
  return keys.filter((key: Json): key is JsonObject => isRecord(key) && key['use'] !== 'enc')
}

/** The member of metadata for which its keys are not read. */
const wrongMember = ({ issuer }: OidcOptions, metadata: JsonObject): string =>
  metadata['issuer'] === issuer ? 'jwks_uri' : 'issuer'

/**
 * Returns the address of the keys: the metadata must name the configured issuer exactly, and an address at an origin
 * that the operator has configured. No other host is ever contacted, whatever the document contains.
 */
export function jwksAddress(options: OidcOptions, metadata: JsonObject): string | undefined {
  const own = (name: string) => (Object.hasOwn(metadata, name) ? metadata[name] : undefined)
  const address = own('jwks_uri')
  if (own('issuer') !== options.issuer || typeof address !== 'string' || /[^\x21-\x7e]/u.test(address)) return undefined
  if (!URL.canParse(address) || !signsSafely(own('id_token_signing_alg_values_supported'))) return undefined
  const { origin, username, password } = new URL(address)
  const origins = [issuerUrl(options).origin, ...(options.jwksOrigins ?? [])]
  return username === '' && password === '' && origins.includes(origin) ? address : undefined
}

/**
 * Holds where an account has one name for all clients. A provider whose subjects are pairwise only names a person anew
 * for each client, so who asks in one might approve in another: its tokens do not count without `subjectClaim`
 * (decisions, section 20).
 */
function namesAccounts(
  { issuer, subjectClaim }: OidcOptions,
  metadata: JsonObject,
  { log, alarms }: ProviderReading,
): boolean {
  // Whatever stands in the place of a list names no public subjects, too.
  const types = Object.hasOwn(metadata, 'subject_types_supported') ? metadata['subject_types_supported'] : ['public']
  if ((Array.isArray(types) && types.includes('public')) || subjectClaim !== undefined) return true
  alarms.add('provider_subjects_pairwise')
  log.error(
    `The OIDC provider ${issuer} gives each client another subject for one person: its sign-ins are refused. Name ` +
      "the claim that is the same for all clients in its options, as subjectClaim: 'oid' for Entra ID.",
  )
  return false
}

/** A provider that offers nothing but unsigned tokens is none. */
const signsSafely = (algorithms: Json | undefined): boolean =>
  algorithms === undefined ||
  (Array.isArray(algorithms) && algorithms.some((each) => typeof each === 'string' && !/^(?:none|HS)/u.test(each)))
