/** Times that the commands on keys are given, in ms. */
import { durationMs } from '../../protocol/durations.js'
import { CliError } from '../shared/errors/cli-error.js'

export const HOUR = 3600_000
export const DAY = 24 * HOUR

/** Time between publishing a new key and its first use. */
export const leadOf = (lead = 'PT3M'): number => lengthOf('--lead', lead)

/** Reads an ISO 8601 duration; throws `CliError` for what is none, or too long. */
export function lengthOf(option: string, text: string): number {
  const length = durationMs(text)
  if (length === undefined) throw new CliError(`${option} ${text} is not an ISO 8601 duration such as PT3M.`)
  if (length > 100 * 365 * DAY) throw new CliError(`${option} ${text} is longer than a hundred years.`)
  return length
}
