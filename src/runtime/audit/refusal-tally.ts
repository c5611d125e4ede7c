/** Refused calls of one root principal that got no entry of their own. */
export interface Tally {
  /** ms since the epoch. */
  since: number
  readonly byType: Map<string, number>
}

/**
 * Counts refused calls beyond what a root principal may write to the trail; they share one entry a minute (threat N10).
 */
export interface RefusalTally {
  count(rootPrincipal: string, failureType: string, times?: number): void
  /** Returns the counts since the last call, by root principal. */
  take(): ReadonlyMap<string, Tally>
}

export function refusalTally(now: () => number): RefusalTally {
  let tallies = new Map<string, Tally>()
  return {
    count: (root, failureType, times = 1) => {
      const tally = tallies.get(root) ?? { since: now(), byType: new Map<string, number>() }
      tallies.set(root, tally)
      tally.byType.set(failureType, (tally.byType.get(failureType) ?? 0) + times)
    },
    take: () => {
      const taken = tallies
      tallies = new Map()
      return taken
    },
  }
}
