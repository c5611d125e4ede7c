import type { JsonObject } from './manifest.js'

/** Bytes of JSON that a model is shown of a refusal (decisions, section 15). */
const MOST_BYTES = 600

/** Members that help a model most, in order; digests and policies are for programs. */
const HELPFUL = ['approval_request_id', 'approval_url', 'connection_url', 'adjusted', 'clarification', 'reason', 'data', 'step', 'compensations'] as const // prettier-ignore

interface Refused {
  readonly failure: object
  readonly invocation_id?: unknown
}

/**
 * A refusal as a model reads it: what to do, then why, then what else fits. The whole of it is in the structured
 * content.
 */
export function refusalForModel({ failure, invocation_id }: Refused): JsonObject {
  const { resolution, detail, type, retry, ...others } = failure as { readonly [member: string]: JsonObject[string] }
  const base = { resolution: actionOf(resolution), detail: '', type, retry } as JsonObject
  const room = MOST_BYTES - bytesOf({ failure: base, invocation_id } as JsonObject)
  const shown: JsonObject = { failure: { ...base, detail: fitting(String(detail), room) }, ...given({ invocation_id }) }
  return [...Object.entries(Object(resolution) as JsonObject), ...HELPFUL.map((name) => [name, others[name]] as const)]
    .filter(([, value]) => value !== undefined)
    .reduce((seen, [name, value]) => withMember(seen, name, value!), shown)
}

const actionOf = (resolution: unknown): JsonObject => {
  const { action, recovery_class } = Object(resolution) as JsonObject
  return given({ action, recovery_class })
}

const given = (members: { readonly [name: string]: unknown }): JsonObject =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as JsonObject

/** Adds a member if the whole still fits; those of the resolution go there. */
function withMember(shown: JsonObject, name: string, value: JsonObject[string]): JsonObject {
  const failure = shown['failure'] as JsonObject
  const resolution = failure['resolution'] as JsonObject
  if (Object.hasOwn(resolution, name)) return shown
  const isHelpful = (HELPFUL as readonly string[]).includes(name)
  const more = isHelpful ? { ...failure, [name]: value } : { ...failure, resolution: { ...resolution, [name]: value } }
  const longer = { ...shown, failure: more }
  return bytesOf(longer) <= MOST_BYTES ? longer : shown
}

const ENCODER = new TextEncoder()
const bytesOf = (value: unknown): number => ENCODER.encode(JSON.stringify(value)).length

/** The beginning of a text that has so many bytes as JSON, cut between characters. */
function fitting(text: string, bytes: number): string {
  if (bytesOf(text) - 2 <= bytes) return text
  const characters = Array.from(text.slice(0, MOST_BYTES))
  while (bytesOf(`${characters.join('')}…`) - 2 > bytes && characters.length > 0) characters.pop()
  return `${characters.join('')}…`
}
