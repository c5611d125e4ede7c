/** CPU time of this process in ms: unlike the wall clock, it does not grow because something else runs beside the tests. */
export function cpuTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
