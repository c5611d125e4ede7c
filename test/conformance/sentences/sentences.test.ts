/** Every sentence of sections 2 to 9 of the interface document, held to a service on both stores. */
import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { CASES, judge } from '../../../src/cli/conformance/run.js'
import { learnFrom } from '../../../src/conformance/samples.js'
import { connectToService } from '../../../src/conformance/target.js'
import type { Running } from '../../../src/runtime/node.js'
import type { Storage } from '../../../src/runtime/storage/contract.js'
import { openPostgres } from '../../../src/runtime/storage/postgres/index.js'
import { startPostgres, type PostgresServer } from '../../runtime/storage/postgres-server.js'
import { CREDENTIALS, startService } from '../service.js'
import { isChecked, isTold, wrongWith, type Found } from './checks.js'
import { collect } from './collected.js'
import { altering, PLANTED } from './planted.js'
import { ROWS, type Row } from './rows.js'
import { startLetter } from './service.js'

const CHECKED = ROWS.filter(isChecked)

/** Titles of the cases of the suite that sentences name. */
const titlesIn = (rows: readonly Row[]): ReadonlySet<string> =>
  new Set(rows.flatMap(({ how }) => how.filter((each) => each.startsWith('case ')).map((each) => each.slice(5))))

/** What the suite, and one look at everything, find out about two services: one that gives occasion for all, and one of an author. */
async function found(suite: Running, letter: Running, titles = titlesIn(CHECKED)): Promise<Found> {
  const target = await connectToService(suite.url, CREDENTIALS, { learn: learnFrom })
  const verdicts = await judge(target, CASES.filter(({ title }) => titles.has(title)))
  return { collected: await collect(letter.url), verdicts: new Map(verdicts.map((each) => [each.title, each])) }
} // prettier-ignore

const deviations = (all: Found, rows: readonly Row[] = CHECKED): readonly string[] =>
  rows.flatMap((row) => {
    const wrong = wrongWith(row, all)
    return wrong === undefined ? [] : [`${row.id} ${row.sentence}: ${wrong}`]
  })

describe('the table', () => {
  it('has some 600 sentences of sections 2 to 9, each with a check or a reason', () => {
    expect(ROWS.length).toBeGreaterThanOrEqual(500)
    expect(ROWS.filter((row) => !isTold(row))).toEqual([])
    expect(new Set(ROWS.map(({ section }) => section.split('.')[0]))).toEqual(new Set(['2', '3', '4', '5', '6', '7', '8', '9']))
  }) // prettier-ignore

  it('names tests that exist', () => {
    const named = ROWS.flatMap(({ how }) => how.flatMap((each) => each.match(/test\/[\w/.-]+\.test\.ts/gu) ?? []))
    expect(named.filter((file) => !existsSync(file))).toEqual([])
  })

  it('lists what is not checked here, and why', async () => {
    const lines = ROWS.filter((row) => !isChecked(row)).map(({ id, sentence, how }) => `${id} ${sentence}: ${how.join('; ')}`)
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('not-checked.txt')
  }) // prettier-ignore
})

describe('SQLite', () => {
  let services: readonly [Running, Running]
  beforeAll(async () => {
    services = await Promise.all([startService(), startLetter()])
  })
  afterAll(async () => void (await Promise.all(services.map((each) => each.close()))))

  it('keeps every sentence', async () => {
    expect(deviations(await found(...services))).toEqual([])
  })

  it.each(PLANTED)('finds %s', async (_, { path, alter, sections }, ids) => {
    const rows = CHECKED.filter(({ section }) => sections.includes(section))
    const own = globalThis.fetch
    onTestFinished(() => void (globalThis.fetch = own))
    globalThis.fetch = altering(own, path, alter)
    const all = await found(...services, titlesIn(rows))
    expect(deviations(all, rows).map((line) => line.split(' ')[0])).toEqual(ids)
  })
})

describe('PostgreSQL', () => {
  let server: PostgresServer
  const opened: Storage[] = []
  beforeAll(async () => {
    server = await startPostgres(['fsync=off'])
  })
  afterAll(async () => {
    await Promise.all(opened.map((storage) => storage.close().catch(() => undefined)))
    await server.stop()
  })
  const store = async (name: string): Promise<Storage> => {
    const storage = await openPostgres({ connectionString: await server.database(name), schema: 'migrate', connections: 4 })
    opened.push(storage)
    return storage
  } // prettier-ignore

  it('keeps every sentence', async () => {
    const [suite, letter] = await Promise.all([startService(await store('suite')), startLetter(await store('letter'))])
    onTestFinished(async () => void (await Promise.all([suite.close(), letter.close()])))
    expect(deviations(await found(suite, letter))).toEqual([])
  })
})
