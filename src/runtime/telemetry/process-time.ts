/** How time passes for what a service does beside answering: as for the process, unless it is given. */
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
