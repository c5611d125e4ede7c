import type { IncomingMessage, ServerResponse } from 'node:http'
import { MAX_SIGNED_BYTES } from '../../crypto/keys/artefacts.js'
import { writeStoredSecret, type StoredSecret } from '../../crypto/keys/secret-key.js'
import { writeStoredKey } from '../../crypto/keys/stored-key.js'
import { SIGNER_PATHS } from '../../protocol/signer.js'
import type { Log } from '../../runtime/definition.js'
import type { Callers } from './callers.js'
import type { HeldKeys } from './held-keys.js'
import { refusedToSign, signIfAllowed, type Signed } from './sign.js'

export interface SignerState {
  readonly keys: HeldKeys
  /** Secret keys, which a service is given once, when it starts. */
  readonly secrets: () => Promise<readonly StoredSecret[]>
  /** Checks whether the rate allows one more signature. */
  readonly take: () => boolean
  readonly callers: Callers
  readonly log: Log
}

/** base64url, and the members around it. */
const MAX_BODY = Math.ceil((MAX_SIGNED_BYTES * 4) / 3) + 1_024

/** Answers the messages; one line of log for each signature and each refusal, without what was signed. */
export async function answer(state: SignerState, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const begun = performance.now()
  const caller = state.callers.nameOf(request)
  const asked = `${request.method} ${request.url}`
  const signed =
    caller === undefined
      ? refusedToSign(403, state.callers.refusal)
      : await answerTo(asked, state, request).catch((error: unknown) => failed(state.log, error))
  const text = JSON.stringify(signed.value)
  response.writeHead(signed.status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
  response.end(text)
  if (asked === `GET ${SIGNER_PATHS.keys}` && signed.status === 200) return
  const fields = { ...signed.logged, caller: caller ?? 'unknown', ms: Math.round(performance.now() - begun) }
  if (signed.status === 200) state.log.info(asked.startsWith('GET') ? 'Secrets given.' : 'Signed.', fields)
  else state.log.warn('Not signed.', { ...fields, ...signed.value })
}

async function answerTo(
  asked: string,
  { keys, secrets, take }: SignerState,
  request: IncomingMessage,
): Promise<Signed> {
  if (asked === `GET ${SIGNER_PATHS.keys}`) return { status: 200, value: published(await keys()), logged: {} }
  if (asked === `GET ${SIGNER_PATHS.secrets}`)
    return { status: 200, value: { keys: (await secrets()).map(secretJwk) }, logged: { artefact: 'secrets' } }
  if (asked !== `POST ${SIGNER_PATHS.sign}`)
    return refusedToSign(
      404,
      `There is GET ${SIGNER_PATHS.keys}, GET ${SIGNER_PATHS.secrets} and POST ${SIGNER_PATHS.sign}.`,
    )
  const body = await bodyOf(request)
  return body === undefined
    ? refusedToSign(413, `A request has at most ${MAX_BODY} bytes.`)
    : signIfAllowed(body, await keys(), take)
}

const secretJwk = (secret: StoredSecret): unknown => JSON.parse(writeStoredSecret(secret))

/** Public halves with role and times, as they are in files, and the ids of those that sign here. */
function published(keys: Awaited<ReturnType<HeldKeys>>): object {
  const publicHalf = ({ stored: { privateJwk: _, ...rest } }: (typeof keys)[number]): unknown =>
    JSON.parse(writeStoredKey(rest))
  const signs = keys.filter(({ signer }) => signer !== undefined).map(({ stored }) => stored.publicJwk.kid)
  return { keys: keys.map(publicHalf), signs }
}

async function bodyOf(request: IncomingMessage): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    length += chunk.length
    if (length > MAX_BODY) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function failed(log: Log, error: unknown): Signed {
  log.error('A key could not sign.', { error: String(error) })
  return refusedToSign(503, 'The key cannot sign at the moment.')
}
