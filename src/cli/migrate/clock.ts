/** `svc migrate clock`: what a service thinks of the clock of its database, and the word of its owner (security, N09). */
import type { DatabaseClock } from '../../runtime/storage/sql/clock.js'
import { asJson } from '../shared/output/as-json.js'
import { CliError, EXIT, type ExitCode } from '../shared/errors/cli-error.js'
import { databaseOf } from '../shared/database.js'
import type { ClockOptions } from './options.js'
import { isMissing, withSchema } from './run.js'
import { printOut } from '../shared/output/print.js'

/** Prints what the clock says, and whether it is doubted; vouches for it where it is asked to. */
export async function clock(options: ClockOptions): Promise<ExitCode> {
  const database = databaseOf(options.database)
  if (isMissing(database)) throw new CliError(`There is no database ${database.shown}. Name that of the service.`)
  const found = await withSchema(database, (schema) =>
    options.confirm === true ? schema.confirmClock() : schema.clock(),
  )
  printOut(options.json === true ? asJson(dataOf(found)) : describe(found))
  return found.doubted === undefined && !isBehind(found) ? EXIT.ok : EXIT.findings
}

const HOUR_MS = 3600_000
const isBehind = ({ now, confirmed = 0 }: Pick<DatabaseClock, 'now' | 'confirmed'>): boolean =>
  confirmed - now > HOUR_MS

const iso = (ms: number): string => new Date(ms).toISOString()

const dataOf = ({ now, confirmed, doubted }: DatabaseClock) => ({
  now: iso(now),
  ...(confirmed !== undefined && { confirmed_at: iso(confirmed) }),
  ...(doubted && { doubted: { ahead_of: iso(doubted.vouched), waited_ms: doubted.waited } }),
})

const hours = (ms: number): string => `${Math.round((ms / HOUR_MS) * 10) / 10} h`

function describe({ now, confirmed, doubted }: DatabaseClock): string {
  const said = `The clock of the database says ${iso(now)}.`
  if (isBehind({ now, confirmed: confirmed ?? 0 }))
    return `${said} It is behind ${iso(confirmed!)}, which was vouched for.\nIf the clock is right: svc migrate clock --confirm\n`
  const last = confirmed === undefined ? 'Nobody has vouched for it yet.' : `It was believed last at ${iso(confirmed)}.`
  if (doubted === undefined) return `${said} ${last}\n`
  const ahead = now - doubted.vouched - doubted.waited
  return [
    said,
    `It is doubted: it was ahead of ${iso(doubted.vouched)}, the last time that was vouched for.`,
    `Nothing is swept or erased until the service has run for ${hours(ahead - doubted.waited)} more; it did for ${hours(doubted.waited)}.`,
    'If the clock is right: svc migrate clock --confirm',
    '',
  ].join('\n')
}
