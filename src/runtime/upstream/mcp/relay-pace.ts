/** Pace of all that a child sends and receives by its relay: copying it is work of the service. */
import { Transform } from 'node:stream'

const TICK_MS = 100
const BYTES_IN_A_TICK = 800 * 1024

/** Returns a maker of streams that pass their bytes on, together 8 MB a second at most. */
export function sharedPace(): () => Transform {
  let left = BYTES_IN_A_TICK
  let timer: NodeJS.Timeout | undefined
  let waiting: (() => void)[] = []
  const refill = (): void => {
    left = BYTES_IN_A_TICK
    timer = undefined
    const first = waiting
    waiting = []
    for (const each of first) each()
  }
  const take = (bytes: number, pass: () => void): void => {
    timer ??= setTimeout(refill, TICK_MS).unref()
    if (left <= 0) return void waiting.push(() => take(bytes, pass))
    left -= bytes
    pass()
  }
  return () =>
    new Transform({ transform: (chunk: Buffer, _, done) => take(chunk.length, () => done(undefined, chunk)) })
}
