/**
 * Has a witness cosign the newest checkpoint of a service, and keeps the cosigned note to publish
 * (c2sp.org/tlog-witness).
 */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { cosignedAt, readWitnessKey, type WitnessKey } from '../../crypto/trail/cosignature.js'
import { readCheckpoint } from '../../crypto/merkle/checkpoint-proofs.js'
import { parseHash } from '../../crypto/json/digest.js'
import { readNote, readNoteCheckpoint, signatureLine, type NoteCheckpoint } from '../../crypto/trail/signed-note.js'
import { addCheckpoint, type WitnessAnswer } from '../../crypto/trail/witness.js'
import type { Checkpoint } from '../../protocol/audit.js'
import { pathOf } from '../../protocol/endpoints.js'
import type { Json, JsonObject } from '../../protocol/manifest.js'
import { bodyAtMost } from '../../runtime/net/read-at-most.js'
import { say } from '../shared/output/say.js'
import { CliError, EXIT, type ExitCode } from '../shared/errors/cli-error.js'
import { replaceFile } from '../shared/files/replace-file.js'
import { recordIn } from '../verify/given.js'

export interface WitnessOptions {
  readonly service: string
  readonly witness: string
  readonly witnessKey: string
  readonly out: string
}

/** Asks for a cosignature; from the size that the kept note has, and once more from the size that the witness names. */
export async function witnessTrail(options: WitnessOptions): Promise<ExitCode> {
  const key = readWitnessKey(options.witnessKey)
  if (key === undefined)
    throw new CliError('--witness-key is not the key of a witness: name+hash+base64, of type cosignature/v1.')
  const kept = await keptCheckpoint(options.out)
  const checkpoints = await listed(options.service, kept?.size)
  const newest = checkpoints[0]
  if (newest === undefined) throw new CliError('The service has no checkpoint yet.', EXIT.findings)
  const note = await get(options.service, `${pathOf('checkpoint', { id: newest.checkpoint_id })}?format=note`)
  if (!isOf(readCheckpointOf(note), newest))
    throw new CliError(
      `The note of the checkpoint ${newest.checkpoint_id} has another size or root than the list of checkpoints: ` +
        'the service shows two histories.',
      EXIT.findings,
    )
  if (kept !== undefined) refuseFork(options.out, kept, checkpoints)
  let answer = await ask(options, note, checkpoints, kept?.size ?? 0)
  if (answer.outcome === 'conflict') answer = await ask(options, note, checkpoints, answer.size)
  if (answer.outcome !== 'cosigned')
    throw new CliError(`The witness does not cosign (${describe(answer)}): ${reasonOf(answer)}.`, EXIT.findings)
  return keep(options, note + answer.signatures.map(signatureLine).join(''), key)
}

const describe = (answer: WitnessAnswer): string =>
  answer.outcome === 'conflict'
    ? `it knows size ${answer.size}`
    : answer.outcome === 'refused'
      ? `status ${answer.status}`
      : ''

const FORK = 'it has cosigned another history of this trail, so the trail has forked'

/** By the status that a witness refuses with (c2sp.org/tlog-witness). */
const REASONS: { readonly [status: number]: string } = {
  403: 'it knows no key that has signed this checkpoint',
  404: 'it does not know this trail',
  409: FORK,
  422: FORK,
}

const reasonOf = (answer: WitnessAnswer): string =>
  (answer.outcome === 'refused' ? REASONS[answer.status] : undefined) ?? 'it knows another history, or another log'

const isOf = (note: NoteCheckpoint | undefined, { entry_count, merkle_root }: Checkpoint): boolean =>
  note?.size === entry_count && Buffer.from(note.root).equals(parseHash(merkle_root) ?? Buffer.alloc(0))

/** Before anybody is asked: what was cosigned once is what the service still shows. */
function refuseFork(out: string, kept: NoteCheckpoint, checkpoints: readonly Checkpoint[]): void {
  const shown = checkpoints.find(({ entry_count }) => entry_count === kept.size)
  if (shown === undefined || isOf(kept, shown)) return
  throw new CliError(
    `The trail has forked: its checkpoint of size ${kept.size}, ${shown.checkpoint_id}, has another root than ${out}. ` +
      'Keep both: they are the proof.',
    EXIT.findings,
  )
}

async function keep({ out }: WitnessOptions, text: string, key: WitnessKey): Promise<ExitCode> {
  const note = readNote(text)
  const time = note === undefined ? undefined : cosignedAt(note, key)
  if (time === undefined) throw new CliError(`The answer is not signed by the witness ${key.name}.`, EXIT.findings)
  await replaceFile(out, text)
  say(`${out}: cosigned by ${key.name} at ${new Date(time * 1000).toISOString()}`)
  return EXIT.ok
}

async function ask(
  { service, witness }: WitnessOptions,
  note: string,
  checkpoints: readonly Checkpoint[],
  oldSize: number,
): Promise<WitnessAnswer> {
  const path = oldSize === 0 ? [] : await proofFrom(service, checkpoints, oldSize)
  const send = async (body: string) => {
    const response = await request(`${witness.replace(/\/$/u, '')}/add-checkpoint`, { method: 'POST', body })
    return { status: response.status, type: response.headers.get('content-type') ?? '', body: await textOf(response) }
  }
  return addCheckpoint(send, { oldSize, path, note })
}

async function proofFrom(
  service: string,
  checkpoints: readonly Checkpoint[],
  size: number,
): Promise<readonly Uint8Array[]> {
  const older = checkpoints.find(({ entry_count }) => entry_count === size)
  if (older === undefined)
    throw new CliError(`The service has no checkpoint of size ${size}, which the witness knows.`, EXIT.findings)
  const newest = pathOf('checkpoint', { id: checkpoints[0]!.checkpoint_id })
  const path = `${newest}?consistency_from=${encodeURIComponent(older.checkpoint_id)}`
  const { consistency_proof: proof } = await record(service, path)
  const hashes = typeof proof === 'object' && proof !== null ? (proof as JsonObject)['path'] : undefined
  if (!Array.isArray(hashes)) return strange(service)
  return (hashes as readonly Json[]).map((hash) => (typeof hash === 'string' && parseHash(hash)) || strange(service))
}

const keptCheckpoint = async (out: string): Promise<NoteCheckpoint | undefined> =>
  existsSync(out) ? readCheckpointOf(await readFile(out, 'utf8')) : undefined

function readCheckpointOf(text: string): NoteCheckpoint | undefined {
  const note = readNote(text)
  return note === undefined ? undefined : readNoteCheckpoint(note.text)
}

/** Pages of the list that are read at most: one checkpoint in ten seconds, for ten days. */
const MOST_PAGES = 100

/** Checkpoints from the newest down to the size that the witness has cosigned, if it is in reach. */
async function listed(service: string, size = Infinity): Promise<readonly Checkpoint[]> {
  const all: Checkpoint[] = []
  let page = ''
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const { checkpoints, next_cursor } = await record(service, `${pathOf('checkpoints')}?limit=1000${page}`)
    const read = Array.isArray(checkpoints) ? (checkpoints as readonly Json[]).map(readCheckpoint) : [undefined]
    all.push(...read.map((each) => each ?? strange(service)))
    if (typeof next_cursor !== 'string' || (all.at(-1)?.entry_count ?? 0) <= size) break
    page = `&cursor=${encodeURIComponent(next_cursor)}`
  }
  return all
}

async function record(service: string, path: string): Promise<JsonObject> {
  const read = recordIn(Buffer.from(await get(service, path)))
  return typeof read === 'string' ? strange(service) : read
}

function strange(service: string): never {
  throw new CliError(`${service} does not answer as a service does. Name its base address: --service https://…`)
}

async function get(service: string, path: string): Promise<string> {
  const response = await request(service.replace(/\/$/u, '') + path, {})
  if (!response.ok) throw new CliError(`${service}${path} answered ${response.status}.`)
  return textOf(response)
}

/** A thousand checkpoints and their proofs take a tenth of this. */
const MOST_BYTES = 16 * 1024 * 1024

async function textOf(response: Response): Promise<string> {
  const bytes = await bodyAtMost(response, MOST_BYTES).catch(() => {
    throw new CliError(`${response.url} broke off its answer.`)
  })
  if (bytes === undefined) throw new CliError(`${response.url} answered more than ${MOST_BYTES} bytes.`)
  return new TextDecoder().decode(bytes)
}

const request = (url: string, init: RequestInit): Promise<Response> =>
  fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(10_000) }).catch(() => {
    throw new CliError(`${url} cannot be reached.`)
  })
