/** SQLite through the one inside Node. */
import type { Row, Value } from '../sql/plan.js'
import type { SqliteDriver } from './driver.js'

/** What is used of `node:sqlite`, which the oldest supported Node and its types do not have. */
export interface NodeSqlite {
  readonly DatabaseSync: new (file: string) => {
    prepare(sql: string): {
      all(...values: readonly Value[]): readonly unknown[]
      get(...values: readonly Value[]): unknown
      run(...values: readonly Value[]): unknown
    }
    close(): void
  }
}

export function openNodeSqlite(sqlite: NodeSqlite, file: string): SqliteDriver {
  const database = new sqlite.DatabaseSync(file)
  return {
    name: 'node:sqlite',
    prepare(sql) {
      const statement = database.prepare(sql)
      return {
        all: (values) => statement.all(...values) as readonly Row[],
        first: (values) => statement.get(...values) as Row | undefined,
        run: (values) => {
          statement.run(...values)
        },
      }
    },
    close: () => {
      database.close()
    },
  }
}
