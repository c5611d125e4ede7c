/** An SSE stream with back-pressure: what a client does not take is dropped, never piled up. */
export interface Channel {
  readonly stream: ReadableStream<Uint8Array>
  /** Sends an event; false when it was dropped, because the client left or takes nothing. */
  send(event: string, data: object): Promise<boolean>
  close(): void
  isAbandoned(): boolean
}

const MOST_QUEUED = 16
const PATIENCE_MS = 1_000

export function openChannel(heartbeatMs: number): Channel {
  const encoder = new TextEncoder()
  let controller!: ReadableStreamDefaultController<Uint8Array>
  let wake: () => void = () => undefined
  let abandoned = false
  const stream = new ReadableStream<Uint8Array>(
    {
      start: (given) => void (controller = given),
      pull: () => wake(),
      cancel: () => {
        abandoned = true
        clearInterval(heartbeat)
        wake()
      },
    },
    { highWaterMark: MOST_QUEUED },
  )
  const hasRoom = () => !abandoned && (controller.desiredSize ?? 0) > 0
  const heartbeat = setInterval(
    () => hasRoom() && controller.enqueue(encoder.encode(': still running\n\n')),
    heartbeatMs,
  )
  heartbeat.unref()
  const room = async () => {
    if (hasRoom() || abandoned) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, PATIENCE_MS)
      wake = () => (clearTimeout(timer), resolve())
    })
  }
  return {
    stream,
    send: async (event, data) => {
      await room()
      if (!hasRoom()) return false
      controller.enqueue(encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`))
      return true
    },
    close: () => {
      clearInterval(heartbeat)
      if (!abandoned) controller.close()
    },
    isAbandoned: () => abandoned,
  }
}
