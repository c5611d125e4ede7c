/** SQLite through libsql, whose binary comes inside its registry package, for a Node without a usable `node:sqlite`. */
import Database from 'libsql'
import type { Row } from '../sql/plan.js'
import type { SqliteDriver } from './driver.js'

export function openLibsql(file: string): SqliteDriver {
  const database = new Database(file)
  return {
    name: 'libsql',
    prepare(sql) {
      const statement = database.prepare(sql)
      return {
        all: (values) => statement.all(values) as readonly Row[],
        first: (values) => statement.get(values) as Row | undefined,
        run: (values) => {
          statement.run(values)
        },
      }
    },
    close: () => {
      database.close()
    },
  }
}
