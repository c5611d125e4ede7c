/** Asks a witness to cosign a checkpoint (c2sp.org/tlog-witness): it vouches that it has seen no other history. */
import { readSignatureLine, type NoteSignature } from './signed-note.js'

export interface WitnessRequest {
  /** The size that the witness has cosigned last; 0 for none. */
  readonly oldSize: number
  /** The consistency path from there; empty from 0. */
  readonly path: readonly Uint8Array[]
  readonly note: string
}

export type WitnessAnswer =
  | { readonly outcome: 'cosigned'; readonly signatures: readonly NoteSignature[] }
  /** The witness knows another size than was said: try again from there. */
  | { readonly outcome: 'conflict'; readonly size: number }
  | { readonly outcome: 'refused'; readonly status: number }

const MOST_PATH = 63
const MOST_ANSWER = 16_384

/** Sends a checkpoint to a witness. `send` posts a text and gives status, content type and body. */
export async function addCheckpoint(
  send: (body: string) => Promise<{ readonly status: number; readonly type: string; readonly body: string }>,
  { oldSize, path, note }: WitnessRequest,
): Promise<WitnessAnswer> {
  if (path.length > MOST_PATH) throw new RangeError(`A consistency proof has at most ${MOST_PATH} steps.`)
  const proof = path.map((hash) => `${Buffer.from(hash).toString('base64')}\n`).join('')
  const { status, type, body } = await send(`old ${oldSize}\n${proof}\n${note}`)
  if (status === 409 && type === 'text/x.tlog.size' && /^\d{1,15}\n$/u.test(body))
    return { outcome: 'conflict', size: Number(body) }
  if (status !== 200 || body.length > MOST_ANSWER || !body.endsWith('\n')) return { outcome: 'refused', status }
  const signatures = body.slice(0, -1).split('\n').map(readSignatureLine)
  const read = signatures.filter((signature) => signature !== undefined)
  return read.length === signatures.length ? { outcome: 'cosigned', signatures: read } : { outcome: 'refused', status }
}
