/** Counts that are asked for by name, and from which number on a run takes hours, and is no run that hangs. */
const MANY: { readonly [variable: string]: number } = {
  SCHEMAS: 1_000,
  MANIFESTS: 1_000,
  EVENTS: 1_000,
  KILLS: 200,
}

const HOURS = 6 * 60

/** The minutes after which something is ended, unless a variable says otherwise. */
export function limitInMinutes(variable: string, usual: number): number {
  const takesHours = Object.entries(MANY).some(([name, many]) => Number(process.env[name] ?? 0) >= many)
  return Number(process.env[variable] ?? (takesHours ? HOURS : usual))
}
