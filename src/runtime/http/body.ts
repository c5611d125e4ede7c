import { parseStrictJson } from '../../crypto/strict-json.js'
import type { Json } from '../../protocol/manifest.js'
import type { RuntimeLimits } from '../limits.js'
import { refuse } from '../refusal.js'

const JSON_TYPE = /^application\/json(?:\s*;\s*charset="?utf-8"?)?\s*$/iu

/** The JSON value of a request's body, undefined when it is empty (decisions, section 9). */
export async function readBody(request: Request, limits: RuntimeLimits): Promise<Json | undefined> {
  const bytes = await boundedBytes(request, limits.bodyBytes)
  if (bytes.length === 0) return undefined
  assertJson(request.headers)
  const parsed = parseStrictJson(bytes, { maxDepth: limits.jsonDepth })
  return parsed.ok
    ? parsed.value
    : refuse('invalid_parameters', `The request body is not acceptable JSON: ${parsed.reason}`)
}

function assertJson(headers: Headers): void {
  if (!JSON_TYPE.test(headers.get('content-type') ?? ''))
    refuse('unsupported_media_type', 'Send the body as Content-Type: application/json, in UTF-8.')
  if ((headers.get('content-encoding') ?? 'identity') !== 'identity')
    refuse('unsupported_media_type', 'Send the body without a Content-Encoding.')
}

/** A body whose length was announced cannot be longer; one that comes in chunks is counted while it comes. */
async function boundedBytes(request: Request, most: number): Promise<Uint8Array> {
  const announced = request.headers.get('content-length')
  if (Number(announced ?? 0) > most) return tooLarge(most)
  if (announced !== null) return new Uint8Array(await request.arrayBuffer())
  return request.body === null ? new Uint8Array() : counted(request.body, most)
}

async function counted(body: ReadableStream<Uint8Array>, most: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of body) {
    length += part.length
    if (length > most) return tooLarge(most)
    parts.push(part)
  }
  return Buffer.concat(parts)
}

const tooLarge = (most: number): never => refuse('payload_too_large', `A request body may have ${most} bytes at most.`)
