/** A time in ms since the epoch as RFC 3339 in UTC with ms. */
export function timestamp(ms: number): string {
  if (ms !== latest.ms) latest = { ms, text: new Date(ms).toISOString() }
  return latest.text
}

/** Many calls share a millisecond. */
let latest = { ms: 0, text: new Date(0).toISOString() }
