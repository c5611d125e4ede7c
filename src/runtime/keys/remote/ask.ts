import type { ClientRequest, IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import { isRecord } from '../../../crypto/json/kinds.js'
import { parseStrictJson } from '../../../crypto/json/strict-json.js'
import type { JsonObject } from '../../../protocol/manifest.js'
import { KeyTrouble } from '../key-directory.js'
import { onUnanswered } from '../../net/unanswered.js'
import type { SignerRoute } from './address.js'

const ANSWERS_WITHIN_MS = 5_000
const MAX_ANSWER = 1_048_576

/** Asks a signer, and gives its answer. Rejects with `KeyTrouble`, which names the signer and what it said. */
export async function askSigner(address: string, route: SignerRoute, path: string, body?: object): Promise<JsonObject> {
  const { status, text } = await answered(route, path, body).catch((error: unknown) => {
    throw new KeyTrouble(`The signer at ${address} does not answer: ${reasonOf(error)}. Start it with: svc signer`)
  })
  const json = parseStrictJson(text)
  const value = json.ok && isRecord(json.value) ? json.value : undefined
  if (status === 200 && value !== undefined) return value
  const said = typeof value?.['error'] === 'string' ? value['error'] : `it answered ${status}`
  throw new KeyTrouble(`The signer at ${address} refused: ${said.slice(0, 300)}`)
}

interface Answered {
  readonly status: number
  readonly text: string
}

/** A connection that lay idle may have been closed by the other end: that is no answer, and one is asked for anew. */
async function answered(route: SignerRoute, path: string, body: object | undefined): Promise<Answered> {
  const first = sent(route, path, body)
  return first.answer.catch((error: unknown) => {
    if (!first.request.reusedSocket || !isReset(error)) throw error
    return sent(route, path, body).answer
  })
}

function sent({ send, options }: SignerRoute, path: string, body: object | undefined) {
  const text = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
  const signal = AbortSignal.timeout(ANSWERS_WITHIN_MS)
  const about = text === undefined ? {} : { 'content-type': 'application/json', 'content-length': text.length }
  const headers = { ...(options.headers as OutgoingHttpHeaders | undefined), ...about }
  const request = send({ ...options, path, method: text === undefined ? 'GET' : 'POST', headers, signal })
  const answer = answerOf(request)
  request.end(text)
  return { request, answer }
}

const answerOf = (request: ClientRequest): Promise<Answered> =>
  new Promise((resolve, reject) => {
    onUnanswered(request, reject)
    request.once('response', (response) => void textOf(response).then(resolve, reject))
  })

async function textOf(response: IncomingMessage): Promise<Answered> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response as AsyncIterable<Uint8Array>) {
    length += chunk.length
    if (length > MAX_ANSWER) throw new Error(`its answer is longer than ${MAX_ANSWER} bytes`)
    chunks.push(chunk)
  }
  return { status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }
}

const isReset = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE')

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.name === 'AbortError' || error.name === 'TimeoutError'
    ? `nothing came within ${ANSWERS_WITHIN_MS / 1000} s`
    : error.message
}
