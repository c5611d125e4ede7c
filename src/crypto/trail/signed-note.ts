/**
 * Checkpoints as C2SP signed notes (c2sp.org/signed-note, c2sp.org/tlog-checkpoint), which witnesses and monitors of
 * other logs read: origin, size and root on a line each, an empty line, then signature lines.
 */
import { createHash, verify } from 'node:crypto'
import type { Checkpoint } from '../../protocol/audit.js'
import type { PublicJwk } from '../../protocol/jwk.js'
import { decodeBase64 } from '../json/base64url.js'
import { parseHash } from '../json/digest.js'
import { importPublicKey } from '../keys/es256.js'
import type { Signer } from '../keys/signer.js'

/** ECDSA over SHA-256, DER; the key id is that of the public key (SPKI). */
const ECDSA_SHA256 = 2

export interface NoteSignature {
  readonly name: string
  /** 4 bytes of key id, then the signature. */
  readonly bytes: Uint8Array
}

export interface SignedNote {
  /** With its final line feed: what is signed. */
  readonly text: string
  readonly signatures: readonly NoteSignature[]
}

export interface NoteCheckpoint {
  readonly origin: string
  readonly size: number
  readonly root: Uint8Array
}

/** The name of a service's log. */
export const originOf = (serviceId: string): string => `${serviceId}/svc/checkpoints`

/** The text of a checkpoint note, before signatures. */
export const noteText = (
  origin: string,
  { entry_count, merkle_root }: Pick<Checkpoint, 'entry_count' | 'merkle_root'>,
): string => `${origin}\n${entry_count}\n${Buffer.from(parseHash(merkle_root)!).toString('base64')}\n`

/** A checkpoint as a note signed by an audit key. */
export async function signNote(
  signer: Signer,
  jwk: PublicJwk,
  origin: string,
  checkpoint: Checkpoint,
): Promise<string> {
  const text = noteText(origin, checkpoint)
  const signature = derOf(await signer.sign(Buffer.from(text)))
  return `${text}\n${signatureLine({ name: origin, bytes: Buffer.concat([keyIdOf(jwk), signature]) })}`
}

export const signatureLine = ({ name, bytes }: NoteSignature): string =>
  `— ${name} ${Buffer.from(bytes).toString('base64')}\n`

/** The verifier key of a log in its usual text: `name+hash+base64(type ‖ key)`. */
export function noteVerifierKey(origin: string, jwk: PublicJwk): string {
  const key = Buffer.concat([Buffer.of(ECDSA_SHA256), spkiOf(jwk)]).toString('base64')
  return `${origin}+${Buffer.from(keyIdOf(jwk)).toString('hex')}+${key}`
}

const spkiOf = (jwk: PublicJwk): Buffer => importPublicKey(jwk)!.export({ type: 'spki', format: 'der' })
const keyIdOf = (jwk: PublicJwk): Uint8Array => createHash('sha256').update(spkiOf(jwk)).digest().subarray(0, 4)

/** A note from its text, or undefined if it is none. */
export function readNote(note: string): SignedNote | undefined {
  const end = note.lastIndexOf('\n\n')
  if (end < 0 || !note.endsWith('\n')) return undefined
  const lines = note.slice(end + 2, -1).split('\n')
  const signatures = lines.map(readSignatureLine)
  if (signatures.some((signature) => signature === undefined)) return undefined
  return { text: note.slice(0, end + 1), signatures: signatures.filter((signature) => signature !== undefined) }
}

/** A signature line, as a note or the answer of a witness holds it. */
export function readSignatureLine(line: string): NoteSignature | undefined {
  const [, name, base64] = /^— ([^\s+]+) (\S+)$/u.exec(line) ?? []
  if (name === undefined || base64 === undefined) return undefined
  const bytes = decodeBase64(base64)
  return bytes !== undefined && bytes.length > 4 ? { name, bytes } : undefined
}

/** Parses the text of a checkpoint note; extension lines are allowed. */
export function readNoteCheckpoint(text: string): NoteCheckpoint | undefined {
  const [origin = '', size = '', base64 = ''] = text.split('\n')
  const root = decodeBase64(base64)
  if (origin === '' || !/^(?:0|[1-9]\d{0,15})$/u.test(size) || root?.length !== 32) return undefined
  return { origin, size: Number(size), root }
}

/** Holds when the log's key signed the note under the log's name. */
export function isNoteSignedBy({ text, signatures }: SignedNote, origin: string, jwk: PublicJwk): boolean {
  const key = importPublicKey(jwk)
  const id = keyIdOf(jwk)
  const own = signatures.filter(({ name, bytes }) => name === origin && Buffer.compare(bytes.subarray(0, 4), id) === 0)
  return key !== undefined && own.some(({ bytes }) => verify('sha256', Buffer.from(text), key, bytes.subarray(4)))
}

/** r and s, 64 bytes, as DER: notes have no other form. */
function derOf(signature: Uint8Array): Uint8Array {
  const body = Buffer.concat([integer(signature.subarray(0, 32)), integer(signature.subarray(32))])
  return Buffer.concat([Buffer.of(0x30, body.length), body])
}

function integer(bytes: Uint8Array): Uint8Array {
  const start = bytes.findIndex((byte) => byte !== 0)
  const digits = bytes.subarray(start < 0 ? 31 : start)
  const content = digits[0]! > 0x7f ? Buffer.concat([Buffer.of(0), digits]) : digits
  return Buffer.concat([Buffer.of(2, content.length), content])
}
