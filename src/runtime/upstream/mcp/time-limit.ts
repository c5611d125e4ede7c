/** The longest that progress prolongs a time limit: so many times the limit. */
const MOST_TIMES = 10

export interface ProgressiveLimit {
  /** Aborted when time is up, or when `outer` is. */
  readonly signal: AbortSignal
  /** Begins the time again; progress was made. */
  readonly prolong: () => void
  readonly end: () => void
}

/** A time limit that progress prolongs, up to ten times the limit. */
export function progressiveLimit(outer: AbortSignal, ms: number): ProgressiveLimit {
  const controller = new AbortController()
  const stop = (): void => controller.abort()
  const most = setTimeout(stop, ms * MOST_TIMES).unref()
  const next = setTimeout(stop, ms).unref()
  const signal = AbortSignal.any([outer, controller.signal])
  return {
    signal,
    prolong: () => void next.refresh(),
    end: () => [most, next].forEach((timer) => clearTimeout(timer)),
  }
}
