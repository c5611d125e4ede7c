import type { Failure } from '../../protocol/failures.js'
import { pathOf, type Operation } from '../../protocol/endpoints.js'
import type { ConnectionOptions } from './connection.js'
import { credentialFor } from './credential.js'
import { addressOf, unreached } from './read-from-service.js'

/** One event that a service sent; a block that only says how far it is has no data. */
export interface StreamedEvent {
  readonly id: string | undefined
  readonly event: string
  readonly data: string | undefined
}

export interface StreamAsk {
  readonly operation: Operation
  readonly query: { readonly [name: string]: string | undefined }
  readonly lastEventId: string | undefined
}

/** The events of a running service until it ends them, or why it gives none. */
export type Opened = { readonly failure: Failure } | { readonly events: AsyncGenerator<StreamedEvent, void, undefined> }

/** A service that says nothing for so long, not even that it is there, is gone. */
const SILENT_MS = 60_000
/** Characters of one event. */
const LONGEST = 16 * 1024 * 1024

/** Follows a stream of a running service with the credential of the user. */
export async function openEvents(options: ConnectionOptions, asked: StreamAsk): Promise<Opened> {
  const address = addressOf(options)
  const bearer = await credentialFor(address)
  const url = new URL(address + pathOf(asked.operation))
  for (const [name, value] of Object.entries(asked.query)) if (value !== undefined) url.searchParams.set(name, value)
  const silence = new AbortController()
  const timer = setTimeout(() => silence.abort(new Error('It is silent.')), SILENT_MS)
  const headers = { authorization: `Bearer ${bearer}`, accept: 'text/event-stream' }
  const response = await fetch(url, {
    headers: asked.lastEventId === undefined ? headers : { ...headers, 'last-event-id': asked.lastEventId },
    redirect: 'error',
    signal: silence.signal,
  }).catch((error: unknown) => {
    clearTimeout(timer)
    return unreached(error)
  })
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
  if (isStream && response.body !== null) return { events: eventsIn(response.body, timer) }
  clearTimeout(timer)
  return (await response.json().catch((error: unknown) => unreached(error))) as { readonly failure: Failure }
}

/** A stream that breaks off is over: whoever goes on names the last id. */
async function* eventsIn(
  body: ReadableStream<Uint8Array>,
  timer: NodeJS.Timeout,
): AsyncGenerator<StreamedEvent, void, undefined> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (;;) {
      const { value, done } = await reader.read().catch(() => ({ value: undefined, done: true }))
      if (done || value === undefined) return
      timer.refresh()
      const blocks = (text + decoder.decode(value, { stream: true })).split('\n\n')
      text = blocks.pop()!
      if (text.length > LONGEST) return
      for (const block of blocks) yield eventOf(block)
    }
  } finally {
    clearTimeout(timer)
    await reader.cancel().catch(() => undefined)
  }
}

function eventOf(block: string): StreamedEvent {
  const fields = new Map(
    block
      .split('\n')
      .filter((line) => !line.startsWith(':'))
      .map((line) => [line.slice(0, Math.max(0, line.indexOf(': '))), line.slice(line.indexOf(': ') + 2)] as const),
  )
  return { id: fields.get('id'), event: fields.get('event') ?? 'message', data: fields.get('data') }
}
