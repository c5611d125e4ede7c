/** What the options of `svc audit` take, before anything is read. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { eraseEntries } from '../../src/cli/audit/erase.js'
import { exportTrail } from '../../src/cli/audit/export.js'
import { lineSplitter } from '../../src/cli/verify/lines.js'
import { resumeSigning } from '../../src/cli/audit/resume.js'
import { databaseOf } from '../../src/cli/shared/database.js'

const home = process.cwd()
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-audit-'))
  process.chdir(folder)
})
afterEach(() => {
  process.chdir(home)
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})
async function ended<T>(work: () => T | Promise<T>): Promise<T | string> {
  try {
    return await work()
  } catch (error) {
    return (error as Error).message
  }
}

const READ_ON = 'There is no database none.db.'
const NO_SEQUENCES = (text: string): string => `--entries ${text} must be sequences and ranges, such as 17,20-25.`
const TOO_MANY = (text: string): string =>
  `--entries ${text} names more than 10000 entries. Erase them in several runs.`

it.each([
  ['1', READ_ON],
  ['17,20-25', READ_ON],
  [' 17 , 20-20 ', READ_ON],
  ['1-10000', READ_ON],
  ['1-9999,5,10000', READ_ON],
  ['1-10001', TOO_MANY('1-10001')],
  ['1-9999,10001-10002', TOO_MANY('1-9999,10001-10002')],
  ['0', NO_SEQUENCES('0')],
  ['', NO_SEQUENCES('')],
  ['1,', NO_SEQUENCES('1,')],
  ['25-20', NO_SEQUENCES('25-20')],
  ['1 - 2', NO_SEQUENCES('1 - 2')],
  ['01', NO_SEQUENCES('01')],
  ['-5', NO_SEQUENCES('-5')],
  ['1234567890123456', NO_SEQUENCES('1234567890123456')],
])('--entries %j', async (entries, message) => {
  expect(await ended(() => eraseEntries({ entries, reason: 'Asked for.', database: 'none.db' }))).toBe(message)
})

const WHY = '--reason must say why, in at most 1000 characters.'
it.each([
  ['Asked for.', READ_ON],
  ['😀'.repeat(1000), READ_ON],
  ['a'.repeat(1001), WHY],
  [' \n', WHY],
  ['', WHY],
])('--reason %#', async (reason, message) => {
  expect(await ended(() => eraseEntries({ entries: '1', reason, database: 'none.db' }))).toBe(message)
})

it.each(['0', '-1', 'first', '1.5', '01', '', '1234567890123456'])('--from %j', async (from) => {
  expect(await ended(() => exportTrail({ from, out: '-', service: 'crm', database: 'none.db' }))).toBe(
    `--from ${from} is not the sequence of an entry; the first is 1.`,
  )
})

it('a service is named, or is that of this folder', async () => {
  expect(await ended(() => exportTrail({ from: '1', out: '-', database: 'none.db' }))).toBe(
    'Name the service: --service <id>, or run this in the folder of its svc.yaml.',
  )
})

it.each([
  ['data.db', { place: 'data.db', shown: 'data.db', isPostgres: false }],
  ['./a b.db', { place: './a b.db', shown: './a b.db', isPostgres: false }],
  ['postgresql://u:p@h/d', { place: 'postgresql://u:p@h/d', shown: 'postgresql://h/d', isPostgres: true }],
  ['postgres://u:p@ss@h:5/d?sslmode=require&password=x', { place: 'postgres://u:p@ss@h:5/d?sslmode=require&password=x', shown: 'postgres://h:5/d', isPostgres: true }],
  ['mysql://h/d', 'A database is a SQLite file or a postgresql:// address; mysql:// is neither.'],
  ['', 'Name the database: --database <file or postgresql:// address>, or set SVC_DATABASE.'],
])('--database %j', async (given, wanted) => {
  expect(await ended(() => databaseOf(given))).toEqual(wanted)
}) // prettier-ignore

it('a database is that of the environment where none is given', async () => {
  vi.stubEnv('SVC_DATABASE', 'own.db')
  expect(databaseOf(undefined).place).toBe('own.db')
  expect(databaseOf('mine.db').place).toBe('mine.db')
  vi.stubEnv('SVC_DATABASE', '')
  expect(await ended(() => databaseOf(undefined))).toContain('Name the database')
})

it('lines end at line feeds, and nowhere else', () => {
  const lines: string[] = []
  const splitter = lineSplitter((line) => void lines.push(Buffer.from(line).toString()))
  for (const chunk of ['a', 'b\nc\r\n', '', '\n\u2028d', 'e']) splitter.push(Buffer.from(chunk))
  expect(splitter.end()).toBe(false)
  expect(lines).toEqual(['ab', 'c\r', '', '\u2028de'])
  const whole = lineSplitter(() => undefined)
  expect(whole.end()).toBe(false)
  whole.push(Buffer.from('a\n'))
  expect(whole.end()).toBe(true)
})

it('a line has at most 64 MiB', () => {
  const piece = Buffer.alloc(32 * 1024 * 1024, 'a')
  const splitter = lineSplitter(() => undefined)
  splitter.push(piece)
  splitter.push(piece)
  expect(() => splitter.push(Buffer.from('\n'))).not.toThrow()
  splitter.push(piece)
  splitter.push(piece)
  expect(() => splitter.push(Buffer.from('a'))).toThrow('A line has more than 64 MiB: this is no audit export.')
})

it('what is remembered is abandoned once, and nothing else in the folder', async () => {
  const none = 'keys/.checkpoints remembers no checkpoint; nothing keeps the service from signing.'
  const said: string[] = []
  const spy = vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => (said.push(String(chunk)), true))
  const first = await ended(() => resumeSigning({ reason: 'Restored.', keys: 'keys' }))
  const memory = String(first).replace(' remembers no checkpoint; nothing keeps the service from signing.', '')
  expect(String(first)).toBe(none.replace('keys/.checkpoints', memory))
  mkdirSync(memory, { recursive: true })
  for (const name of [`${'a'.repeat(32)}.json`, 'other.json', `${'b'.repeat(31)}.json`]) writeFileSync(join(memory, name), '{"sequence":1}') // prettier-ignore
  expect(await ended(() => resumeSigning({ reason: 'Restored.', keys: 'keys' }))).toBe(0)
  expect(readdirSync(memory).map((name) => name.replace(/\d{4}-.*Z/u, '<time>')).toSorted()).toEqual([`${'a'.repeat(32)}.<time>.abandoned.json`, `${'b'.repeat(31)}.json`, 'other.json']) // prettier-ignore
  expect(await ended(() => resumeSigning({ reason: 'Restored.', keys: 'keys' }))).toBe(first)
  spy.mockRestore()
  expect(said).toEqual([
    `${'a'.repeat(32)}.json: abandoned, the service signs on from what its database holds\n`,
    'Tell those who hold newer checkpoints: they will see two histories.\n',
  ])
})

const MEMORY_OF = (place: string): string => `${place}/checkpoints remembers no checkpoint`
it.each([
  ['own', 'theirs', 'own'],
  [undefined, 'theirs', 'theirs'],
  ['own', undefined, 'own'],
  [undefined, undefined, 'keys'],
])('resumes with --keys %s and SVC_STATE_DIR %s what %s remembers', async (keys, state, place) => {
  vi.stubEnv('SVC_STATE_DIR', state)
  const given = keys === undefined ? {} : { keys }
  expect(await ended(() => resumeSigning({ ...given, reason: 'Restored.' }))).toContain(MEMORY_OF(place))
})
