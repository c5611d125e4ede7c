import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { NODES } from './programs.js'

/** Node 20, which runs the other tests, has no SQLite of its own; where it has, services use it by default. */
const WITH_SQLITE = Object.entries(NODES).filter(([name]) => name !== 'Node 20')
const ROOT = resolve(import.meta.dirname, '../..')
const TESTS = ['sqlite-node', 'sqlite-open', 'older-files', 'backup'].map(
  (name) => `test/runtime/storage/${name}.test.ts`,
)

it.each(WITH_SQLITE)('the storage contract holds through node:sqlite of %s', (_, program) => {
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=json', ...TESTS]
  const { stdout, stderr } = spawnSync(program, vitest, { cwd: ROOT, encoding: 'utf8' })
  const { numFailedTests, testResults } = JSON.parse(
    stdout.slice(stdout.indexOf('{'), stdout.lastIndexOf('}') + 1),
  ) as {
    readonly numFailedTests: number
    readonly testResults: readonly {
      readonly assertionResults: readonly { readonly ancestorTitles: readonly string[] }[]
    }[]
  }
  expect({ numFailedTests, stderr: stderr.includes('FAIL') }).toEqual({ numFailedTests: 0, stderr: false })
  const titles = testResults.flatMap(({ assertionResults }) =>
    assertionResults.map(({ ancestorTitles }) => ancestorTitles[0]),
  )
  expect(titles.filter((title) => title === 'SQLite through node:sqlite').length).toBeGreaterThan(50)
})

it.each(WITH_SQLITE)('a service that starts on %s prints no warning about it', (_, program) => {
  const open = `const { openSqlite } = await import('./dist/runtime/storage/sqlite/index.js')
    await (await openSqlite({ file: ':memory:', driver: 'node:sqlite' })).close()`
  const { status, stderr } = spawnSync(program, ['--input-type=module', '--eval', open], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  expect([status, stderr]).toEqual([0, ''])
})
