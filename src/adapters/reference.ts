/** Names by which a tool call is found again after a restart, on the trail and under its idempotency key. */
import type { ToolCall, ToolOptions } from './options.js'

type Named = Pick<ToolCall, 'tool' | 'callId'>

/** The `client_reference_id` of a tool call: the same for its repetitions. */
export const referenceOf = async ({ conversation = '' }: ToolOptions, { tool, callId }: Named): Promise<string> =>
  `call-${await digestOf([conversation, tool.name, callId])}`

/** The idempotency key: other inputs under the same id are another call. */
export const referenceKeyOf = async (options: ToolOptions, call: ToolCall): Promise<string> =>
  `tool-${await digestOf([options.conversation ?? '', call.tool.name, call.callId, call.input])}`

async function digestOf(parts: readonly unknown[]): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(parts, sorted))
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** A store of conversations may give members back in another order. */
const sorted = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value
