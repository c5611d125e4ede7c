import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { keep, tell, type Outcome, type Plan } from '../../../src/runtime/storage/sql/plan.js'
import type { Connection } from '../../../src/runtime/storage/sqlite/connection.js'
import { sqliteEngine } from '../../../src/runtime/storage/sqlite/engine.js'

/** An engine that counts its commits. */
function counting() {
  let commits = 0
  const connection: Connection = {
    run: () => [],
    control: (sql) => {
      if (sql === 'commit') commits++
    },
    close: () => undefined,
  }
  return { engine: sqliteEngine(connection), commits: () => commits }
}

const writeOf = (callers: number) =>
  function* (): Plan<Outcome<undefined>> {
    yield* tell('insert')
    return keep(undefined, callers)
  }

it('commits in the next turn of the event loop', async () => {
  const { engine, commits } = counting()
  void engine.write(writeOf(1))
  await nextTurn()
  expect(commits()).toBe(1)
})

it('lets those who come a turn later share a commit that follows one of many callers', async () => {
  const { engine, commits } = counting()
  await engine.write(writeOf(16))
  const first = engine.write(writeOf(1))
  await nextTurn()
  await Promise.all([first, engine.write(writeOf(1))])
  expect(commits()).toBe(2)
})

it('lets nobody wait after a commit of few callers', async () => {
  const { engine, commits } = counting()
  await engine.write(writeOf(15))
  void engine.write(writeOf(1))
  await nextTurn()
  expect(commits()).toBe(2)
})

it('commits what waits before it closes', async () => {
  const { engine, commits } = counting()
  await engine.write(writeOf(16))
  void engine.write(writeOf(1))
  await engine.close()
  expect(commits()).toBe(2)
})
