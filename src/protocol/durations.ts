const SECOND = 1_000
const DAY = 86_400 * SECOND

/** A thousand years, in ms: what lasts longer lasts this long, so that what it is added to stays a date. */
export const LONGEST_MS: number = 365_000 * DAY

/**
 * The length of an ISO 8601 duration in ms, as the interface uses them: weeks, or years to seconds, at least one of
 * them, each of at most six digits; at most a thousand years. Undefined if the text is none. A year counts 365 days, a
 * month 30.
 */
export function durationMs(text: string): number | undefined {
  const parts = partsOf(text)
  if (parts === undefined) return undefined
  const [weeks, years, months, days, hours, minutes, seconds, fraction] = parts
  const ofDate = (weeks * 7 + years * 365 + months * 30 + days) * DAY
  return Math.min(Math.round(ofDate + (hours * 3600 + minutes * 60 + seconds + fraction) * SECOND), LONGEST_MS)
}

type Parts = [weeks: number, years: number, months: number, days: number, hours: number, minutes: number, seconds: number, fraction: number] // prettier-ignore

/** The units as they follow each other, in the order of the parts. */
const OF_DATE = 'WYMD'
const OF_TIME = 'HMS'

/** Read digit by digit: a regular expression for this takes longer to compile than a manifest to check. */
function partsOf(text: string): Parts | undefined {
  if (text[0] !== 'P' || text.length < 3) return undefined
  const parts: Parts = [0, 0, 0, 0, 0, 0, 0, 0]
  let units = OF_DATE
  let least = 0
  for (let at = 1; at < text.length;) {
    if (units === OF_DATE && text[at] === 'T') {
      units = OF_TIME
      least = 0
      if (++at === text.length) return undefined
    }
    const end = digitsEnd(text, at, 6)
    const hasFraction = text[end] === '.'
    const unitAt = hasFraction ? digitsEnd(text, end + 1, 3) : end
    const place = unitAt === text.length ? -1 : units.indexOf(text.charAt(unitAt), least)
    if (end === at || place === -1) return undefined
    if (hasFraction && (text[unitAt] !== 'S' || unitAt === end + 1)) return undefined
    parts[units === OF_DATE ? place : OF_DATE.length + place] = Number(text.slice(at, end))
    if (hasFraction) parts[7] = Number(text.slice(end, unitAt))
    // Weeks stand alone.
    if (text[unitAt] === 'W') return at === 1 && unitAt === text.length - 1 ? parts : undefined
    least = place + 1
    at = unitAt + 1
  }
  return parts
}

/** Returns the end of a run of digits, limited to the allowed number. */
function digitsEnd(text: string, from: number, most: number): number {
  let end = from
  while (end < from + most && text.charCodeAt(end) >= 48 && text.charCodeAt(end) <= 57) end++
  return end
}

const CADENCES: { readonly [word: string]: number } = { hourly: 3600 * SECOND, daily: DAY }

/** The length of a checkpoint cadence in ms: `hourly`, `daily` or an ISO 8601 duration (section 2.1). */
export const cadenceMs = (cadence: string): number | undefined =>
  Object.hasOwn(CADENCES, cadence) ? CADENCES[cadence] : durationMs(cadence)
