/** An SSE stream with back-pressure: what a client does not take is dropped, never piled up. */
export interface Channel {
  readonly stream: ReadableStream<Uint8Array>
  /** Sends an event; false when it was dropped, because the client left or takes nothing. */
  send(event: string, data: object): Promise<boolean>
  /** Sends the last event, which is never dropped while the client is there, and closes. */
  end(event: string, data: object): void
  isAbandoned(): boolean
}

const MOST_QUEUED = 16
const PATIENCE_MS = 1_000

export function openChannel(heartbeatMs: number): Channel {
  const encoder = new TextEncoder()
  let controller!: ReadableStreamDefaultController<Uint8Array>
  const waiting = new Set<() => void>()
  const wake = () => waiting.forEach((resume) => resume())
  let abandoned = false
  const stream = new ReadableStream<Uint8Array>(
    {
      start: (given) => void (controller = given),
      pull: wake,
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
      const resume = () => {
        clearTimeout(timer)
        waiting.delete(resume)
        resolve()
      }
      const timer = setTimeout(resume, PATIENCE_MS)
      waiting.add(resume)
    })
  }
  const put = (event: string, data: object) =>
    controller.enqueue(encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`))
  return {
    stream,
    send: async (event, data) => {
      await room()
      if (!hasRoom()) return false
      put(event, data)
      return true
    },
    end: (event, data) => {
      clearInterval(heartbeat)
      if (abandoned) return
      put(event, data)
      controller.close()
    },
    isAbandoned: () => abandoned,
  }
}
