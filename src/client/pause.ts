/** Waits, or rejects with the signal's reason as soon as it is aborted. */
export const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const timer = setTimeout(done, ms)
    signal?.addEventListener('abort', stopped, { once: true })

    function done(): void {
      signal?.removeEventListener('abort', stopped)
      resolve()
    }

    function stopped(): void {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
  })
