/** The last time with a year of four digits (RFC 3339, section 5.6): what lasts longer is written so. */
const LAST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** A time in ms since the epoch as RFC 3339 in UTC with ms. */
export function timestamp(ms: number): string {
  if (ms !== latest.ms) latest = { ms, text: new Date(Math.min(ms, LAST_MS)).toISOString() }
  return latest.text
}

/** Many calls share a millisecond. */
let latest = { ms: 0, text: new Date(0).toISOString() }
