/** SQLite through libsql, whose binary comes inside its registry package, for a Node without a usable `node:sqlite`. */
import { createRequire } from 'node:module'
import type Database from 'libsql'
import { MISSING } from './missing-driver.js'
import { StorageUnavailable } from '../contract.js'
import type { Row } from '../sql/plan.js'
import type { SqliteDriver } from './driver.js'

/** Opens a file by libsql, which is asked for here alone: a service that is one file runs without it where Node has SQLite. */
export function openLibsql(file: string): SqliteDriver {
  const Database = loaded()
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

/** Loads the package from beside this file, or from beside the svc-kit that is installed there. */
function loaded(): typeof Database {
  const require = createRequire(import.meta.url)
  const failures: unknown[] = []
  for (const from of [() => require, () => createRequire(require.resolve('svc-kit/runtime/sqlite'))])
    try {
      return from()('libsql') as typeof Database
    } catch (error) {
      failures.push(error)
    }
  throw new StorageUnavailable(MISSING, { cause: failures[0] })
}
