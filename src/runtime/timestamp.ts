/** A time in ms since the epoch as RFC 3339 in UTC with ms. */
export const timestamp = (ms: number): string => new Date(ms).toISOString()
