/** MCP over stdio for clients that speak nothing else, answered by a service over HTTP (surfaces, credential D). */
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { linesOf } from '../../../runtime/surfaces/lines.js'
import { exchange, type Upstream } from './exchange.js'
import { ERROR_CODES, errorMessage, messageIn, type McpMessage, type McpMessageId } from './message.js'

const MOST_BYTES = 4 * 1024 * 1024
/** Most requests that run at a time; the bridge reads the next when one ends. */
const MOST_RUNNING = 32
/** Time for answers that are on their way when the client has gone. */
const GRACE_MS = 10_000

interface Session {
  readonly upstream: Upstream
  readonly write: (message: object) => Promise<void>
  readonly running: Map<McpMessageId, AbortController>
}

/** Passes messages to and fro until the input ends or the signal ends it; then what is on its way is answered. */
export async function bridge(
  upstream: Upstream,
  input: AsyncIterable<Uint8Array>,
  output: Writable,
  signal: AbortSignal,
): Promise<void> {
  const session: Session = { upstream, write: writerTo(output), running: new Map() }
  const answered = new Set<Promise<void>>()
  signal.addEventListener('abort', () => session.running.forEach((each) => each.abort()))
  for await (const line of linesOf(input, MOST_BYTES)) {
    const done = take(session, line).finally(() => answered.delete(done))
    answered.add(done)
    while (answered.size >= MOST_RUNNING) await Promise.race(answered)
  }
  await Promise.race([Promise.all(answered), pause(GRACE_MS, undefined, { ref: false })])
  session.running.forEach((each) => each.abort())
  await Promise.all(answered)
}

/** One line, one message; written one after another, no faster than it is read. */
function writerTo(output: Writable): Session['write'] {
  let gone = output.destroyed
  const leave = () => (gone = true)
  output.on('error', leave).on('close', leave)
  const put = async (line: string) => {
    if (gone || output.write(line)) return
    await Promise.race([once(output, 'drain'), once(output, 'close')]).then(undefined, leave)
  }
  let turn = Promise.resolve()
  return (message) => (turn = turn.then(() => put(`${JSON.stringify(message)}\n`)))
}

async function take(session: Session, line: Uint8Array | 'too_long'): Promise<void> {
  if (line === 'too_long')
    return session.write(errorMessage(null, ERROR_CODES.request, `A message may have ${MOST_BYTES} bytes at most.`))
  const message = messageIn(line)
  if (typeof message === 'string') return session.write(errorMessage(null, ERROR_CODES.parse, message))
  if (message.method === 'notifications/cancelled') return cancel(session, message)
  // An answer of the client has no request: servers ask nothing of it here.
  if (message.method === undefined) return undefined
  return passOn(session, message)
}

/** Over HTTP, whoever does not want an answer any more hangs up. */
function cancel({ running }: Session, { params }: McpMessage): void {
  const id = params?.['requestId']
  if (typeof id === 'string' || typeof id === 'number') running.get(id)?.abort()
}

async function passOn({ upstream, write, running }: Session, message: McpMessage): Promise<void> {
  const { id } = message
  const controller = new AbortController()
  if (id === undefined) return exchange(upstream, message, write, controller.signal)
  if (running.has(id)) return write(errorMessage(null, ERROR_CODES.request, 'The id of this request is still in use.'))
  running.set(id, controller)
  await exchange(upstream, message, write, controller.signal).finally(() => running.delete(id))
}
