import { whenNobodyConnects } from '../net/accepting.js'
import { waitingByCaller } from './waiting-by-caller.js'

/** Returns when a request of so many bytes may begin: at once, or by a promise. */
export type Turns = (of: string, bytes: number) => Promise<void> | undefined

/** Bytes that are read, judged, copied and stored in one turn of the event loop or less. */
const BYTES_OF_A_TURN = 16 * 1024

/** ms for which the request after a large one waits while connections come. */
const LARGE_WAITS_MS = 100

/**
 * Lets requests begin one after another where several wait, the callers in turns, with turns of the event loop between
 * two, more after a larger one, since what follows its reading takes as long again: who sends many large ones keeps
 * neither a sibling waiting for all of them, nor what takes no turn: revocation and health (decisions, section 20;
 * threats N29, N30).
 */
export function turns(): Turns {
  const waiting = waitingByCaller()
  let isTaken = false
  const next = (): void => {
    const begin = waiting.next()
    if (begin === undefined) isTaken = false
    else begin()
  }
  const leave = (bytes: number): void => {
    const count = Math.max(1, Math.ceil(bytes / BYTES_OF_A_TURN))
    afterTurns(count, count === 1 ? next : () => whenNobodyConnects(LARGE_WAITS_MS, next))
  }
  return (of, bytes) => {
    if (isTaken)
      return new Promise((begin) =>
        waiting.add(of, () => {
          leave(bytes)
          begin()
        }),
      )
    isTaken = true
    leave(bytes)
    return undefined
  }
}

/** Acts after so many turns of the event loop, in each of which others go on. */
export const afterTurns = (count: number, act: () => void): void =>
  void setImmediate(() => (count === 1 ? act() : afterTurns(count - 1, act)))
