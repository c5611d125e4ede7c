/**
 * A verb of the contract is a plan: a generator that yields statements and is given their rows. An engine plays it, at
 * once on an embedded store, over the wire on a server, always inside one transaction; so each verb is written once for
 * both.
 */
export type Value = string | number | null | Uint8Array
export type Row = { readonly [column: string]: unknown }
export type Rows = readonly Row[]

export interface Statement {
  readonly sql: string
  readonly values: readonly Value[]
  /** Holds when nobody waits for the rows: a server is then told the next statement at once. */
  readonly blind?: true
  /** Holds when at most the first row is wanted. */
  readonly single?: true
}

export type StoragePlan<T> = Generator<Statement, T, Rows>

/** What a writing plan ends with: its value, and whether what it wrote shall stand. */
export interface WriteOutcome<T> {
  readonly value: T
  readonly stands: boolean
  /** How many callers waited for it. */
  readonly callers: number
}

export const keep = <T>(value: T, callers = 1): WriteOutcome<T> => ({ value, stands: true, callers })
export const undo = <T>(value: T): WriteOutcome<T> => ({ value, stands: false, callers: 1 })

/**
 * One statement, in the SQL that all engines share: `?` takes the next value, `:now` is the back end's clock in ms,
 * `:lock` at the end of a select holds the row until the transaction ends.
 */
export function* rows(sql: string, ...values: readonly Value[]): StoragePlan<Rows> {
  return yield { sql, values }
}

/** The first row of a statement, if any. */
export function* row(sql: string, ...values: readonly Value[]): StoragePlan<Row | undefined> {
  const [first] = yield { sql, values, single: true }
  return first
}

/** A statement whose rows nobody waits for; if it fails, its transaction does. */
export function* sendOnly(sql: string, ...values: readonly Value[]): StoragePlan<void> {
  yield { sql, values, blind: true }
}

export interface Engine {
  /** Whether other processes may write beside this one. */
  readonly isShared: boolean
  /** Plays a plan in one transaction; durable when it resolves, unless the plan undoes itself. */
  write<T>(plan: () => StoragePlan<WriteOutcome<T>>): Promise<T>
  /** Plays a plan that needs no transaction: each of its statements is one by itself, and none can be undone. */
  writeSingly<T>(plan: () => StoragePlan<WriteOutcome<T>>): Promise<T>
  /** Plays a plan that reads a few rows by their keys. */
  read<T>(plan: () => StoragePlan<T>): Promise<T>
  /** Plays a writing plan apart from all others, and gives up after a second. */
  probe<T>(plan: () => StoragePlan<WriteOutcome<T>>): Promise<T>
  /** Holds for what a write was refused with because a unique index has such a row. */
  isTaken(error: unknown, index: string): boolean
  /** Plays a plan that may read much, and must not be in the way of others. */
  search<T>(plan: () => StoragePlan<T>): Promise<T>
  close(): Promise<void>
}
