import { encodeBase64url } from '../../../src/crypto/json/base64url.js'
import type { Signer } from '../../../src/crypto/keys/signer.js'
import type { ArtefactKind } from '../../../src/cli/verify/kinds.js'

/** One golden vector. */
export interface GoldenCase {
  readonly id: string
  readonly kind: ArtefactKind | 'token'
  readonly expect: 'valid' | 'invalid'
  readonly why: string
  /** The artefact as a file holds it. */
  readonly artefact: string
  /** For manifests: the detached signature. */
  readonly signature?: string
  /** For entries: the checkpoint in detail form. */
  readonly checkpoint?: string
  /** For checkpoints: an older one that it must continue; for exports: one that the reader holds. */
  readonly since?: string
  /** For exports that do not verify: the first bad sequence. */
  readonly first_bad?: number
}

type Rest = Omit<GoldenCase, 'id' | 'kind' | 'expect' | 'why' | 'artefact'>

/** Names cases of one kind: `manifest-01-…`. */
export function caseBook(kind: GoldenCase['kind']) {
  const cases: GoldenCase[] = []
  const add =
    (expect: GoldenCase['expect']) =>
    (name: string, why: string, artefact: string, rest: Rest = {}) =>
      void cases.push({
        id: `${kind}-${String(cases.length + 1).padStart(2, '0')}-${name}`,
        kind,
        expect,
        why,
        artefact,
        ...rest,
      })
  return { valid: add('valid'), invalid: add('invalid'), cases }
}

/** A detached JWS with any header, signed over any input; for what must be refused. */
export async function oddJws(signer: Signer, payload: Uint8Array, header: object): Promise<string> {
  const segment = encodeBase64url(JSON.stringify(header))
  const signature = await signer.sign(Buffer.from(`${segment}.${encodeBase64url(payload)}`))
  return `${segment}..${encodeBase64url(signature)}`
}

/** The same r and s as DER. */
export function asDer(jws: string): string {
  const [header = '', payload = '', signature = ''] = jws.split('.')
  const bytes = Buffer.from(signature, 'base64url')
  const integer = (part: Uint8Array) => {
    const trimmed = Buffer.from(part.subarray(part.findIndex((byte) => byte !== 0)))
    const content = trimmed[0]! > 0x7f ? Buffer.concat([Buffer.of(0), trimmed]) : trimmed
    return Buffer.concat([Buffer.of(2, content.length), content])
  }
  const body = Buffer.concat([integer(bytes.subarray(0, 32)), integer(bytes.subarray(32))])
  return `${header}.${payload}.${encodeBase64url(Buffer.concat([Buffer.of(0x30, body.length), body]))}`
}

/** The signature with one bit of `s` turned. */
export function flipped(jws: string): string {
  const at = jws.lastIndexOf('.') + 1
  const bytes = Buffer.from(jws.slice(at), 'base64url')
  bytes[63]! ^= 1
  return jws.slice(0, at) + encodeBase64url(bytes)
}

/** The same signature bytes in another spelling: a stray bit in the last character. */
export function respelled(jws: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return jws.slice(0, -1) + alphabet[alphabet.indexOf(jws.at(-1)!) ^ 1]!
}
