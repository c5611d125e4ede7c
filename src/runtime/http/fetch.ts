import type { Service } from '../service.js'
import { answerOverHttp } from './answer.js'
import { assertAnnounced, refuseLarge } from './body.js'
import { refuseBusy, type BodyInFlight } from '../request/bodies-in-flight.js'
import type { HttpRequest, HttpResponse } from './exchange.js'

/** Serves the service over HTTP: a request in, a response out (section 4). It never rejects. */
export function fetchHandler(service: Service): (request: Request, client?: string) => Promise<Response> {
  const answer = answerOverHttp(service)
  return async (request, client = '') => responseOf(await answer(httpRequestOf(request, client)))
}

function httpRequestOf(request: Request, client: string): HttpRequest {
  const { pathname, search } = new URL(request.url)
  return {
    method: request.method,
    target: pathname + search,
    client,
    header: (name) => request.headers.get(name),
    body: (most, inFlight) => boundedBytes(request, most, inFlight),
  }
}

/** The body, counted while it comes: a length that was announced may be a lie. */
async function boundedBytes(request: Request, most: number, inFlight: BodyInFlight): Promise<Uint8Array> {
  assertAnnounced(request.headers.get('content-length'), most)
  return request.body === null ? new Uint8Array() : counted(request.body, most, inFlight)
}

async function counted(body: ReadableStream<Uint8Array>, most: number, inFlight: BodyInFlight): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of body) {
    length += part.length
    if (length > most) return refuseLarge(most)
    if (!inFlight.take(part.length)) return refuseBusy()
    parts.push(part)
  }
  return Buffer.concat(parts)
}

function responseOf({ status, headers, body }: HttpResponse): Response {
  const pairs = headers.flatMap((name, index) => (index % 2 === 0 ? [[name, headers[index + 1]!]] : []))
  return new Response(body as string | Uint8Array<ArrayBuffer> | ReadableStream | null, {
    status,
    headers: pairs as [string, string][],
  })
}
