import { CliError } from '../shared/errors/cli-error.js'

/**
 * The time that signed documents are dated by, ms since the epoch: `SOURCE_DATE_EPOCH`, where it is set, makes them
 * reproducible (reproducible-builds.org); else now.
 */
export function sourceDate(now: number): number {
  const text = process.env['SOURCE_DATE_EPOCH'] ?? ''
  if (text === '') return now
  if (!/^\d{1,11}$/u.test(text))
    throw new CliError(`SOURCE_DATE_EPOCH ${JSON.stringify(text)} must be whole seconds since 1970: 1700000000.`)
  return Number(text) * 1000
}

/** Holds when the environment fixes the date. */
export const isDated = (): boolean => (process.env['SOURCE_DATE_EPOCH'] ?? '') !== ''
