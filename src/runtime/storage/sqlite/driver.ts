/** The little that an embedded SQLite must do; each driver is one file. */
import type { Row, Value } from '../sql/plan.js'

export interface PreparedStatement {
  /** Runs it to its end and gives its rows, none for a statement that returns none. */
  all(values: readonly Value[]): readonly Row[]
}

export interface Driver {
  readonly name: 'node:sqlite' | 'libsql'
  prepare(sql: string): PreparedStatement
  close(): void
}
