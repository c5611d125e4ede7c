import { createPublicKey, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isRecord } from '../../crypto/json/kinds.js'
import { parseStrictJson } from '../../crypto/json/strict-json.js'
import { readPublicJwk } from '../../crypto/keys/jwk.js'
import type { PublicJwk } from '../../protocol/jwk.js'
import type { Json } from '../../protocol/manifest.js'
import { CliError } from '../shared/errors/cli-error.js'

/** The public half of a P-256 key in a file: PEM, DER as modules export it, or a JWK. */
export function readPublicHalf(file: string): PublicJwk {
  const bytes = contentOf(file)
  const json = parseStrictJson(bytes)
  if (json.ok) return publicJwkIn(file, json.value)
  const key = bytes.toString('latin1').startsWith('-----BEGIN')
    ? imported(() => createPublicKey(bytes))
    : imported(() => createPublicKey({ key: bytes, format: 'der', type: 'spki' }))
  const jwk = key === undefined ? 'It is no public key.' : readPublicJwk({ ...key.export({ format: 'jwk' }) } as Json)
  if (typeof jwk === 'string') throw new CliError(`${file} is not a public P-256 key in PEM, DER or JWK. ${jwk}`)
  return jwk
}

/** A JWK, or the only one of a JWKS. A private half that is in it is not read. */
function publicJwkIn(file: string, value: Json): PublicJwk {
  const keys = isRecord(value) ? value['keys'] : undefined
  const jwk = readPublicJwk(Array.isArray(keys) && keys.length === 1 ? keys[0] : value)
  if (typeof jwk === 'string') throw new CliError(`${file} is not a public P-256 key as a JWK. ${jwk}`)
  return jwk
}

function contentOf(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    throw new CliError(`${file} cannot be read: ${String(error)}`)
  }
}

function imported(read: () => KeyObject): KeyObject | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
