import type { Json, JsonObject } from '../protocol/manifest.js'
import { hasShape, parseShallow } from './answer-shape.js'
import {
  assertSameCall,
  continuing,
  envelopeOf,
  invokeCapability,
  isEnvelope,
  keyFor,
  sendInvocation,
  type AnyOutcome,
  type CallOptions,
  type Registration,
} from './invoke.js'
import { LONGEST_TIMER_MS } from './deadline.js'
import { deadlineOf, TransportError, type Connection } from './transport.js'

/** One step that a streaming capability reported. */
export interface ProgressEvent {
  readonly invocation_id: string
  /** RFC 3339. */
  readonly timestamp: string
  readonly payload: Json
}

/**
 * A streaming call: iterate over its progress, or ask for its outcome. Reading is what moves it; nothing is buffered.
 */
export interface Streaming<Outcome> extends AsyncIterable<ProgressEvent> {
  /** Returns the outcome of the call. Skips unread parts. */
  outcome(): Promise<Outcome>
}

/** Invokes a capability and gives its outcome; what only streams is followed to its end. */
export async function call(
  connection: Connection,
  registration: Registration,
  parameters: object,
  options: CallOptions,
): Promise<AnyOutcome> {
  if (registration.unary !== false) return invokeCapability(connection, registration, parameters, options)
  const steps = follow(connection, registration, parameters, options)
  for (;;) {
    const step = await steps.next()
    if (step.done === true) return step.value
  }
}

/** Invokes a capability and follows it. A stream is not repeated: what was shown would be shown again. */
export function stream(
  connection: Connection,
  registration: Registration,
  parameters: object,
  options: CallOptions,
  toldOf: (outcome: AnyOutcome) => AnyOutcome,
): Streaming<AnyOutcome> {
  const steps = follow(connection, registration, parameters, options)
  let ended: Promise<AnyOutcome> | undefined
  const next = async (): Promise<IteratorResult<ProgressEvent, undefined>> => {
    if (ended === undefined) {
      const step = await steps.next().catch((error: unknown) => ({ done: true, value: Promise.reject(error) }) as const)
      if (step.done !== true) return step
      // Who asks while another is answered finds the generator at its end, with nothing to say.
      if (step.value !== undefined) ended ??= Promise.resolve(step.value).then(toldOf)
    }
    await ended
    return { done: true, value: undefined }
  }
  return {
    [Symbol.asyncIterator]: () => ({ next }),
    async outcome() {
      for (;;) {
        if (ended !== undefined) return ended
        await next()
      }
    },
  }
}

async function* follow(
  connection: Connection,
  registration: Registration,
  parameters: object,
  { signal, retries: _, idempotency_key, ...request }: CallOptions,
): AsyncGenerator<ProgressEvent, AnyOutcome, undefined> {
  const given = { parameters: parameters as JsonObject, ...continuing(registration, request), ...request }
  const body = { ...given, stream: true }
  const key = idempotency_key ?? keyFor(registration, request)
  const response = await sendInvocation(connection, registration, body, key, signal)
  if (response.body === null || !isEvents(response)) return envelopeOf(connection, response, signal, request)
  let invocation: string | undefined
  try {
    for await (const { event, data } of eventsIn(connection, response, response.body)) {
      const step = event === 'progress' && isStep(data)
      const ended = event !== 'progress' && isEnvelope(data)
      if (!step && !ended) continue
      if (data.invocation_id !== (invocation ??= data.invocation_id)) throw new TransportError(OF_ANOTHER)
      if (step) yield data
      if (!ended) continue
      assertSameCall(request, data, response)
      return data
    }
  } catch (cause) {
    signal?.throwIfAborted()
    if (cause instanceof TransportError) throw cause
    throw new TransportError(BROKEN_OFF, { status: response.status, cause })
  }
  throw new TransportError(BROKEN_OFF, { status: response.status })
}

const OF_ANOTHER = 'The stream has an event of another invocation; the trail says what became of the call.'
const BROKEN_OFF = 'The stream ended before the call did; the trail says what became of it.'

const isStep = (data: unknown): data is ProgressEvent =>
  hasShape(data, { invocation_id: 'string', timestamp: 'string' }) && 'payload' in data

const isEvents = (response: Response): boolean =>
  response.headers.get('Content-Type')?.startsWith('text/event-stream') === true

interface ServerEvent {
  readonly event: string
  readonly data: unknown
}

/** The events of a stream; each has one line of data, which is a JSON object (decisions, section 4). */
async function* eventsIn(
  { maxAnswerBytes, maxStreamBytes, streamTimeoutMs }: Connection,
  response: Response,
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<ServerEvent, void, undefined> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let begun: string[] = []
  let [length, total, held] = [0, 0, '']
  let isLate = false
  const end = timeLimit(streamTimeoutMs, () => {
    isLate = true
    void reader.cancel().catch(() => undefined)
  })
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (isLate) throw new TransportError(tooSlow(streamTimeoutMs))
      if (done) return
      total += value.length
      if (total > maxStreamBytes) throw new TransportError(streamTooLong(maxStreamBytes))
      const blocks = `${held}${decoder.decode(value, { stream: true })}`.split('\n\n')
      const rest = blocks.pop() ?? ''
      // A reader may take its time: the service is not late then.
      if (blocks.length > 0) deadlineOf(response)?.rest()
      for (const block of blocks) {
        yield* eventIn(`${begun.join('')}${block}`)
        ;[begun, length] = [[], 0]
      }
      // What drips without ever ending an event has no more time than one that says nothing.
      if (blocks.length > 0) deadlineOf(response)?.touch()
      // A line end may be the first half of what ends an event.
      held = rest.endsWith('\n') ? '\n' : ''
      begun.push(held === '' ? rest : rest.slice(0, -1))
      length += rest.length
      if (length > maxAnswerBytes) throw new TransportError(tooLong(maxAnswerBytes))
    }
  } finally {
    clearTimeout(end)
    deadlineOf(response)?.end()
    await reader.cancel().catch(() => undefined)
  }
}

function timeLimit(ms: number, late: () => void): ReturnType<typeof setTimeout> | undefined {
  if (!Number.isFinite(ms)) return undefined
  const timer = setTimeout(late, Math.min(ms, LONGEST_TIMER_MS))
  ;(timer as { readonly unref?: () => void }).unref?.()
  return timer
}

const tooSlow = (most: number): string =>
  `The stream took longer than ${most} ms (streamTimeoutMs); the trail says what became of the call.`

const streamTooLong = (most: number): string =>
  `The stream is longer than ${most} bytes (maxStreamBytes); the trail says what became of the call.`

const tooLong = (most: number): string =>
  `The stream has an event of more than ${most} bytes (maxAnswerBytes); the trail says what became of the call.`

function* eventIn(block: string): Generator<ServerEvent, void, undefined> {
  const fields = new Map(
    block
      .split('\n')
      .map((line) => [line.slice(0, Math.max(0, line.indexOf(':'))), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const data = fields.get('data')
  if (data !== undefined) yield { event: fields.get('event') ?? 'message', data: parseShallow(data) }
}
