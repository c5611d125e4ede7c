/** What names a database may hold a password: no message repeats it, whatever it is written like (T: credentials are never echoed). */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { databaseOf, explainDatabase } from '../../src/cli/shared/database.js'
import { openPostgres } from '../../src/runtime/storage/postgres/index.js'
import { openSqlite } from '../../src/runtime/storage/sqlite/index.js'

const PASSWORD = 'hunter2'

/** Each way in which somebody has written an address with a password, as it is and with blanks and line ends around it. */
const FORMS = [
  'postgresql://svc:hunter2@host/db', 'postgres://svc:hunter2@host/db', 'POSTGRESQL://svc:hunter2@host/db', 'postgresql://svc:hun?hunter2@host/db',
  'postgresql://svc:12/hunter2@host/db', 'postgresql://svc:12#hunter2@host/db', 'postgresql://svc:hunter2@h1:1,h2:2/db', 'postgresql://host/db?user=a@b&password=hunter2',
  'postgresql://host/db?password=hunter2', 'postgresql://hunter2@/db@', 'postgresql:svc:hunter2@host/db', 'postgres:svc:hunter2@host', 'postgres:/svc:hunter2@host',
  'jdbc:postgresql://host/db?user=svc&password=hunter2', 'mysql://svc:hunter2@host/db', 'host=h password=hunter2', 'Server=h;Password=hunter2;', 'Data Source=h;Pwd=hunter2',
  'svc:hunter2@host/db', 'svc:hunter2@host:5432', '//svc:hunter2@host/db', 'sqlite:///data/a.db?key=hunter2', 'file:data/a.db?key=hunter2', 'data/a.db?key=hunter2', 'sqlserver://h;password=hunter2',
] // prettier-ignore
const PLACES = FORMS.flatMap((form) => [form, ` ${form}`, `${form}\n`, `"${form}"`])

let home: string
let folder: string
beforeEach(() => {
  home = process.cwd()
  folder = mkdtempSync(join(tmpdir(), 'svc-places-'))
  process.chdir(folder)
})
afterEach(() => {
  process.chdir(home)
  rmSync(folder, { recursive: true, maxRetries: 20 })
})

const textOf = (error: unknown): string => {
  const { message = '', stack = '', cause } = error as Error
  return message + stack.split('\n')[0] + (cause === undefined ? '' : textOf(cause))
}

describe('a password', () => {
  it.each(PLACES)('of the database %j is in no message of a command', (place) => {
    let said = ''
    try {
      const database = databaseOf(place)
      said = database.shown
      explainDatabase(database, Object.assign(new TypeError('Invalid URL'), { code: 'ERR_INVALID_URL' }))
    } catch (error) {
      said += (error as Error).message
    }
    expect(said).not.toBe('')
    expect(said).not.toContain(PASSWORD)
  })

  it.each(PLACES.filter((place) => !/^postgres(?:ql)?:\/\//iu.test(place)))('of the database %j is in no message of a service', async (place) => {
    const refused = await openPostgres({ connectionString: place }).then(() => undefined, textOf)
    expect(refused).not.toContain(PASSWORD)
    const file = await openSqlite({ file: `${place}/\0` }).then(() => '', textOf)
    expect(file).not.toContain(PASSWORD)
  }) // prettier-ignore

  it.each(['data/shop.db', '/var/lib/shop/shop.db', String.raw`C:\data\shop.db`, ':memory:', 'Änderungen 2.db'])('is in no path: %j is shown', (place) => {
    expect(databaseOf(place)).toEqual({ place, shown: place, isPostgres: false })
    expect(existsSync(place)).toBe(false)
  }) // prettier-ignore

  it('is left out of an address, whose server and name are shown', () => {
    expect(databaseOf('postgresql://svc:hunter2@db.example:5432/shop?sslmode=require').shown).toBe('postgresql://db.example:5432/shop')
  }) // prettier-ignore
})
