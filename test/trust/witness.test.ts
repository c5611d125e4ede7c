import { beforeEach, describe, expect, it } from 'vitest'
import { parseHash } from '../../src/crypto/json/digest.js'
import { cosignedAt, readWitnessKey, witnessKeyText } from '../../src/crypto/trail/cosignature.js'
import { generateRingKey } from '../../src/crypto/keys/key-ring.js'
import { isNoteSignedBy, noteVerifierKey, originOf, readNote, readNoteCheckpoint, readSignatureLine, signatureLine } from '../../src/crypto/trail/signed-note.js' // prettier-ignore
import { addCheckpoint } from '../../src/crypto/trail/witness.js'
import { checkpointNote } from '../../src/runtime/checkpoints/note.js'
import { makeCheckpoint } from '../../src/runtime/checkpoints/make.js'
import { consistencyPath } from '../../src/runtime/checkpoints/tree.js'
import { AUDIT_KEY, startTrail } from './trail.js'
import { startWitness } from './test-witness.js'

const ORIGIN = originOf('flights')
const SECONDS = 1_900_000_000
const about = { serviceId: 'flights', ring: { keys: [AUDIT_KEY] } }

let trail: Awaited<ReturnType<typeof startTrail>>
let notes: readonly string[] = []
beforeEach(async () => {
  trail = await startTrail()
  const made: string[] = []
  for (const [first, last] of [
    [1, 3],
    [4, 7],
    [8, 12],
  ] as const) {
    await trail.append(first, last)
    const { checkpoint_id } = (await makeCheckpoint(trail.dependencies)).made!
    made.push(await checkpointNote(trail.storage, about, checkpoint_id))
  }
  notes = made
})

const witness = () => startWitness('witness.example/w1', { origin: ORIGIN, jwk: AUDIT_KEY.publicJwk }, () => SECONDS)
const path = (from: number, to: number) => consistencyPath(trail.storage.audit, from, to)

describe('a checkpoint as a signed note', () => {
  it('has origin, size and root on a line each, and a signature line', async () => {
    const { merkle_root } = (await trail.storage.checkpoints.latest())!
    const root = Buffer.from(parseHash(merkle_root)!).toString('base64')
    const [text, signature] = notes[2]!.split('\n\n')
    expect(text).toBe(`flights/svc/checkpoints\n12\n${root}`)
    expect(signature).toMatch(/^— flights\/svc\/checkpoints [A-Za-z0-9+/]+={0,2}\n$/u)
    expect(readNoteCheckpoint(`${text}\n`)).toEqual({ origin: ORIGIN, size: 12, root: parseHash(merkle_root) })
  })

  it('is verified by the key that signed it and by no other', () => {
    const note = readNote(notes[0]!)!
    expect(isNoteSignedBy(note, ORIGIN, AUDIT_KEY.publicJwk)).toBe(true)
    expect(isNoteSignedBy(note, originOf('hotels'), AUDIT_KEY.publicJwk)).toBe(false)
    expect(isNoteSignedBy(note, ORIGIN, generateRingKey('audit', 'active').publicJwk)).toBe(false)
    expect(isNoteSignedBy({ ...note, text: note.text.replace('\n3\n', '\n4\n') }, ORIGIN, AUDIT_KEY.publicJwk)).toBe(
      false,
    )
  })

  it('has a verifier key of the usual form', () => {
    expect(noteVerifierKey(ORIGIN, AUDIT_KEY.publicJwk)).toMatch(
      /^flights\/svc\/checkpoints\+[0-9a-f]{8}\+A[A-Za-z0-9+/]+={0,2}$/u,
    )
  })

  it.each(['', '\n', 'a\n1\nAA==\n', 'a\n1\nAA==\n\n', 'a\n\n— b !!\n', 'a\n\n- b AAAAAAAA\n', 'a\n\n— b AAAAAAAA'])(
    '%j is no note',
    (text) => {
      expect(readNote(text)).toBeUndefined()
    },
  )

  it.each(['a\n-1\nAA==\n', 'a\n01\nAA==\n', 'a\n1\nAA==\n', '\n1\nAA==\n', `a\n1\n${'A'.repeat(43)}\n`])(
    '%j is no checkpoint',
    (text) => {
      expect(readNoteCheckpoint(text)).toBeUndefined()
    },
  )
})

describe('a witness', () => {
  it('cosigns the first checkpoint and those that continue it; its line is published under the note', async () => {
    const { send, key } = witness()
    const first = await addCheckpoint(send, { oldSize: 0, path: [], note: notes[0]! })
    expect(first.outcome).toBe('cosigned')
    const second = await addCheckpoint(send, { oldSize: 3, path: await path(3, 12), note: notes[2]! })
    if (second.outcome !== 'cosigned') throw new Error(second.outcome)
    const published = readNote(notes[2]! + second.signatures.map(signatureLine).join(''))!
    expect(isNoteSignedBy(published, ORIGIN, AUDIT_KEY.publicJwk)).toBe(true)
    expect(cosignedAt(published, key)).toBe(SECONDS)
    expect(cosignedAt(readNote(notes[2]!)!, key)).toBeUndefined()
    expect(cosignedAt({ ...published, text: readNote(notes[1]!)!.text }, key)).toBeUndefined()
  })

  it('is not believed where a line beside its own is no signature', async () => {
    const { send } = witness()
    const first = { oldSize: 0, path: [], note: notes[0]! }
    const { body, ...answer } = await send(`old 0\n\n${notes[0]!}`)
    const added = await addCheckpoint(async () => ({ ...answer, body: `${body}and more\n` }), first)
    expect(added).toEqual({ outcome: 'refused', status: 200 })
    expect((await addCheckpoint(async () => ({ ...answer, body }), first)).outcome).toBe('cosigned')
  })

  it('answers with its size when the old size is not the one that it knows', async () => {
    const { send } = witness()
    await addCheckpoint(send, { oldSize: 0, path: [], note: notes[1]! })
    expect(await addCheckpoint(send, { oldSize: 3, path: await path(3, 12), note: notes[2]! })).toEqual({
      outcome: 'conflict',
      size: 7,
    })
    expect((await addCheckpoint(send, { oldSize: 7, path: await path(7, 12), note: notes[2]! })).outcome).toBe(
      'cosigned',
    )
  })

  it('refuses a proof that does not hold: a second history', async () => {
    const { send } = witness()
    await addCheckpoint(send, { oldSize: 0, path: [], note: notes[0]! })
    const other = await startTrail()
    await other.append(51, 60)
    const { checkpoint_id } = (await makeCheckpoint(other.dependencies)).made!
    const forked = await checkpointNote(other.storage, about, checkpoint_id)
    const forkedPath = await consistencyPath(other.storage.audit, 3, 10)
    expect(await addCheckpoint(send, { oldSize: 3, path: forkedPath, note: forked })).toEqual({
      outcome: 'refused',
      status: 422,
    })
    expect(await addCheckpoint(send, { oldSize: 3, path: [], note: notes[2]! })).toEqual({
      outcome: 'refused',
      status: 422,
    })
  })

  it('refuses a log that it does not know and a signature that is not the log’s', async () => {
    const { send } = witness()
    const foreign = { serviceId: 'hotels', ring: about.ring }
    const { checkpoint_id } = (await trail.storage.checkpoints.latest())!
    const hotels = await checkpointNote(trail.storage, foreign, checkpoint_id)
    expect(await addCheckpoint(send, { oldSize: 0, path: [], note: hotels })).toEqual({
      outcome: 'refused',
      status: 404,
    })
    const key = generateRingKey('audit', 'active')
    const stranger = await checkpointNote(trail.storage, { serviceId: 'flights', ring: { keys: [key] } }, checkpoint_id)
    expect(await addCheckpoint(send, { oldSize: 0, path: [], note: stranger })).toEqual({
      outcome: 'refused',
      status: 403,
    })
  })

  it.each([
    ['a status', { status: 500, type: 'text/plain', body: 'x' }],
    ['a body that is no signature', { status: 200, type: 'text/plain', body: '<html>\n' }],
    ['an endless body', { status: 200, type: 'text/plain', body: '— a AAAAAAAA\n'.repeat(2000) }],
    ['a conflict without a size', { status: 409, type: 'text/html', body: 'x' }],
  ])('is not believed when it answers with %s', async (_, answer) => {
    expect((await addCheckpoint(async () => answer, { oldSize: 0, path: [], note: notes[0]! })).outcome).toBe('refused')
  })

  it('has a key of the usual form', () => {
    const { key } = witness()
    expect(readWitnessKey(witnessKeyText(key))).toEqual(key)
    expect(readWitnessKey(witnessKeyText(key).replace('+', '+0'))).toBeUndefined()
    expect(readWitnessKey(noteVerifierKey(ORIGIN, AUDIT_KEY.publicJwk))).toBeUndefined()
  })

  it('writes lines that are read back', () => {
    const line = { name: 'w', bytes: Buffer.from('abcdefgh') }
    expect(readSignatureLine(signatureLine(line).trimEnd())).toEqual(line)
  })
})
