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
const ENCODER = new TextEncoder()

export function openChannel(heartbeatMs: number): Channel {
  const waiting = waitingRoom()
  let controller!: ReadableStreamDefaultController<Uint8Array>
  let abandoned = false
  const leave = () => {
    abandoned = true
    clearInterval(heartbeat)
    waiting.wake()
  }
  const start = (given: typeof controller) => void (controller = given)
  const stream = new ReadableStream<Uint8Array>(
    { start, pull: waiting.wake, cancel: leave },
    { highWaterMark: MOST_QUEUED },
  )
  const hasRoom = () => !abandoned && (controller.desiredSize ?? 0) > 0
  const put = (text: string) => controller.enqueue(ENCODER.encode(text))
  const heartbeat = setInterval(() => hasRoom() && put(': still running\n\n'), heartbeatMs).unref()
  return {
    stream,
    send: async (event, data) => {
      if (!hasRoom() && !abandoned) await waiting.wait(PATIENCE_MS)
      if (!hasRoom()) return false
      put(eventText(event, data))
      return true
    },
    end: (event, data) => {
      clearInterval(heartbeat)
      if (abandoned) return
      put(eventText(event, data))
      controller.close()
    },
    isAbandoned: () => abandoned,
  }
}

const eventText = (event: string, data: object): string => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`

/** Queue of those who wait until the client reads more, each for a limited time. */
function waitingRoom() {
  const waiting = new Set<() => void>()
  return {
    wake: () => waiting.forEach((resume) => resume()),
    wait: (ms: number) =>
      new Promise<void>((resolve) => {
        const resume = () => {
          clearTimeout(timer)
          waiting.delete(resume)
          resolve()
        }
        const timer = setTimeout(resume, ms)
        waiting.add(resume)
      }),
  }
}
