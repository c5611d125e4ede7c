import type { Server } from 'node:http'
import { noteAccepted } from '../net/accepting.js'
import { waitingByCaller } from '../request/waiting-by-caller.js'

/** Requests that begin in one turn of the event loop. */
const MOST_IN_A_TURN = 64

/** ms for which requests wait while connections come, before some of them begin. */
const ACCEPTING_MS = 20

/** Begins a request of a network: at once, or in a later turn of the event loop. */
export type BeginInTurn = (network: string, begin: () => void) => void

/**
 * Bounds what one turn of the event loop does. Node accepts one connection in a turn, and reads from all that have sent
 * something: where hundreds are busy, revocation by a new one would wait for as many long turns. So few requests begin
 * in a turn, the networks after each other, and none for a moment while connections wait to be accepted (threats N29,
 * N30).
 */
export function beginInTurn(server: Server, now: () => number = () => performance.now()): BeginInTurn {
  const waiting = waitingByCaller()
  let [begun, count] = [0, 0]
  let [isTurnNoted, hasAccepted] = [false, false]
  let acceptingSince: number | undefined
  const noteTurn = (): void => {
    if (isTurnNoted) return
    isTurnNoted = true
    setImmediate(endTurn)
  }
  function endTurn(): void {
    acceptingSince = hasAccepted ? (acceptingSince ?? now()) : undefined
    ;[begun, isTurnNoted, hasAccepted] = [0, false, false]
    const isHeld = acceptingSince !== undefined && now() - acceptingSince < ACCEPTING_MS
    if (count > 0) noteTurn()
    if (isHeld) return
    acceptingSince = undefined
    for (; count > 0 && begun < MOST_IN_A_TURN; begun += 1, count -= 1) waiting.next()!()
  }
  server.on('connection', () => {
    hasAccepted = true
    noteAccepted()
    noteTurn()
  })
  return (network, begin) => {
    noteTurn()
    if (count === 0 && begun < MOST_IN_A_TURN && !hasAccepted && acceptingSince === undefined) {
      begun += 1
      begin()
    } else {
      count += 1
      waiting.add(network, begin)
    }
  }
}
