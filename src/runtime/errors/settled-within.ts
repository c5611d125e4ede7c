/** Returns a promise's value within a time, or undefined if it fails or takes longer. */
export function settledWithin<Value>(promise: Promise<Value>, ms: number): Promise<Value | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms, undefined)
    const settle = (value?: Value) => {
      clearTimeout(timer)
      resolve(value)
    }
    promise.then(settle, () => settle())
  })
}
