import { NUL, parseStrictJson } from '../../crypto/json/strict-json.js'
import type { Json } from '../../protocol/manifest.js'
import type { Service } from '../service.js'
import { refuse } from '../errors/refusal.js'
import type { BodyInFlight, BodySender } from '../request/bodies-in-flight.js'
import type { HttpRequest } from './exchange.js'

/** Clients in Java and .NET write `utf8`, and an empty parameter at the end. */
const JSON_TYPE = /^application\/json\s*(?:;\s*charset="?utf-?8"?\s*)?;?\s*$/iu

/** The JSON value of a request's body, undefined when it is empty (decisions, section 9). */
export async function readBody(
  request: HttpRequest,
  { limits, bodies }: Pick<Service, 'limits' | 'bodies'>,
  sender: BodySender,
): Promise<Json | undefined> {
  const inFlight = bodies.begin(sender)
  const bytes = await wholeBody(request, inFlight).finally(inFlight.end)
  if (bytes.length === 0) return undefined
  assertJson(request)
  const parsed = parseStrictJson(bytes, {
    maxDepth: limits.jsonDepth,
    maxMembers: limits.jsonMembers,
    maxValues: limits.jsonValues,
    refuses: NUL,
  })
  return parsed.ok
    ? parsed.value
    : refuse('invalid_parameters', `The request body is not acceptable JSON: ${parsed.reason}`)
}

async function wholeBody(request: HttpRequest, inFlight: BodyInFlight): Promise<Uint8Array> {
  const bytes = await request.body(inFlight.most, inFlight)
  await inFlight.turn()
  return bytes
}

function assertJson(request: HttpRequest): void {
  const type = request.header('content-type') ?? ''
  if (type !== 'application/json' && !JSON_TYPE.test(type))
    refuse('unsupported_media_type', 'Send the body as Content-Type: application/json, in UTF-8.')
  if ((request.header('content-encoding') ?? 'identity') !== 'identity')
    refuse('unsupported_media_type', 'Send the body without a Content-Encoding.')
}

/** Refuses a body whose announced length is above the limit before any of it is read. */
export function assertAnnounced(length: string | null, most: number): void {
  if (length !== null && Number(length) > most) refuseLarge(most)
}

export const refuseLarge = (most: number): never =>
  refuse('payload_too_large', `A request body may have ${most} bytes at most.`)

/** Refuses a body that is gone: what an application has read before cannot be judged here. */
export const refuseRead = (): never =>
  refuse(
    'internal_error',
    'The application has read the body of this request before the service could. Mount the service before body ' +
      'parsers such as express.json().',
  )
