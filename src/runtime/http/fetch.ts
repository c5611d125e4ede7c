import type { Service } from '../service.js'
import { answerOverHttp } from './answer.js'
import { assertAnnounced, refuseLarge, refuseRead } from './body.js'
import { refuseBusy, type BodyInFlight } from '../request/bodies-in-flight.js'
import type { HttpRequest, HttpResponse } from './exchange.js'

/** Serves the service over HTTP: a request in, a response out (section 4). It never rejects. */
export function fetchHandler(service: Service): (request: Request, client?: string) => Promise<Response> {
  const answer = answerOverHttp(service)
  const { requestTimeoutMs } = service.limits
  return async (request, client = '') =>
    webResponseOf(await answer(httpRequestOf(request, targetIn(request), client)), requestTimeoutMs)
}

/** Path and query of a web request. */
export function targetIn(request: Request): string {
  const { pathname, search } = new URL(request.url)
  return pathname + search
}

export function httpRequestOf(request: Request, target: string, client: string): HttpRequest {
  return {
    method: request.method,
    target,
    client,
    header: (name) => request.headers.get(name),
    isGone: () => request.signal.aborted,
    body: (most, inFlight) => boundedBytes(request, most, inFlight),
  }
}

/** The body, counted while it comes: a length that was announced may be a lie. */
async function boundedBytes(request: Request, most: number, inFlight: BodyInFlight): Promise<Uint8Array> {
  if (request.bodyUsed) refuseRead()
  assertAnnounced(request.headers.get('content-length'), most)
  return request.body === null ? new Uint8Array() : counted(request.body, most, inFlight)
}

async function counted(body: ReadableStream<Uint8Array>, most: number, inFlight: BodyInFlight): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  const reader = body.getReader()
  const cancel = (): void => void reader.cancel().catch(() => undefined)
  let [length, isEnded] = [0, false]
  inFlight.whenEnded(() => ((isEnded = true), cancel()))
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    length += part.value.length
    const isLarge = length > most
    if (isLarge || !inFlight.take(part.value.length)) {
      cancel()
      return isLarge ? refuseLarge(most) : refuseBusy()
    }
    parts.push(part.value)
  }
  return isEnded ? refuseBusy() : Buffer.concat(parts)
}

/** `heldMs`: how long what the answer holds waits for a carrier that takes nothing. */
export function webResponseOf({ status, headers, body, left }: HttpResponse, heldMs: number): Response {
  const pairs = headers.flatMap((name, index) => (index % 2 === 0 ? [[name, headers[index + 1]!]] : []))
  const carried = left === undefined ? body : untilTaken(body, left, heldMs)
  return new Response(carried as string | Uint8Array<ArrayBuffer> | ReadableStream | null, {
    status,
    headers: pairs as [string, string][],
  })
}

/**
 * A body that holds a place until whoever carries it takes or drops it, for a time at most: what is on its way then is
 * bounded by the carrier.
 */
function untilTaken(body: HttpResponse['body'], left: () => void, heldMs: number): HttpResponse['body'] {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  if (!(bytes instanceof Uint8Array)) {
    left()
    return body
  }
  const end = once(left)
  const timer = setTimeout(end, heldMs).unref()
  const ended = (): void => (clearTimeout(timer), end())
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    if (bytes.length > 0) controller.enqueue(bytes)
    controller.close()
    ended()
  }
  return new ReadableStream<Uint8Array>({ pull, cancel: ended }, { highWaterMark: 0 })
}

function once(act: () => void): () => void {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    act()
  }
}
