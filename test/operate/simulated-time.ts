/** Time that a test lets pass: all that a service does beside answering comes round as it would in so many days. */
import type { ProcessTime } from '../../src/runtime/telemetry/process-time.js'

export interface SimulatedTime extends ProcessTime {
  readonly now: () => number
  /** Lets time pass, in steps after which all that is due is done, and waited for. */
  pass(ms: number, stepMs: number): Promise<void>
}

interface Work {
  readonly work: () => Promise<unknown>
  readonly everyMs: number
  next: number
}

export function simulatedTime(start: number, moved: () => Promise<void>): SimulatedTime {
  let now = start
  const works = new Set<Work>()
  const step = async (ms: number): Promise<void> => {
    now += ms
    await moved()
    const due = [...works].filter(({ next }) => next <= now)
    for (const each of due) each.next = now + each.everyMs
    await Promise.all(due.map(({ work }) => work()))
  }
  return {
    now: () => now,
    uptime: () => now - start,
    every: (work, everyMs) => {
      const each = { work, everyMs, next: now + everyMs }
      works.add(each)
      return () => void works.delete(each)
    },
    pass: async (ms, stepMs) => {
      for (let left = ms; left > 0; left -= stepMs) await step(Math.min(stepMs, left))
    },
  }
}
