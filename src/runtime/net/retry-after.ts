/** All three forms of a date begin with a day (RFC 9110, section 5.6.7); a parser of dates takes much else. */
const DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/u

/** A day: no answer may put off a call for longer. */
const MOST_SECONDS = 86_400

/**
 * Returns the seconds that `Retry-After` asks for, given as a number or as a date beside that of the answer (RFC 9110,
 * section 10.2.3), or beside the local clock where the answer has no date; between a second and a day.
 */
export function secondsToWait(
  retryAfter: string | null | undefined,
  date: string | null | undefined,
  now: number = Date.now(),
): number | undefined {
  const text = retryAfter ?? ''
  if (/^\d+$/u.test(text)) return bounded(Number(text))
  const until = dateOf(text)
  return until === undefined ? undefined : bounded(Math.ceil((until - (dateOf(date ?? '') ?? now)) / 1000))
}

const bounded = (seconds: number): number => Math.min(Math.max(seconds, 1), MOST_SECONDS)

function dateOf(text: string): number | undefined {
  const ms = DATE.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(ms) ? undefined : ms
}
