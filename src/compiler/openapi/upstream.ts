import type { JsonObject } from '../../protocol/manifest.js'
import { parsedAddress } from '../../protocol/address.js'
import { FAULTS } from './faults.js'
import { snakeCase, type ApiOperation, type ApiDialect } from './operations.js'
import { securityOf, type ApiSecurity } from './security.js'
import { besideDocument } from './targets.js'
import { isJsonObject, noteFault, textAt, type Description, type ApiPlace } from './references.js'

/** The service behind: where it is, what it is called, and how its credential is sent. */
export interface ApiUpstream {
  /** `source_host`: of files, scopes and the environment. */
  readonly id: string
  readonly title: string
  readonly url: string
  /** The address that the description names, in whose place `--server` may stand. */
  readonly declared?: string
  readonly security: ApiSecurity
}

export interface UpstreamChoice {
  readonly name?: string
  readonly server?: string
}

/** The one address that calls go to; undefined, and a finding, where the description names none that may be used. */
export function upstreamOf(
  description: Description,
  dialect: ApiDialect,
  { name, server }: UpstreamChoice,
): ApiUpstream | undefined {
  const root: ApiPlace = { document: description.root, pointer: '', value: description.root.value }
  const declared = declaredAddress(description, dialect, root.value as JsonObject)
  const address = addressIn(server ?? declared, server === undefined ? description.root.file : undefined)
  if (typeof address === 'string')
    return noteFault(
      description,
      { ...root, pointer: dialect === 'swagger' ? '/host' : '/servers' },
      FAULTS.address.says(address),
    )
  const title = textAt((root.value as JsonObject)['info'], 'title') ?? address.hostname
  return {
    id: name ?? idOf(address, title),
    title,
    url: textOf(address),
    ...(declared === undefined ? {} : { declared: spelt(declared) }),
    security: securityOf(description, dialect),
  }
}

/** The server of the description, or of its first path that names one. */
function declaredAddress(description: Description, dialect: ApiDialect, root: JsonObject): string | undefined {
  if (dialect === 'swagger') return swaggerAddress(root)
  const { file } = description.root
  const paths = isJsonObject(root['paths']) ? Object.values(root['paths']) : []
  return (
    serverIn(root, file) ??
    paths.map((path) => (isJsonObject(path) ? serverIn(path, file) : undefined)).find((url) => url !== undefined)
  )
}

/** An address as addresses are compared; what is none stays as it is. */
const spelt = (url: string): string => {
  const parsed = parsedAddress(url)
  return parsed === undefined ? url : textOf(parsed)
}

const LOOPBACK = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/u

/** An address as it is used from here on: as it was parsed, without its last slash. */
const textOf = ({ href }: URL): string => href.replace(/\/+$/u, '')

/** The parsed address, which is used in place of the text; a sentence if calls may not go there. */
function addressIn(url: string | undefined, source: string | undefined): URL | string {
  const remedy = 'Name the address of the service with --server.'
  if (url === undefined) return `The description names no address of the service. ${remedy}`
  const parsed = parsedAddress(url)
  // A variable without a default is left as it is written.
  if (parsed === undefined || !/^https?:$/u.test(parsed.protocol) || /[{}]/u.test(url))
    return `The address ${JSON.stringify(url)} is not complete. ${remedy}`
  if (parsed.protocol === 'http:' && !LOOPBACK.test(parsed.hostname))
    return `The address ${textOf(parsed)} is not https, so the credential could be read on its way. ${remedy}`
  if (parsed.username !== '' || parsed.password !== '' || parsed.search !== '' || parsed.hash !== '')
    return `The address of the service may have no credential, query or fragment. ${remedy}`
  const from = source !== undefined && /^https?:/u.test(source) ? new URL(source).origin : undefined
  if (from !== undefined && from !== parsed.origin)
    return (
      `The description comes from ${from} and sends the credential to ${parsed.origin}. If that is right, say so: ` +
      `--server ${textOf(parsed)}`
    )
  return parsed
}

/** The first server, its variables as they are by default; a relative one below the address of its document. */
function serverIn(value: JsonObject, file: string): string | undefined {
  const [first] = Array.isArray(value['servers']) ? value['servers'] : []
  const variables = isJsonObject(first) ? first['variables'] : undefined
  const url = textAt(first, 'url')?.replaceAll(/\{([^{}]+)\}/gu, (written, name: string) => {
    const variable = isJsonObject(variables) && Object.hasOwn(variables, name) ? variables[name] : undefined
    return textAt(variable, 'default') ?? written
  })
  return url === undefined ? undefined : besideDocument(file, url)
}

function swaggerAddress(value: JsonObject): string | undefined {
  const host = textAt(value, 'host')
  const schemes = Array.isArray(value['schemes']) ? value['schemes'] : ['https']
  const scheme = schemes.includes('https') ? 'https' : schemes.includes('http') ? 'http' : 'https'
  return host === undefined ? undefined : `${scheme}://${host}${textAt(value, 'basePath') ?? ''}`
}

/** `https://api.source-host.com` is `source_host`. */
function idOf(url: URL, title: string): string {
  const labels = url.hostname.split('.')
  const label =
    LOOPBACK.test(url.hostname) || labels.length < 2 || /^\d+$/u.test(labels.at(-1)!) ? title : labels.at(-2)!
  const id = snakeCase(label).slice(0, 40)
  return /^[a-z]/u.test(id) ? id : 'upstream'
}

/** An operation that another address serves: the credential goes to one only (threat N21). */
export function servedElsewhere(
  description: Description,
  { url, declared }: ApiUpstream,
  operation: ApiOperation,
): void {
  for (const place of [operation.pathItem, operation.at]) {
    const other = isJsonObject(place.value) ? serverIn(place.value, place.document.file) : undefined
    if (other === undefined || [url, declared].includes(spelt(other))) continue
    noteFault(
      description,
      { ...place, pointer: `${place.pointer}/servers` },
      FAULTS.elsewhere.says(operation.id, spelt(other), url),
    )
  }
}
