/** Verifies what the service says with nothing but its public keys and the standard library. */
import { createHash, createPublicKey, verify } from 'node:crypto'

/** Canonical JSON (RFC 8785) of plain data: sorted members, no blanks. */
const canonical = (value) =>
  value === null || typeof value !== 'object'
    ? JSON.stringify(value)
    : Array.isArray(value)
      ? `[${value.map(canonical).join(',')}]`
      : `{${Object.keys(value)
          .sort()
          .map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`)
          .join(',')}}`

const sha256 = (...parts) =>
  createHash('sha256')
    .update(Buffer.concat(parts.map((part) => Buffer.from(part))))
    .digest()

/** Verifies a detached JWS (RFC 7515, appendix F) and gives the key id. */
function verifyDetached(jws, payload, jwks) {
  const [header, empty, signature] = jws.split('.')
  const { alg, kid } = JSON.parse(Buffer.from(header, 'base64url').toString())
  const jwk = jwks.keys.find((key) => key.kid === kid)
  if (alg !== 'ES256' || empty !== '' || jwk === undefined) throw new Error('The signature is not of a known key.')
  const signed = Buffer.from(`${header}.${Buffer.from(payload).toString('base64url')}`)
  const key = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' }
  if (!verify('sha256', signed, key, Buffer.from(signature, 'base64url'))) throw new Error('The signature is wrong.')
  return kid
}

/** Fetches the manifest and verifies digest and signature; gives the key id. */
export async function verifyManifest(url, jwks) {
  const answer = await fetch(url, { signal: AbortSignal.timeout(30_000) })
  const bytes = Buffer.from(await answer.arrayBuffer())
  const manifest = JSON.parse(bytes.toString())
  const { sha256: digest, ...metadata } = manifest.manifest_metadata
  if (sha256(canonical({ ...manifest, manifest_metadata: metadata })).toString('hex') !== digest)
    throw new Error('The digest is wrong.')
  return verifyDetached(answer.headers.get('X-SVC-Signature'), bytes, jwks)
}

/** Verifies the signature of a checkpoint. */
export function verifyCheckpoint({ checkpoint_id, sequence, merkle_root, entry_count, created_at, signature }, jwks) {
  return verifyDetached(signature, canonical({ checkpoint_id, sequence, merkle_root, entry_count, created_at }), jwks)
}

/** Verifies that the leaf is under the checkpoint's root (RFC 9162, section 2.1.3.2). */
export function verifyInclusion({ merkle_root, inclusion_proof: { leaf_index, tree_size, leaf_hash, path } }) {
  const bytes = (text) => Buffer.from(text.replace(/^sha256:/u, ''), 'hex')
  let [index, last, hash] = [leaf_index, tree_size - 1, bytes(leaf_hash)]
  for (const sibling of path.map(bytes)) {
    if (last === 0) throw new Error('The proof is too long.')
    if (index % 2 === 1 || index === last) {
      hash = sha256([1], sibling, hash)
      while (index % 2 === 0 && index !== 0) [index, last] = [index >> 1, last >> 1]
    } else {
      hash = sha256([1], hash, sibling)
    }
    ;[index, last] = [index >> 1, last >> 1]
  }
  if (last !== 0 || `sha256:${hash.toString('hex')}` !== merkle_root)
    throw new Error('The entry is not under this root.')
}
