/** Cosignatures of witnesses (c2sp.org/tlog-cosignature): Ed25519 over a checkpoint note and the time of cosigning. */
import { createHash, createPublicKey, verify, type KeyObject } from 'node:crypto'
import { decodeBase64 } from '../json/base64url.js'
import type { SignedNote } from './signed-note.js'

const COSIGNATURE_V1 = 4

export interface WitnessKey {
  readonly name: string
  /** 32 bytes, Ed25519. */
  readonly publicKey: Uint8Array
}

/** A witness's key from its usual text, `name+hash+base64(4 ‖ key)`, or undefined if it is none. */
export function readWitnessKey(text: string): WitnessKey | undefined {
  const [, name, id, base64] = /^([^\s+]+)\+([0-9a-f]{8})\+(\S+)$/u.exec(text.trim()) ?? []
  const bytes = decodeBase64(base64 ?? '')
  if (name === undefined || bytes?.length !== 33 || bytes[0] !== COSIGNATURE_V1) return undefined
  const publicKey = bytes.subarray(1)
  return Buffer.from(witnessKeyId(name, publicKey)).toString('hex') === id ? { name, publicKey } : undefined
}

/** The text of a witness's key. */
export const witnessKeyText = ({ name, publicKey }: WitnessKey): string =>
  [
    name,
    Buffer.from(witnessKeyId(name, publicKey)).toString('hex'),
    Buffer.concat([Buffer.of(COSIGNATURE_V1), publicKey]).toString('base64'),
  ].join('+')

/** The 4 bytes that name a witness's key, which is the 32 bytes of an Ed25519 public key. */
export const witnessKeyId = (name: string, publicKey: Uint8Array): Uint8Array =>
  createHash('sha256').update(`${name}\n`).update(Buffer.of(COSIGNATURE_V1)).update(publicKey).digest().subarray(0, 4)

/**
 * Returns when a witness cosigned a note, in s since the epoch; undefined unless one of its signatures is the
 * witness's.
 */
export function cosignedAt({ text, signatures }: SignedNote, { name, publicKey }: WitnessKey): number | undefined {
  const id = witnessKeyId(name, publicKey)
  const key = ed25519(publicKey)
  for (const signature of signatures) {
    const { bytes } = signature
    if (signature.name !== name || bytes.length !== 76 || Buffer.compare(bytes.subarray(0, 4), id) !== 0) continue
    const time = Number(Buffer.from(bytes.subarray(4, 12)).readBigUInt64BE())
    if (verify(null, cosignedBytes(text, time), key, bytes.subarray(12))) return time
  }
  return undefined
}

/** Returns the bytes that a witness signs (c2sp.org/tlog-cosignature). */
export const cosignedBytes = (text: string, time: number): Uint8Array =>
  Buffer.from(`cosignature/v1\ntime ${time}\n${text}`)

const ed25519 = (publicKey: Uint8Array): KeyObject =>
  createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey).toString('base64url') },
    format: 'jwk',
  })
