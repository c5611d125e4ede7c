import { failure } from '../../protocol/failures.js'
import { Refusal } from '../errors/refusal.js'
import { afterTurns } from './turns.js'
import { waitingByCaller } from './waiting-by-caller.js'

/** Runs a long read of the database for a caller, a network or a root principal, when there is a place for it. */
export type ReadsInTurn = <Read>(caller: string, read: () => Promise<Read>) => Promise<Read>

const AT_ONCE = 2
/** Reads that may wait for a place, of one caller and in all. */
const MOST_OF_CALLER = 32
const MOST = 256

/** Turns of the event loop between two reads: Node accepts one connection in a turn, and revocation may come by a new one. */
const TURNS_BETWEEN = 32

/**
 * Lets few long reads run at a time in a process, the callers after each other; turns of the event loop lie between
 * two, in which calls and revocation go on (threats N29, N30).
 */
export function readsInTurn(): ReadsInTurn {
  const waiting = waitingByCaller()
  let [running, count] = [0, 0]
  const leave = (): void => {
    const begin = waiting.next()
    if (begin === undefined) return void (running -= 1)
    count -= 1
    begin()
  }
  return async (caller, read) => {
    if (running >= AT_ONCE) {
      if (count >= MOST || waiting.countOf(caller) >= MOST_OF_CALLER) refuseBusyReads()
      count += 1
      await new Promise<void>((begin) => waiting.add(caller, begin))
    } else running += 1
    try {
      return await read()
    } finally {
      afterTurns(TURNS_BETWEEN, leave)
    }
  }
}

function refuseBusyReads(): never {
  throw new Refusal(failure('rate_limited', 'Too many such questions at a time. Try again in 1 s.'), { retryAfter: 1 })
}
