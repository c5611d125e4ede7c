import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { signDetachedByJose } from '../../crypto/jws/jose-jws.js'
import type { Jwks, PrivateJwk } from '../../protocol/jwk.js'
import { PUBLISHED } from '../../runtime/keys/dist-digests.js'
import { replaceFile } from '../shared/files/replace-file.js'

/**
 * Writes a published manifest and, by a key, its signature. The signature goes first and comes last: where it is, it is
 * of the manifest beside it, also after a kill.
 */
export async function writePublished(folder: string, bytes: Uint8Array, key: PrivateJwk | undefined): Promise<void> {
  await rm(join(folder, PUBLISHED.signature), { force: true })
  await replaceFile(join(folder, PUBLISHED.manifest), bytes)
  if (key !== undefined) await replaceFile(join(folder, PUBLISHED.signature), await signDetachedByJose(key, bytes))
}

/** The public keys, as the service serves them. */
export async function writeJwks(folder: string, jwks: Jwks): Promise<void> {
  const [file, text] = [join(folder, PUBLISHED.jwks), `${JSON.stringify(jwks)}\n`]
  if ((await readFile(file, 'utf8').catch(() => undefined)) !== text) await replaceFile(file, text)
}
