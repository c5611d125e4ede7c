import { erasureDraft } from '../../crypto/trail/erasure.js'
import { sealEntry } from '../../runtime/storage/seal.js'
import { timestamp } from '../../runtime/json/timestamp.js'
import type { ErasureAccount } from '../../runtime/storage/contract.js'
import { NotErasable } from '../../runtime/storage/sql/erase.js'
import { CliError, EXIT, type ExitCode } from '../shared/errors/cli-error.js'
import { databaseOf, type Database } from '../shared/database.js'
import { say } from '../shared/output/say.js'
import { isMissing, withSchema } from '../migrate/run.js'

export interface EraseOptions {
  readonly entries: string
  readonly reason: string
  readonly database?: string
}

const MOST_ENTRIES = 10_000
const MOST_REASON = 1000

/** Erases the content of entries whatever their age, and says so on the trail (decisions, section 14: Erasure). */
export async function eraseEntries({ entries, reason, database: given }: EraseOptions): Promise<ExitCode> {
  const sequences = sequencesIn(entries)
  const account = accountFor(reason)
  const database = databaseOf(given)
  if (isMissing(database)) throw new CliError(`There is no database ${database.shown}.`)
  const { count, ranges } = await withSchema(database, async (schema) => {
    const { pending } = await schema.status()
    if (pending.length > 0) throw new CliError(`The schema of ${database.shown} is older. Run first: svc migrate up`)
    return schema.erase(sequences, account).catch((error: unknown) => explain(database, error))
  })
  say(`erased the content of ${count} entries (${ranges.map(([from, to]) => nameOf(from, to)).join(', ')})`)
  say(
    'The audit trail records this; the next checkpoint covers it. Backups and earlier exports still hold the content.',
  )
  return EXIT.ok
}

const nameOf = (from: number, to: number): string => (from === to ? String(from) : `${from}-${to}`)

const accountFor = (reason: string): ErasureAccount => {
  if (reason.trim() === '' || [...reason].length > MOST_REASON)
    throw new CliError(`--reason must say why, in at most ${MOST_REASON} characters.`)
  return {
    draft: (erased, now) => erasureDraft('service:schema-owner', erased, reason, timestamp(now)),
    seal: sealEntry,
  }
}

/** The sequences that an option names, rising and each once. */
function sequencesIn(option: string): readonly number[] {
  const found = new Set<number>()
  for (const part of option.split(',')) {
    const [, first = '', last = first] = /^\s*([1-9]\d{0,14})(?:-([1-9]\d{0,14}))?\s*$/u.exec(part) ?? []
    const [from, to] = [Number(first), Number(last)]
    if (first === '' || from > to)
      throw new CliError(`--entries ${option} must be sequences and ranges, such as 17,20-25.`)
    if (to - from >= MOST_ENTRIES - found.size)
      throw new CliError(`--entries ${option} names more than ${MOST_ENTRIES} entries. Erase them in several runs.`)
    for (let sequence = from; sequence <= to; sequence++) found.add(sequence)
  }
  return [...found].toSorted((one, other) => one - other)
}

/** PostgreSQL: insufficient_privilege. */
const NOT_THE_OWNER = '42501'

function explain({ shown }: Database, error: unknown): never {
  if (error instanceof NotErasable) throw new CliError(`${error.message} Nothing was erased.`)
  if (codeOf(error) === NOT_THE_OWNER)
    throw new CliError(
      `The role of ${shown} does not own the schema, and only the owner may erase entries before their time. ` +
        'Name the address of the role that runs: svc migrate up',
    )
  throw error
}

function codeOf(error: unknown): unknown {
  if (!(error instanceof Error)) return undefined
  return 'code' in error ? error.code : codeOf(error.cause)
}
