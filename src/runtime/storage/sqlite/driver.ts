/** The little that an embedded SQLite must do; each driver is one file. */
import type { Row, Value } from '../sql/plan.js'

export interface PreparedStatement {
  /** For statements that give rows. */
  all(values: readonly Value[]): readonly Row[]
  /** The first row of a statement that only reads. */
  first(values: readonly Value[]): Row | undefined
  /** For statements that give none. */
  run(values: readonly Value[]): void
}

export interface SqliteDriver {
  readonly name: 'node:sqlite' | 'libsql'
  prepare(sql: string): PreparedStatement
  close(): void
}
