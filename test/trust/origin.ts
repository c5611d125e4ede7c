import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { signDetached } from '../../src/crypto/jws/jws.js'
import { publishManifest } from '../../src/crypto/jws/published-manifest.js'
import { jwksOf, signerFor } from '../../src/crypto/keys/key-ring.js'
import { publishedKeysOf } from '../../src/crypto/keys/published-keys.js'
import { readKeyRing } from '../../src/runtime/keys/key-directory.js'
import { capability, manifestOf } from '../runtime/fixture/manifest.js'

/** What an operator hands to those who verify: all public keys, the signed manifest of `flights`, and the id of its key; as options. */
export async function originOf(keys: string, folder: string): Promise<readonly string[]> {
  const ring = await readKeyRing(keys)
  const signer = signerFor(ring, 'manifest')
  const now = Date.now()
  const [issued_at, expires_at] = [now, now + 86_400_000].map((time) => new Date(time).toISOString()) as [
    string,
    string,
  ]
  const { bytes } = publishManifest(
    manifestOf({ search: capability() }),
    { issued_at, expires_at },
    publishedKeysOf(ring),
  )
  mkdirSync(folder, { recursive: true })
  const place = (name: string) => join(folder, name)
  writeFileSync(place('manifest.json'), bytes)
  writeFileSync(place('manifest.jws'), await signDetached(signer, bytes))
  writeFileSync(place('all.jwks.json'), JSON.stringify(jwksOf(ring, now)))
  return ['--jwks', place('all.jwks.json'), '--manifest', place('manifest.json'), '--manifest-kid', signer.kid]
}
