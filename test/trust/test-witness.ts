/** A witness as c2sp.org/tlog-witness describes it, with one log and its memory in this process. */
import { generateKeyPairSync, sign } from 'node:crypto'
import { cosignedBytes, witnessKeyId } from '../../src/crypto/trail/cosignature.js'
import { verifyConsistency } from '../../src/crypto/merkle/merkle-verify.js'
import { isNoteSignedBy, readNote, readNoteCheckpoint, signatureLine, type NoteCheckpoint } from '../../src/crypto/trail/signed-note.js' // prettier-ignore
import type { PublicJwk } from '../../src/protocol/jwk.js'

export function startWitness(
  name: string,
  log: { readonly origin: string; readonly jwk: PublicJwk },
  now: () => number,
) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const key = Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url')
  const known: { last: NoteCheckpoint } = { last: { origin: log.origin, size: 0, root: new Uint8Array(32) } }
  const plain = (status: number, body = '', type = 'text/plain') => ({ status, type, body })

  const send = async (request: string) => {
    const split = request.indexOf('\n\n')
    const [first = '', ...proof] = request.slice(0, split).split('\n')
    const note = readNote(request.slice(split + 2))
    const checkpoint = note === undefined ? undefined : readNoteCheckpoint(note.text)
    const oldSize = Number(/^old (\d+)$/u.exec(first)?.[1] ?? Number.NaN)
    if (note === undefined || checkpoint === undefined || Number.isNaN(oldSize) || oldSize > checkpoint.size)
      return plain(400)
    if (checkpoint.origin !== log.origin) return plain(404)
    if (!isNoteSignedBy(note, log.origin, log.jwk)) return plain(403)
    const { size, root } = known.last
    if (oldSize !== size) return plain(409, `${size}\n`, 'text/x.tlog.size')
    if (checkpoint.size === size && !Buffer.from(checkpoint.root).equals(root)) return plain(409)
    const path = proof.map((hash) => Buffer.from(hash, 'base64'))
    const claim = { fromSize: size, fromRoot: root, toSize: checkpoint.size, toRoot: checkpoint.root, path }
    if (size === 0 ? path.length > 0 : !verifyConsistency(claim)) return plain(422)
    known.last = checkpoint
    const time = Buffer.alloc(8)
    time.writeBigUInt64BE(BigInt(now()))
    const bytes = Buffer.concat([
      witnessKeyId(name, key),
      time,
      sign(null, cosignedBytes(note.text, now()), privateKey),
    ])
    return plain(200, signatureLine({ name, bytes }))
  }
  return { key: { name, publicKey: key }, known, send }
}
