import { parsedAddress } from '../../protocol/address.js'
import { CliError } from '../shared/errors/cli-error.js'
import type { ManifestSources } from '../validate/read-manifest.js'

const TIMEOUT_MS = 10_000
const MOST_BYTES = 16 * 1024 * 1024
const LOOPBACK = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/u

/**
 * The manifest that a service serves, or the document at an address that ends in `.json` or `.yaml`. No redirect is
 * followed.
 */
export async function fetchedManifest(address: string): Promise<ManifestSources> {
  const url = urlOf(address)
  const text = await textAt(url).catch((error: unknown) => {
    if (error instanceof CliError) throw error
    throw new CliError(`${url.href} cannot be read (${reasonOf(error)}).`)
  })
  return { sources: [{ file: url.href, text }], includeProblems: [] }
}

function urlOf(address: string): URL {
  const url = parsedAddress(address)
  if (url === undefined) throw new CliError(`${address} is not an address such as https://shop.example.`)
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname))
    throw new CliError(`${address} is read over https only: anybody on the way could answer in its place.`)
  if (url.username !== '' || url.password !== '')
    throw new CliError('The address holds a credential; a manifest needs none.')
  if (!/\.(?:json|ya?ml)$/u.test(url.pathname) && !url.pathname.endsWith('/svc/manifest'))
    url.pathname = `${url.pathname.replace(/\/+$/u, '')}/svc/manifest`
  return url
}

async function textAt(url: URL): Promise<string> {
  const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) })
  if (response.status === 401)
    throw new CliError(`${url.href} is for callers with a credential: read it with one, and compare the file.`)
  if (!response.ok) throw new CliError(`${url.href} answered ${response.status}, not with a manifest.`)
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    if (length > MOST_BYTES) throw new CliError(`${url.href} answered more than 16 MiB.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Returns the root cause of an error: `fetch` reports only that it failed. */
const reasonOf = (error: unknown): string =>
  !(error instanceof Error) ? String(error) : error.cause === undefined ? error.message : reasonOf(error.cause)
