/** Time of background work: that of the process, unless a test gives another. */
export interface ProcessTime {
  /** Does the work each time so many ms have passed; gives the way to stop. */
  every(work: () => Promise<unknown>, ms: number): () => void
  /** ms, from any start, by a clock that nobody sets. */
  uptime(): number
}

export const PROCESS_TIME: ProcessTime = {
  every: (work, ms) => {
    const timer = setInterval(() => void work(), ms).unref()
    return () => clearInterval(timer)
  },
  uptime: () => performance.now(),
}
