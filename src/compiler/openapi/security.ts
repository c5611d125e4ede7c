import type { Json, JsonObject } from '../../protocol/manifest.js'
import { parsedAddress } from '../../protocol/address.js'
import { FAULTS } from './faults.js'
import type { ApiDialect, ApiOperation } from './operations.js'
import { isJsonObject, memberOf, noteFault, rawMember, textAt, type ApiPlace, type Description } from './references.js'

/** One way in which callers prove who they are. */
export interface ApiCredential {
  readonly in: 'header' | 'query' | 'cookie'
  readonly name: string
  readonly scheme?: string
  /** A client of an authorization server, which fetches a token (OAuth 2.0, client credentials). */
  readonly client?: ApiClient
  /** Consent of each person, by an authorization code (OAuth 2.0, OpenID Connect). */
  readonly connection?: ApiConnection
}

/** Authorization server at which people consent: its issuer, or its two endpoints. */
export interface ApiConnection {
  readonly issuer?: string
  readonly authorizationUrl?: string
  readonly tokenUrl?: string
  /** Scopes that the scheme has. */
  readonly scopes: readonly string[]
  /** Holds for OpenID Connect, which wants the scope openid. */
  readonly isOpenId?: true
}

export interface ApiClient {
  readonly tokenUrl?: string
  /** The address of the provider's metadata. */
  readonly discoveryUrl?: string
  readonly scope?: string
}

/** Alternatives; all schemes of one go together. */
export type Security = readonly (readonly string[])[]

/** The schemes of a description, and what an operation demands that says nothing of its own. */
export interface ApiSecurity {
  readonly schemes: ReadonlyMap<string, ApiCredential>
  readonly usual: Security
}

/** The scheme of a description that names none. */
const UNNAMED = 'bearer token'

const BEARER: ApiCredential = { in: 'header', name: 'Authorization', scheme: 'Bearer' }

/** Reads the security of a description: its own, or else its first scheme, or else a bearer token. */
export function securityOf(description: Description, dialect: ApiDialect): ApiSecurity {
  const { root } = description
  const place: ApiPlace = { document: root, pointer: '', value: root.value }
  const holder = dialect === 'swagger' ? place : memberOf(description, place, 'components')
  const all = holder && memberOf(description, holder, dialect === 'swagger' ? 'securityDefinitions' : 'securitySchemes')
  const named = isJsonObject(all?.value) ? Object.keys(all.value) : []
  const schemes = new Map(
    named.flatMap((name): (readonly [string, ApiCredential])[] => {
      const scheme = memberOf(description, all!, name)
      const sent = scheme === undefined ? undefined : sentAs(scheme.value)
      return sent === undefined ? [] : [[name, sent]]
    }),
  )
  const said = rawMember(place, 'security')
  if (said !== undefined && named.length > 0) return { schemes, usual: sendable(setsIn(said.value), schemes) }
  const first = [...schemes].find(([, { in: where }]) => where === 'header') ?? [...schemes][0] ?? [UNNAMED, BEARER]
  return { schemes: new Map([...schemes, first]), usual: [[first[0]]] }
}

/** Returns the alternatives of one operation; a finding if none of them can be sent. */
export function securityFor(description: Description, { schemes, usual }: ApiSecurity, { at }: ApiOperation): Security {
  const { root } = description
  const said = rawMember(at, 'security') ?? rawMember({ document: root, pointer: '', value: root.value }, 'security')
  if (said === undefined || schemes.has(UNNAMED)) return usual
  const sets = setsIn(said.value)
  const sent = sendable(sets, schemes)
  if (sets.length > 0 && sent.length === 0) {
    const missing = [...new Set(sets.flat())].filter((name) => !schemes.has(name))
    noteFault(description, said, FAULTS.credential.says(missing.join(', ')))
  }
  return sent
}

/** Returns the scopes that an operation demands of each scheme. */
export function scopesFor({ root }: Description, { at }: ApiOperation): ReadonlyMap<string, readonly string[]> {
  const said = rawMember(at, 'security') ?? rawMember({ document: root, pointer: '', value: root.value }, 'security')
  const found = new Map<string, readonly string[]>()
  for (const each of Array.isArray(said?.value) ? (said.value as readonly Json[]).filter(isJsonObject) : [])
    for (const [name, scopes] of Object.entries(each))
      found.set(name, [...(found.get(name) ?? []), ...(Array.isArray(scopes) ? scopes.filter(isScope) : [])])
  return found
}

/** A scope as an authorization server takes it (RFC 6749, section 3.3). */
const isScope = (value: unknown): value is string =>
  typeof value === 'string' && /^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/u.test(value)

/** Alternatives. An empty list demands nothing, and so does an empty alternative. */
const setsIn = (value: Json): Security =>
  (Array.isArray(value) ? (value as readonly Json[]) : []).filter(isJsonObject).map((each) => Object.keys(each))

/** Alternatives that can be sent: those that go without the consent of a person come first. */
function sendable(sets: Security, schemes: ReadonlyMap<string, ApiCredential>): Security {
  const sent = sets.filter((names) => names.every((name) => schemes.has(name)))
  const asks = (names: readonly string[]): boolean => names.some((name) => schemes.get(name)?.connection !== undefined)
  return [...sent.filter((names) => !asks(names)), ...sent.filter(asks)]
}

/** Schemes of HTTP that are more than a text after a word. */
const EXCHANGES = /^(?:digest|hoba|mutual|negotiate|oauth|scram-.*|vapid|dpop|gnap)$/iu

/** Returns the place of a scheme in a request; undefined for one that is more than a text there. */
function sentAs(value: Json): ApiCredential | undefined {
  const type = textAt(value, 'type')
  if (type === 'apiKey') return keyAt(textAt(value, 'in'), textAt(value, 'name') ?? '')
  if (type === 'basic') return { ...BEARER, scheme: 'Basic' }
  if (type === 'http') return schemeOfHttp(textAt(value, 'scheme') ?? 'bearer')
  if (type === 'openIdConnect') return withDiscovery(addressOf(textAt(value, 'openIdConnectUrl')))
  return type === 'oauth2'
    ? { ...withClient(clientFlow(value as JsonObject)), ...consentFlow(value as JsonObject) }
    : undefined
}

const keyAt = (place: string | undefined, name: string): ApiCredential | undefined =>
  (place === 'header' || place === 'query' || place === 'cookie') && /^[\w-]{1,64}$/u.test(name)
    ? { in: place, name }
    : undefined

function schemeOfHttp(scheme: string): ApiCredential | undefined {
  if (EXCHANGES.test(scheme) || !/^[\w-]{1,40}$/u.test(scheme)) return undefined
  const usual = ['Bearer', 'Basic'].find((word) => word.toLowerCase() === scheme.toLowerCase())
  return { ...BEARER, scheme: usual ?? scheme[0]!.toUpperCase() + scheme.slice(1) }
}

const withClient = ({
  tokenUrl,
  discoveryUrl,
  scope,
}: { readonly [name in keyof ApiClient]: string | undefined }): ApiCredential =>
  tokenUrl === undefined && discoveryUrl === undefined
    ? BEARER
    : {
        ...BEARER,
        client: { ...(tokenUrl && { tokenUrl }), ...(discoveryUrl && { discoveryUrl }), ...(scope && { scope }) },
      }

const withDiscovery = (discoveryUrl: string | undefined): ApiCredential => {
  const issuer = issuerOf(discoveryUrl)
  return {
    ...withClient({ discoveryUrl }),
    ...(issuer !== undefined && { connection: { issuer, scopes: [], isOpenId: true } }),
  }
}

const WELL_KNOWN = /\/\.well-known\/(?:openid-configuration|oauth-authorization-server)/u

/** Returns the issuer whose metadata is at an address (RFC 8414, section 3.1; OpenID Connect Discovery, section 4). */
const issuerOf = (url: string | undefined): string | undefined =>
  url !== undefined && WELL_KNOWN.test(url) ? url.replace(WELL_KNOWN, '').replace(/\/$/u, '') : undefined

/** The flow in which a person consents: `accessCode` in Swagger 2.0. */
function consentFlow(value: JsonObject): { readonly connection?: ApiConnection } {
  const flows = isJsonObject(value['flows']) ? value['flows'] : {}
  const flow = textAt(value, 'flow') === 'accessCode' ? value : flows['authorizationCode']
  if (!isJsonObject(flow)) return {}
  const scopes = isJsonObject(flow['scopes']) ? Object.keys(flow['scopes']).filter(isScope) : []
  const issuer = issuerOf(addressOf(textAt(value, 'oauth2MetadataUrl')))
  const [authorizationUrl, tokenUrl] = [
    addressOf(textAt(flow, 'authorizationUrl')),
    addressOf(textAt(flow, 'tokenUrl')),
  ]
  if (issuer !== undefined) return { connection: { issuer, scopes } }
  return authorizationUrl && tokenUrl ? { connection: { authorizationUrl, tokenUrl, scopes } } : {}
}

/** The flow of client credentials: `application` in Swagger 2.0. */
function clientFlow(value: JsonObject): { readonly tokenUrl: string | undefined; readonly scope: string | undefined } {
  const flows = isJsonObject(value['flows']) ? value['flows'] : {}
  const flow = textAt(value, 'flow') === 'application' ? value : flows['clientCredentials']
  const scopes = isJsonObject(flow) && isJsonObject(flow['scopes']) ? Object.keys(flow['scopes']) : []
  return {
    tokenUrl: addressOf(textAt(flow, 'tokenUrl')),
    scope: scopes.length > 0 && scopes.length <= 5 ? scopes.join(' ') : undefined,
  }
}

const LOOPBACK = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/u

/** An address to which a secret may go. */
function addressOf(url: string | undefined): string | undefined {
  const parsed = url === undefined ? undefined : parsedAddress(url)
  const isSafe = parsed?.protocol === 'https:' || (parsed?.protocol === 'http:' && LOOPBACK.test(parsed.hostname))
  return isSafe && parsed.username === '' && parsed.hash === '' ? parsed.href : undefined
}
