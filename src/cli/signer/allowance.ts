/** Takes one of so many a second; undefined when none is left. */
export function allowance(eachSecond: number, clock: () => number = () => performance.now()): () => boolean {
  let left = eachSecond
  let at = clock()
  return () => {
    const now = clock()
    left = Math.min(eachSecond, left + ((now - at) / 1000) * eachSecond)
    at = now
    if (left < 1) return false
    left--
    return true
  }
}
