import { Interrupted } from './interruptions.js'

/** The time that a handler may take: a signal for who listens, and an end for who does not. */
export interface TimeLimit {
  /** Aborted when time is up or the lease is lost. Made when somebody asks for it: most handlers do not. */
  signal(): AbortSignal
  /** Returns the result of the work, or throws `Interrupted`. */
  within<Value>(work: Promise<Value>): Promise<Value>
}

export function timeLimit(ms: number, lost: AbortSignal | undefined): TimeLimit {
  let controller: AbortController | undefined
  let over: Interrupted | undefined
  let stop: (reason: Interrupted) => void = () => undefined
  const interrupt = (reason: string) => {
    over = new Interrupted(reason)
    controller?.abort(over)
    stop(over)
  }
  const timer = setTimeout(interrupt, ms, 'The handler took too long.')
  const onLost = () => interrupt('The exclusive lease was lost.')
  lost?.addEventListener('abort', onLost, { once: true })
  const end = () => {
    clearTimeout(timer)
    lost?.removeEventListener('abort', onLost)
  }
  return {
    signal: () => {
      controller ??= new AbortController()
      if (over !== undefined) controller.abort(over)
      return controller.signal
    },
    within: (work) =>
      new Promise((resolve, reject) => {
        stop = reject
        work.then(resolve, reject).then(end)
      }),
  }
}
