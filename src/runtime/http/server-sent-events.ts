/** One event of a stream that the service itself made. */
export interface ServerSentEvent {
  readonly event: string
  readonly data: string
}

/**
 * The events in a stream of text; each is taken only when it is asked for, so that a slow reader slows the stream.
 * Calls back for each comment line, which only shows that the stream is alive.
 */
export async function* eventsIn(
  stream: ReadableStream<Uint8Array>,
  onComment: () => Promise<void> = async () => undefined,
): AsyncGenerator<ServerSentEvent> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true })
    const blocks = text.split('\n\n')
    text = blocks.pop()!
    for (const block of blocks) {
      if (block.startsWith(':')) await onComment()
      else yield eventOf(block)
    }
  }
}

function eventOf(block: string): ServerSentEvent {
  const [, event = '', data = ''] = /^event: (\w+)\ndata: (.*)$/su.exec(block) ?? []
  return { event, data }
}
