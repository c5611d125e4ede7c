/** Names by which a tool call is found again after a restart, on the trail and under its idempotency key. */
import type { ToolCall, ToolOptions } from './options.js'

type Named = Pick<ToolCall, 'tool' | 'callId'>

/** Longest name that the interface accepts (section 4.6), less the rest of the key. */
const MOST_CHARACTERS = 200

/** The `client_reference_id` of a tool call: the same for its repetitions. */
export async function referenceOf({ conversation = '' }: ToolOptions, { tool, callId = '' }: Named): Promise<string> {
  const name = [conversation, tool.name, callId]
    .map((part) => encodeURIComponent(part.replaceAll(/\p{Surrogate}/gu, '?')))
    .join('/')
  return name.length <= MOST_CHARACTERS ? name : digestOf(name)
}

/**
 * The idempotency key: other inputs under the same id are another call. Where two inputs have one checksum, the service
 * refuses the second call (`idempotency_conflict`).
 */
export const referenceKeyOf = async (options: ToolOptions, call: ToolCall): Promise<string> =>
  `${await referenceOf(options, call)}/${checksumOf(JSON.stringify(call.input, sorted) ?? '')}`

async function digestOf(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** A store of conversations may give members back in another order. */
const sorted = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value

/** Two rounds of FNV-1a with different primes: 64 bits, at once. */
function checksumOf(text: string): string {
  let [one, other] = [0x811c9dc5, 0x9e3779b9]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    one = Math.imul(one ^ code, 0x01000193)
    other = Math.imul(other ^ code, 0x85ebca6b)
  }
  return [one, other].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('')
}
