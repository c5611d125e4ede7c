/** Runs work one after the other, in the order in which it was given. */
export type InOrder = <T>(work: () => T | Promise<T>) => Promise<T>

export function oneAfterAnother(): InOrder {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const result = last.then(work)
    last = result.catch(() => undefined)
    return result
  }
}
