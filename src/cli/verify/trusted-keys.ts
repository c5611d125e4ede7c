import { readJwks } from '../../crypto/keys/jwk.js'
import { parseStrictJson } from '../../crypto/json/strict-json.js'
import type { PublicJwk } from '../../protocol/jwk.js'
import { parsedAddress } from '../../protocol/address.js'
import { bodyAtMost } from '../../runtime/net/read-at-most.js'
import { CliError } from '../shared/errors/cli-error.js'
import { readArtefact } from './read.js'

/** The public keys that the user trusts, from a file, or from where a service publishes them. */
export async function trustedKeys(file: string): Promise<readonly PublicJwk[]> {
  const json = parseStrictJson(/^https?:\/\//u.test(file) ? await fetched(file) : await readArtefact(file))
  if (!json.ok) throw new CliError(`--jwks ${file}: ${json.reason}`)
  const keys = readJwks(json.value)
  if (typeof keys === 'string') throw new CliError(`--jwks ${file}: ${keys}`)
  if (keys.length === 0) throw new CliError(`--jwks ${file} holds no keys.`)
  return keys
}

const MOST_BYTES = 1_048_576

async function fetched(address: string): Promise<Uint8Array> {
  const url = parsedAddress(address)
  if (url === undefined)
    throw new CliError(`--jwks ${address} is not an address such as https://example.org/jwks.json.`)
  const { protocol, hostname, href } = url
  if (protocol !== 'https:' && !/^(?:localhost|127\.0\.0\.1|\[::1\])$/u.test(hostname))
    throw new CliError(`--jwks ${href}: keys that came without https are worth nothing.`)
  const answer = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(10_000) })
    .then(async (response) => ({ status: response.status, bytes: await bodyAtMost(response, MOST_BYTES) }))
    .catch(() => undefined)
  if (answer?.status !== 200)
    throw new CliError(
      `--jwks ${href} cannot be had${answer === undefined ? '' : ` (${answer.status})`}. Save the keys in a file, ` +
        'and name that.',
    )
  const { bytes } = answer
  if (bytes === undefined) throw new CliError(`--jwks ${href} is too large to be a JWKS.`)
  return bytes
}
