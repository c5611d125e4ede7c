/** Queue that serves the callers after each other: many requests of one caller delay no other caller. */
export interface WaitingByCaller {
  add(of: string, begin: () => void): void
  /** Takes out the next request; undefined if none waits. */
  next(): (() => void) | undefined
  countOf(of: string): number
}

export function waitingByCaller(): WaitingByCaller {
  const waiting = new Map<string, (() => void)[]>()
  return {
    add: (of, begin) => {
      const own = waiting.get(of)
      if (own === undefined) waiting.set(of, [begin])
      else own.push(begin)
    },
    next: () => {
      const [first] = waiting
      if (first === undefined) return undefined
      const [of, begins] = first
      waiting.delete(of)
      const begin = begins.shift()
      if (begins.length > 0) waiting.set(of, begins)
      return begin
    },
    countOf: (of) => waiting.get(of)?.length ?? 0,
  }
}
