/**
 * Connections that come, by turns of the event loop: Node accepts one in each, so that hundreds of them wait for as many
 * turns, and revocation by a new one with them (threats N29, N30).
 */
let [hasAccepted, isLast, isNoted] = [false, false, false]

/** Notes that a connection was accepted in this turn. */
export function noteAccepted(): void {
  hasAccepted = true
  if (isNoted) return
  isNoted = true
  setImmediate(endTurn)
}

function endTurn(): void {
  isLast = hasAccepted
  hasAccepted = false
  isNoted = isLast
  if (isLast) setImmediate(endTurn)
}

/** Acts when a turn has passed in which nobody connected, or after a time in ms. */
export function whenNobodyConnects(withinMs: number, act: () => void): void {
  const until = performance.now() + withinMs
  const look = (): void => (isNoted && performance.now() < until ? void setImmediate(look) : act())
  look()
}
