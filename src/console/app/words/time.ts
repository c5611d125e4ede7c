const MINUTE = 60_000
const HOUR = 60 * MINUTE

const format = (options: Intl.DateTimeFormatOptions) => {
  const formatter = new Intl.DateTimeFormat('en-GB', { hourCycle: 'h23', ...options })
  return (ms: number): string => formatter.format(ms)
}

const time = format({ hour: '2-digit', minute: '2-digit' })
const day = format({ day: 'numeric', month: 'short' })
const utcTime = format({ hour: '2-digit', minute: '2-digit', timeZone: 'UTC' })
const utcDay = format({ day: 'numeric', month: 'short', timeZone: 'UTC' })

const isSameDay = (one: number, other: number): boolean => day(one) === day(other)

/** Here: `14:32`, on another day `21 Nov, 16:40`. */
export const local = (at: number, now: number): string =>
  isSameDay(at, now) && Math.abs(at - now) < 24 * HOUR ? time(at) : `${day(at)}, ${time(at)}`

/** There: `13:32 UTC`, with its day where that is another one than here. */
export const utc = (at: number): string => `${utcDay(at) === day(at) ? '' : `${utcDay(at)}, `}${utcTime(at)} UTC`

const seconds = format({ hour: '2-digit', minute: '2-digit', second: '2-digit' })
const utcSeconds = format({ hour: '2-digit', minute: '2-digit', second: '2-digit', timeZone: 'UTC' })

/** Here, to the second: `14:32:07`, on another day `21 Nov, 16:40:12`. */
export const exact = (at: number, now: number): string =>
  isSameDay(at, now) && Math.abs(at - now) < 24 * HOUR ? seconds(at) : `${day(at)}, ${seconds(at)}`

/** There, to the second. */
export const exactUtc = (at: number): string =>
  `${utcDay(at) === day(at) ? '' : `${utcDay(at)}, `}${utcSeconds(at)} UTC`

/** `14:32 (13:32 UTC)`. */
export const both = (at: number, now: number): string => `${local(at, now)} (${utc(at)})`

/** A length in words: `42 s`, `13 min`, `3 h 10 min`, `2 d 4 h`. */
export function span(ms: number): string {
  const whole = Math.max(0, Math.floor(ms / 1000))
  if (whole < 60) return `${whole} s`
  if (whole < 3600) return `${Math.floor(whole / 60)} min`
  const hours = Math.floor(whole / 3600)
  if (hours < 48) return joined(hours, 'h', Math.floor((whole % 3600) / 60), 'min')
  return joined(Math.floor(hours / 24), 'd', hours % 24, 'h')
}

const joined = (large: number, unit: string, small: number, smaller: string): string =>
  small === 0 ? `${large} ${unit}` : `${large} ${unit} ${small} ${smaller}`

/** Formats a countdown: `13:42`, above an hour `3 h 10 min`. */
export function countdown(ms: number): string {
  if (ms >= HOUR) return span(ms)
  const whole = Math.max(0, Math.floor(ms / 1000))
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}

/** Parses an ISO 8601 duration of days, hours, minutes and seconds to ms; undefined if it has other units. */
export function durationMs(duration: string): number | undefined {
  const match = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/u.exec(duration)
  if (match === null) return undefined
  const [days = 0, hours = 0, minutes = 0, rest = 0] = match.slice(1).map((part) => Number(part ?? 0))
  return ((days * 24 + hours) * 60 + minutes) * MINUTE + rest * 1000
}

/** The same in words; as it is, where it has others. */
export function durationWords(duration: string): string {
  const ms = durationMs(duration)
  return ms === undefined ? duration : span(ms)
}
