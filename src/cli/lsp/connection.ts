import type { Readable, Writable } from 'node:stream'

export interface Message {
  readonly id?: number | string | null
  readonly method?: string
  readonly params?: unknown
}

/** A message whose body is no JSON. */
export const BROKEN = Symbol('broken')
/** All that has arrived is read: now is the time for work that several messages share. */
export const IDLE = Symbol('idle')

/** The messages of a stream in the base protocol: a header with the length, a blank line, JSON. */
export async function* messagesOf(input: Readable): AsyncGenerator<Message | typeof BROKEN | typeof IDLE> {
  let buffer = Buffer.alloc(0)
  for await (const chunk of input) {
    buffer = Buffer.concat([buffer, chunk as Buffer])
    for (let frame = nextFrame(buffer); frame !== undefined; frame = nextFrame(buffer)) {
      buffer = frame.rest
      yield parsed(frame.body)
    }
    yield IDLE
  }
}

function parsed(body: string): Message | typeof BROKEN {
  try {
    const message: unknown = JSON.parse(body)
    return typeof message === 'object' && message !== null && !Array.isArray(message) ? message : BROKEN
  } catch {
    return BROKEN
  }
}

function nextFrame(buffer: Buffer): { readonly body: string; readonly rest: Buffer<ArrayBuffer> } | undefined {
  const end = buffer.indexOf('\r\n\r\n')
  if (end === -1) return undefined
  const length = Number(/content-length: *(\d+)/iu.exec(buffer.toString('ascii', 0, end))?.[1] ?? 0)
  const start = end + 4
  if (buffer.length < start + length) return undefined
  return { body: buffer.toString('utf8', start, start + length), rest: Buffer.from(buffer.subarray(start + length)) }
}

export type SendMessage = (message: object) => void

export const sendTo =
  (output: Writable): SendMessage =>
  (message) => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message })
    output.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  }
