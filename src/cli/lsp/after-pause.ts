/** Work that waits for a pause, and never runs twice at once. */
export interface Paused {
  /** Runs it when nothing has asked for it for a while; sooner, if a shorter while was asked for before. */
  soon(milliseconds: number): void
  /** Runs it at once, after a run that is under way. */
  now(): Promise<void>
  /** Resolves when no run is under way. */
  idle(): Promise<void>
  /** Forgets a run that waits. */
  stop(): void
}

export function afterPause(work: () => Promise<void>): Paused {
  let timer: NodeJS.Timeout | undefined
  let pause = Infinity
  let running = Promise.resolve()
  const stop = (): void => {
    clearTimeout(timer)
    pause = Infinity
  }
  const now = (): Promise<void> => {
    stop()
    return (running = running.then(work))
  }
  return {
    soon(milliseconds) {
      clearTimeout(timer)
      pause = Math.min(pause, milliseconds)
      timer = setTimeout(() => void now(), pause)
    },
    now,
    idle: () => running,
    stop,
  }
}
