import { durationMs } from '../../protocol/durations.js'
import { CliError } from '../shared/errors/cli-error.js'

/** A time as it is written, or so long from now; RFC 3339. */
export function expiryTime(text: string, now = Date.now()): string {
  const ms = durationMs(text)
  const time = ms === undefined ? Date.parse(text) : now + ms
  if (Number.isNaN(time) || (ms === undefined && !/^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:\d\d)$/u.test(text)))
    throw new CliError(
      `${JSON.stringify(text)} is neither a time such as 2030-01-01T00:00:00Z nor a duration such as P90D.`,
    )
  return new Date(time).toISOString()
}
