import { describeStorage } from './contract.js'
import { openSqliteHarness } from './sqlite-harness.js'

describeStorage('SQLite through libsql', openSqliteHarness('libsql'))
