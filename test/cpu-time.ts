/** CPU time of this process in ms: unlike the wall clock, it does not grow because something else runs beside the tests. */
export function cpuTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** CPU time in ms of the quickest of three runs, or of the first below `enough`: what runs beside makes a run longer, never shorter. */
export async function leastCpu(enough: number, run: () => unknown): Promise<number> {
  let least = Infinity
  for (let round = 0; round < 3 && least >= enough; round++) {
    const started = cpuTime()
    await run()
    least = Math.min(least, cpuTime() - started)
  }
  return least
}
