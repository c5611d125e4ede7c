/** The messages in an answer over HTTP: one as JSON, or several as events; bounded, whatever a server sends. */
import { linesOf } from '../../../runtime/surfaces/lines.js'
import { isMembers, messageIn, type McpMessage } from './message.js'

/** The longest message that is passed on. */
const MOST_BYTES = 16 * 1024 * 1024

const LONGEST_WAIT_MS = 10_000

/** An answer that is none of an MCP server. */
export class UnusableAnswer extends Error {
  override readonly name = 'UnusableAnswer'
}

/** Reason for a missing message. */
export interface RefusedExchange {
  readonly text: string
  /** True if a retry of the same request may succeed. */
  readonly mayPass: boolean
  readonly waitMs?: number
  readonly data?: object
}

export type AnswerOfService = { readonly message: McpMessage } | { readonly refused: RefusedExchange }

/** `secret` is what must not come back: the token that was sent. */
export async function* answersIn(response: Response, secret: string): AsyncGenerator<AnswerOfService> {
  const withoutSecret = (text: string): string => text.replaceAll(secret, '[token]')
  if (response.headers.get('content-type')?.startsWith('text/event-stream') === true) {
    for await (const text of dataOf(response)) {
      const message = messageIn(withoutSecret(text))
      if (typeof message !== 'string') yield { message }
    }
    return
  }
  const text = withoutSecret(await textOf(response))
  const message = messageIn(text)
  yield typeof message === 'string' ? { refused: refusedIn(response, text) } : { message }
}

/** A governed refusal, or what something in between answered. */
function refusedIn({ status, headers }: Response, text: string): RefusedExchange {
  const mayPass = status === 408 || status === 425 || status > 499
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  const wait = Number.isFinite(seconds) ? { waitMs: Math.min(Math.max(seconds, 0) * 1000, LONGEST_WAIT_MS) } : {}
  const failure = failureIn(text)
  if (failure === undefined) return { text: `The service answered ${status}, and no message of MCP.`, mayPass, ...wait }
  return { text: failure.detail, mayPass: mayPass && failure.retry === true, data: { failure }, ...wait }
}

function failureIn(text: string): { readonly detail: string; readonly retry?: unknown } | undefined {
  try {
    const body = JSON.parse(text) as unknown
    const failure = isMembers(body) ? body['failure'] : undefined
    return isMembers(failure) && typeof failure['detail'] === 'string' ? (failure as { detail: string }) : undefined
  } catch {
    return undefined
  }
}

async function textOf({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of body ?? []) {
    length += part.length
    if (length > MOST_BYTES) throw new UnusableAnswer(`The service answered more than ${MOST_BYTES} bytes.`)
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}

/** A message is JSON on one line of data. */
async function* dataOf({ body }: Response): AsyncGenerator<string> {
  for await (const line of linesOf(body ?? (async function* none() {})(), MOST_BYTES)) {
    if (line === 'too_long') throw new UnusableAnswer(`The service sent an event of more than ${MOST_BYTES} bytes.`)
    const text = Buffer.from(line).toString()
    if (text.startsWith('data:')) yield text.slice('data:'.length)
  }
}
