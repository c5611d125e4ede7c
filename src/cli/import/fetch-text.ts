import { parsedAddress } from '../../protocol/address.js'
import { CliError } from '../shared/errors/cli-error.js'
import { decodedText } from './decoded-text.js'

const TIMEOUT_MS = 20_000
const MOST_BYTES = 32 * 1024 * 1024
const LOOPBACK = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/u

/** The text at an address; https unless it is this machine, and no redirect is followed. */
export async function fetchedText(address: string): Promise<string> {
  const url = parsedAddress(address)
  if (url === undefined) throw new CliError(`${address} is not an address such as https://shop.example/openapi.json.`)
  if (url.username !== '' || url.password !== '')
    throw new CliError('The address holds a credential; save the document, and import the file.')
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname))
    throw new CliError(`${url.href} is read over https only: anybody on the way could answer in its place.`)
  try {
    return await textAt(url)
  } catch (error) {
    if (error instanceof CliError) throw error
    throw new CliError(`${url.href} cannot be read (${reasonOf(error)}).`)
  }
}

async function textAt(url: URL): Promise<string> {
  const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) })
  if (!response.ok) throw new CliError(`${url.href} answered ${response.status}, not with a document.`)
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    if (length > MOST_BYTES) throw new CliError(`${url.href} answered more than 32 MiB.`)
    chunks.push(chunk)
  }
  return decodedText(Buffer.concat(chunks))
}

const reasonOf = (error: unknown): string =>
  !(error instanceof Error) ? String(error) : error.cause === undefined ? error.message : reasonOf(error.cause)
