import { readJwks } from '../../crypto/jwk.js'
import { parseStrictJson } from '../../crypto/strict-json.js'
import type { PublicJwk } from '../../protocol/jwk.js'
import { CliError } from '../cli-error.js'
import { read } from './given.js'

/** The public keys that the user trusts. */
export async function trustedKeys(file: string): Promise<readonly PublicJwk[]> {
  const json = parseStrictJson(await read(file))
  if (!json.ok) throw new CliError(`--jwks ${file}: ${json.reason}`)
  const keys = readJwks(json.value)
  if (typeof keys === 'string') throw new CliError(`--jwks ${file}: ${keys}`)
  if (keys.length === 0) throw new CliError(`--jwks ${file} holds no keys.`)
  return keys
}
