import { usableAddress } from '../../client/base-url.js'
import { sendable, TransportError } from '../../client/transport.js'
import { CliError } from '../shared/errors/cli-error.js'
import type { ConnectionOptions } from './connection.js'
import { credentialFor } from './credential.js'

const WITHIN_MS = 30_000

/** The address of the service, which is not one that a credential would cross in the clear. */
export function addressOf({ url = process.env['SVC_URL'] ?? 'http://127.0.0.1:4100' }: ConnectionOptions): string {
  try {
    return usableAddress(url, true, false)
  } catch (error) {
    throw new CliError((error as Error).message)
  }
}

/** A document of a service: without a credential, unless the service shows it to callers who have one only. */
export async function readFromService<Document>(options: ConnectionOptions, path: string): Promise<Document> {
  const url = addressOf(options)
  const open = await get(url + path)
  const response = open.status === 401 ? await get(url + path, await credentialFor(url)) : open
  return (await response.json().catch((error: unknown) => unreached(error))) as Document
}

const get = (address: string, credential?: string): Promise<Response> =>
  fetch(address, {
    headers: credential === undefined ? {} : { authorization: `Bearer ${sendable(credential)}` },
    redirect: 'error',
    signal: AbortSignal.timeout(WITHIN_MS),
  }).catch((error: unknown) => unreached(error))

export const unreached = (error: unknown): never => {
  throw new TransportError(`The service gave no answer: ${error instanceof Error ? error.message : String(error)}.`)
}
