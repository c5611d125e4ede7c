/** Notes of checkpoints and what witnesses add to them: each signature counts by name, key and bytes alike. */
import { generateKeyPairSync, sign } from 'node:crypto'
import { expect, it } from 'vitest'
import { generateRingKey } from '../../src/crypto/keys/key-ring.js'
import {
  cosignedAt,
  cosignedBytes,
  readWitnessKey,
  witnessKeyId,
  witnessKeyText,
} from '../../src/crypto/trail/cosignature.js'
import { isNoteSignedBy, readNote, readSignatureLine, signNote } from '../../src/crypto/trail/signed-note.js'
import { addCheckpoint } from '../../src/crypto/trail/witness.js'

const ORIGIN = 'flights/svc/checkpoints'
const HEAD = { entry_count: 3, merkle_root: `sha256:${'ab'.repeat(32)}` }
const KEY = generateRingKey('audit', 'active')
const signed = async (signer = KEY.signer!) => readNote(await signNote(signer, KEY.publicJwk, ORIGIN, HEAD as never))!

it('the signature of a log counts under its name and the id of its key', async () => {
  const note = await signed()
  const [{ bytes } = { bytes: new Uint8Array() }] = note.signatures
  const as = (name: string, id: Uint8Array) => ({ ...note, signatures: [{ name, bytes: Buffer.concat([id, bytes.subarray(4)]) }] }) // prettier-ignore
  const isSigned = (name: string, id: Uint8Array) => isNoteSignedBy(as(name, id), ORIGIN, KEY.publicJwk)
  expect(isSigned(ORIGIN, bytes.subarray(0, 4))).toBe(true)
  expect(isSigned('hotels/svc/checkpoints', bytes.subarray(0, 4))).toBe(false)
  expect(isSigned(ORIGIN, Buffer.from([1, 2, 3, 4]))).toBe(false)
})

const HALF = (...first: readonly number[]) => Buffer.concat([Buffer.from(first), Buffer.alloc(32 - first.length, 1)])
const ONES = '01'.repeat(31)

it.each<[string, Uint8Array, string]>([
  ['a first byte of 7f', HALF(0x7f), `02207f${ONES}`],
  ['a first byte of 80, which would be negative', HALF(0x80), `02210080${ONES}`],
  ['a first byte of 0, which is left out', HALF(0), `021f${ONES}`],
  ['zeros before a byte of ff', HALF(0, 0, 0xff), `021f00ff${'01'.repeat(29)}`],
  ['nothing but zeros', Buffer.alloc(32), '020100'],
])('a half of a signature with %s is an integer of DER', async (_, half, integer) => {
  const { signatures } = await signed({ kid: KEY.kid, sign: () => Buffer.concat([half, half]) })
  const length = integer.length.toString(16).padStart(2, '0')
  expect(Buffer.from(signatures[0]!.bytes.subarray(4)).toString('hex')).toBe(`30${length}${integer}${integer}`)
})

it.each([
  ['— w AQIDBAU=', true],
  ['— w AQIDBA==', false],
  ['— w AQIDBAU', false],
  ['— w AQIDBAV=', false],
  ['- w AQIDBAU=', false],
  ['— w x AQIDBAU=', false],
])('%j is a line of a signature: %s', (line, isOne) => {
  expect(readSignatureLine(line) !== undefined).toBe(isOne)
})

const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const WITNESS = { name: 'w', publicKey: Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url') }
const TEXT = `${ORIGIN}\n3\nAAAA\n`

it.each<[string, { readonly name?: string; readonly id?: Uint8Array; readonly more?: number; readonly at?: number }, number | undefined]>([
  ['as the witness gave it', {}, 7],
  ['under another name', { name: 'v' }, undefined],
  ['under the id of another key', { id: witnessKeyId('v', WITNESS.publicKey) }, undefined],
  ['with a byte behind it', { more: 1 }, undefined],
  ['at another time', { at: 8 }, undefined],
])('a cosignature %s was given at %j: %s', (_, { name = 'w', id = witnessKeyId('w', WITNESS.publicKey), more = 0, at = 7 }, time) => {
  const stamp = Buffer.alloc(8)
  stamp.writeBigUInt64BE(BigInt(at))
  const bytes = Buffer.concat([id, stamp, sign(null, cosignedBytes(TEXT, 7), privateKey), Buffer.alloc(more)])
  expect(cosignedAt({ text: TEXT, signatures: [{ name, bytes }] }, WITNESS)).toBe(time)
}) // prettier-ignore

it('the key of a witness is read only under its own name, hash and kind', () => {
  // A key in Base64 may hold a plus, too.
  const [, name, hash, key] = /^(.*?)\+(.*?)\+(.*)$/u.exec(witnessKeyText(WITNESS))!
  const ofKind = (kind: number) => Buffer.concat([Buffer.of(kind), WITNESS.publicKey]).toString('base64')
  expect(readWitnessKey(`${name}+${hash}+${key}`)).toEqual(WITNESS)
  expect(readWitnessKey(`v+${hash}+${key}`)).toBeUndefined()
  expect(readWitnessKey(`${name}+00000000+${key}`)).toBeUndefined()
  expect([4, 1].map((kind) => readWitnessKey(`${name}+${hash}+${ofKind(kind)}`)?.name)).toEqual(['w', undefined])
})

const LINE = '— w AQIDBAU=\n'
const longLine = (characters: number) => `— ${'w'.repeat(characters - 16)} AQIDBAUGBwgJ\n`

it.each<[string, number, string, string, object]>([
  ['its cosignature', 200, 'text/plain', LINE, { outcome: 'cosigned' }],
  ['two lines', 200, 'text/plain', LINE + LINE, { outcome: 'cosigned' }],
  ['another size', 409, 'text/x.tlog.size', '12\n', { outcome: 'conflict', size: 12 }],
  ['a conflict of another kind', 409, 'text/plain', '12\n', { outcome: 'refused', status: 409 }],
  ['no size', 409, 'text/x.tlog.size', '-1\n', { outcome: 'refused', status: 409 }],
  ['a line that is none', 200, 'text/plain', `${LINE}more\n`, { outcome: 'refused', status: 200 }],
  ['half a line', 200, 'text/plain', LINE.trim(), { outcome: 'refused', status: 200 }],
  ['a cosignature with another status', 201, 'text/plain', LINE, { outcome: 'refused', status: 201 }],
  ['16,384 characters', 200, 'text/plain', longLine(16_384), { outcome: 'cosigned' }],
  ['one more', 200, 'text/plain', longLine(16_385), { outcome: 'refused', status: 200 }],
])('a witness that answers %s', async (_, status, type, body, expected) => {
  const answer = await addCheckpoint(async () => ({ status, type, body }), { oldSize: 0, path: [], note: 'note' })
  expect(answer).toMatchObject(expected)
}) // prettier-ignore

it('a witness is sent a proof of 63 steps and no more', async () => {
  const sent: string[] = []
  const send = async (body: string) => (sent.push(body), { status: 403, type: 'text/plain', body: '' })
  const path = Array.from({ length: 64 }, () => Buffer.alloc(32))
  await addCheckpoint(send, { oldSize: 5, path: path.slice(1), note: 'note' })
  expect(sent).toEqual([`old 5\n${`${'A'.repeat(43)}=\n`.repeat(63)}\nnote`])
  await expect(addCheckpoint(send, { oldSize: 5, path, note: 'note' })).rejects.toThrow(RangeError)
})
