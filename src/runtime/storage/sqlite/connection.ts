/** One SQLite connection: durable settings, and each statement prepared once. */
import { StorageUnavailable } from '../contract.js'
import { translate, type Dialect } from '../sql/dialect.js'
import type { Row, Rows, Statement } from '../sql/plan.js'
import type { SqliteDriver, PreparedStatement } from './driver.js'

const DIALECT: Dialect = { placeholder: () => '?', now: undefined, lock: '' }

const SETTINGS = [
  'pragma journal_mode = wal',
  'pragma synchronous = full',
  'pragma foreign_keys = on',
  'pragma busy_timeout = 5000',
  'pragma trusted_schema = off',
]

/** Statements are few; the bound is for queries whose text depends on their filters. */
const MOST_STATEMENTS = 500

const READS = /^\s*select\b/iu
const GIVES_ROWS = /^\s*(?:select|with|pragma)\b|\breturning\b/iu

interface Prepared {
  readonly statement: PreparedStatement
  readonly givesRows: boolean
  readonly reads: boolean
  readonly slots: readonly (number | 'now')[]
  readonly hasClock: boolean
}

export interface SqliteConnection {
  run(statement: Statement): Rows
  /** A statement without values or rows: `begin`, `commit` and their like. */
  control(sql: string): void
  close(): void
}

export function openConnection(driver: SqliteDriver, clock: () => number): SqliteConnection {
  const prepared = new Map<string, Prepared>()

  const prepare = (sql: string): Prepared => {
    const known = prepared.get(sql)
    if (known !== undefined) return known
    const { text, slots } = translate(sql, DIALECT)
    const made = {
      statement: driver.prepare(text),
      slots,
      hasClock: slots.includes('now'),
      givesRows: GIVES_ROWS.test(text),
      reads: READS.test(text),
    }
    if (prepared.size >= MOST_STATEMENTS) prepared.clear()
    prepared.set(sql, made)
    return made
  }

  const run = ({ sql, values, single }: Statement): Rows => {
    try {
      const { statement, slots, hasClock, givesRows, reads } = prepare(sql)
      const bound = hasClock ? slots.map((slot) => (slot === 'now' ? clock() : (values[slot] ?? null))) : values
      if (single === true && reads) return only(statement.first(bound))
      if (givesRows) return statement.all(bound)
      statement.run(bound)
      return []
    } catch (error) {
      throw new StorageUnavailable(`SQLite could not run a statement: ${messageOf(error)}`, { cause: error })
    }
  }

  const control = (sql: string): void => {
    run({ sql, values: [] })
  }

  SETTINGS.forEach(control)
  const close = (): void => {
    tidy(control)
    prepared.clear()
    driver.close()
  }

  return { run, control, close }
}

/** Moves what is in the write-ahead log into the file, so that a stopped service has everything in one file. */
function tidy(control: SqliteConnection['control']): void {
  try {
    control('pragma wal_checkpoint(truncate)')
  } catch {
    // Whoever opens the file next does it; nothing is lost.
  }
}

const only = (row: Row | undefined): Rows => (row === undefined ? [] : [row])

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
