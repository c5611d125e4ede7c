import { constants } from 'node:os'

export interface Interruption {
  readonly signal: AbortSignal
  /** 128 and the number of the signal, as shells have it; undefined where none came. */
  exitCode(): number | undefined
  forget(): void
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** For a command that takes back what is half done before it ends. A second signal of the same kind ends it at once. */
export function interruption(): Interruption {
  const aborting = new AbortController()
  let came: number | undefined
  const abort = (name: NodeJS.Signals): void => {
    came ??= 128 + constants.signals[name]
    aborting.abort()
  }
  for (const name of SIGNALS) process.once(name, abort)
  return {
    signal: aborting.signal,
    exitCode: () => came,
    forget: () => {
      for (const name of SIGNALS) process.off(name, abort)
    },
  }
}
