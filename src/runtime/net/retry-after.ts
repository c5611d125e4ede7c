/** All three forms of a date begin with a day (RFC 9110, section 5.6.7); a parser of dates takes much else. */
const DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/u

/** A day: no answer may put off a call for longer. */
const MOST_SECONDS = 86_400

/**
 * Returns the seconds that `Retry-After` asks for, given as a number or as a date beside that of the answer (RFC 9110,
 * section 10.2.3); between a second and a day.
 */
export function secondsToWait(
  retryAfter: string | null | undefined,
  date: string | null | undefined,
): number | undefined {
  const text = retryAfter ?? ''
  const until = DATE.test(text) ? Date.parse(text) - Date.parse(date ?? '') : Number.NaN
  const seconds = /^\d+$/u.test(text) ? Number(text) : Math.ceil(until / 1000)
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 1), MOST_SECONDS)
}
