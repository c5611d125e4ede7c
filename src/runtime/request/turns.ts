/** Returns when a request may begin: at once, or by a promise. */
export type Turns = (of: string) => Promise<void> | undefined

/**
 * Lets requests begin one in each turn of the event loop where several wait, the callers after each other: who sends
 * many large ones keeps neither a sibling waiting for all of them, nor what takes no turn: revocation and health
 * (decisions, section 20; threats N29, N30).
 */
export function turns(): Turns {
  const waiting = new Map<string, (() => void)[]>()
  let isTaken = false
  const next = (): void => {
    const [first] = waiting
    if (first === undefined) return void (isTaken = false)
    const [of, begins] = first
    waiting.delete(of)
    begins.shift()?.()
    if (begins.length > 0) waiting.set(of, begins)
    setImmediate(next)
  }
  return (of) => {
    if (isTaken)
      return new Promise((begin) => {
        const own = waiting.get(of)
        if (own === undefined) waiting.set(of, [begin])
        else own.push(begin)
      })
    isTaken = true
    setImmediate(next)
    return undefined
  }
}
