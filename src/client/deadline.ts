/** A signal that ends an attempt: when its caller does, or when nothing has come for so long. */
export interface Deadline {
  readonly signal: AbortSignal
  /** Something came: the time starts anew. */
  touch(): void
  /** Nothing is expected until it is touched again. */
  rest(): void
  /** Nothing more is waited for. */
  end(): void
}

/** Longest delay of a timer; a longer one would fire at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1

/**
 * Aborts with `late()` after so many ms; never, where they are not finite. A process that has nothing else to do may
 * end before.
 */
export function deadline(ms: number, signal: AbortSignal | undefined, late: () => Error): Deadline {
  const controller = new AbortController()
  const leave = (): void => controller.abort(signal?.reason)
  let timer: ReturnType<typeof setTimeout> | undefined
  const touch = (): void => {
    clearTimeout(timer)
    if (!Number.isFinite(ms)) return
    timer = setTimeout(() => controller.abort(late()), Math.min(ms, LONGEST_TIMER_MS))
    ;(timer as { readonly unref?: () => void }).unref?.()
  }
  const end = (): void => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', leave)
  }
  if (signal?.aborted === true) leave()
  else signal?.addEventListener('abort', leave, { once: true })
  touch()
  return { signal: controller.signal, touch, rest: () => clearTimeout(timer), end }
}
