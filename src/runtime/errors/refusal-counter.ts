/**
 * Counter of requests refused before they became invocations, by operation and failure type; those leave no audit
 * entry.
 */
export interface RefusalCounter {
  /** Gives how often that was since they were last taken. */
  count(operation: string, failureType: string): number
  /** Returns the counts since the last call, as `operation failure_type` -> number. */
  take(): { readonly [name: string]: number }
}

export function refusalCounter(): RefusalCounter {
  let counts = new Map<string, number>()
  return {
    count: (operation, failureType) => {
      const name = `${operation} ${failureType}`
      const times = (counts.get(name) ?? 0) + 1
      counts.set(name, times)
      return times
    },
    take: () => {
      const taken = Object.fromEntries(counts)
      counts = new Map()
      return taken
    },
  }
}
