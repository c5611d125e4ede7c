/**
 * What replicas of one service do to its log: each holds the head's row for `fixedMs + entries * entryMs`, in turn, with all that has arrived at it
 * meanwhile. Arrivals are even, so that the same input gives the same figures.
 *
 * @returns {{ meanMs: number, p99Ms: number, perSecond: number }} how long an entry waits until it is durable, and how many become so
 */
export function simulate({ replicas, perSecond, fixedMs, entryMs, seconds = 20 }) {
  const spacing = (1000 * replicas) / perSecond
  const end = seconds * 1000
  /** When the next entry of each replica arrives; replicas are shifted against each other. */
  const next = Array.from({ length: replicas }, (_, replica) => (replica * spacing) / replicas)
  const waits = []
  let now = 0
  let turn = 0
  while (now < end) {
    const replica = waitingReplica(next, now, turn)
    if (replica === undefined) {
      now = Math.min(...next)
      continue
    }
    const arrived = []
    for (; next[replica] <= now && arrived.length < 1000; next[replica] += spacing) arrived.push(next[replica])
    now += fixedMs + arrived.length * entryMs
    for (const at of arrived) waits.push(now - at)
    turn = (replica + 1) % replicas
  }
  waits.sort((a, b) => a - b)
  const sum = waits.reduce((total, wait) => total + wait, 0)
  return {
    meanMs: sum / waits.length,
    p99Ms: waits[Math.floor(waits.length * 0.99)],
    perSecond: (waits.length * 1000) / now,
  }
}

/** The first replica from `turn` on, counted round, at which something waits. */
function waitingReplica(next, now, turn) {
  for (let n = 0; n < next.length; n++) {
    const replica = (turn + n) % next.length
    if (next[replica] <= now) return replica
  }
  return undefined
}
