import { waitingByCaller } from './waiting-by-caller.js'

/** Returns when a request may begin: at once, or by a promise. */
export type Turns = (of: string) => Promise<void> | undefined

/**
 * Lets requests begin one in each turn of the event loop where several wait, the callers after each other: who sends
 * many large ones keeps neither a sibling waiting for all of them, nor what takes no turn: revocation and health
 * (decisions, section 20; threats N29, N30).
 */
export function turns(): Turns {
  const waiting = waitingByCaller()
  let isTaken = false
  const next = (): void => {
    const begin = waiting.next()
    if (begin === undefined) return void (isTaken = false)
    begin()
    setImmediate(next)
  }
  return (of) => {
    if (isTaken) return new Promise((begin) => waiting.add(of, begin))
    isTaken = true
    setImmediate(next)
    return undefined
  }
}
