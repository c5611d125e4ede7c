/** Counts that are asked for by name: a run through so many takes hours, and is no run that hangs. */
const COUNTS = ['SCHEMAS', 'MANIFESTS'] as const
const MANY = 1_000

const HOURS = 6 * 60

/** The minutes after which something is ended, unless a variable says otherwise. */
export function limitInMinutes(variable: string, usual: number): number {
  const takesHours = COUNTS.some((name) => Number(process.env[name] ?? 0) >= MANY)
  return Number(process.env[variable] ?? (takesHours ? HOURS : usual))
}
