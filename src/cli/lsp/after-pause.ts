/** Work that waits for a pause, and never runs twice at once. */
export interface Paused {
  /** Runs it when nothing has asked for it for a while. */
  soon(): void
  /** Runs it at once, after a run that is under way. */
  now(): Promise<void>
  /** Resolves when no run is under way. */
  idle(): Promise<void>
  /** Forgets a run that waits. */
  stop(): void
}

export function afterPause(work: () => Promise<void>, milliseconds: number): Paused {
  let timer: NodeJS.Timeout | undefined
  let running = Promise.resolve()
  const now = (): Promise<void> => {
    clearTimeout(timer)
    return (running = running.then(work))
  }
  return {
    soon() {
      clearTimeout(timer)
      timer = setTimeout(() => void now(), milliseconds)
    },
    now,
    idle: () => running,
    stop: () => clearTimeout(timer),
  }
}
