import { createPublicKey, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readPublicJwk } from '../../crypto/keys/jwk.js'
import type { PublicJwk } from '../../protocol/jwk.js'
import type { Json } from '../../protocol/manifest.js'
import { CliError } from '../cli-error.js'

/** The public half of a P-256 key in a file: PEM, or DER as modules export it. */
export function readPublicHalf(file: string): PublicJwk {
  const bytes = contentOf(file)
  const key = bytes.toString('latin1').startsWith('-----BEGIN')
    ? imported(() => createPublicKey(bytes))
    : imported(() => createPublicKey({ key: bytes, format: 'der', type: 'spki' }))
  const jwk = key === undefined ? 'It is no public key.' : readPublicJwk({ ...key.export({ format: 'jwk' }) } as Json)
  if (typeof jwk === 'string') throw new CliError(`${file} is not a public P-256 key in PEM or DER. ${jwk}`)
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
