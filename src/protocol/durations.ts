/** ISO 8601 durations as the interface uses them: weeks, or years to seconds, at least one component. */
const DURATION =
  /^P(?:(\d{1,6})W|(?=\d|T\d)(?:(\d{1,6})Y)?(?:(\d{1,6})M)?(?:(\d{1,6})D)?(?:T(?=\d)(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6})(?:\.(\d{1,3}))?S)?)?)$/u

const SECOND = 1_000
const DAY = 86_400 * SECOND

/** The length of a duration in ms, or undefined if the text is none. A year counts 365 days, a month 30. */
export function durationMs(text: string): number | undefined {
  const match = DURATION.exec(text)
  if (match === null) return undefined
  const [weeks, years, months, days, hours, minutes, seconds] = match.slice(1, 8).map((part) => Number(part ?? 0))
  const fraction = Number(`0.${match[8] ?? ''}`)
  return Math.round(
    (weeks! * 7 + years! * 365 + months! * 30 + days!) * DAY +
      (hours! * 3600 + minutes! * 60 + seconds! + fraction) * SECOND,
  )
}

const CADENCES: { readonly [word: string]: number } = { hourly: 3600 * SECOND, daily: DAY }

/** The length of a checkpoint cadence in ms: `hourly`, `daily` or an ISO 8601 duration (section 2.1). */
export const cadenceMs = (cadence: string): number | undefined =>
  Object.hasOwn(CADENCES, cadence) ? CADENCES[cadence] : durationMs(cadence)
