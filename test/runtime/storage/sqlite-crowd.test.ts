import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import {
  keep,
  sendOnly,
  type Engine,
  type WriteOutcome,
  type StoragePlan,
} from '../../../src/runtime/storage/sql/plan.js'
import type { SqliteConnection } from '../../../src/runtime/storage/sqlite/connection.js'
import { sqliteEngine } from '../../../src/runtime/storage/sqlite/engine.js'

/** An engine that counts its commits. */
function counting() {
  let commits = 0
  const connection: SqliteConnection = {
    run: () => [],
    control: (sql) => {
      if (sql === 'commit') commits++
    },
    close: () => undefined,
  }
  return { engine: sqliteEngine(connection), commits: () => commits }
}

const writeOf = (callers: number) =>
  function* (): StoragePlan<WriteOutcome<undefined>> {
    yield* sendOnly('insert')
    return keep(undefined, callers)
  }

beforeEach(() => void vi.useFakeTimers({ toFake: ['setImmediate', 'setTimeout'] }))
afterEach(() => void vi.useRealTimers())

const nextTurn = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0)
const oneMillisecond = (): Promise<unknown> => vi.advanceTimersByTimeAsync(1)

/** A commit of so many callers in the turn that begins. */
async function commitOf(engine: Engine, callers: number): Promise<void> {
  const written = engine.write(writeOf(callers))
  await nextTurn()
  await written
}

it('commits in the next turn of the event loop', async () => {
  const { engine, commits } = counting()
  void engine.write(writeOf(1))
  await nextTurn()
  expect(commits()).toBe(1)
})

it('lets those who come a turn later share a commit that follows one of many callers', async () => {
  const { engine, commits } = counting()
  await commitOf(engine, 16)
  void engine.write(writeOf(1))
  await nextTurn()
  void engine.write(writeOf(1))
  expect(commits()).toBe(1)
  await oneMillisecond()
  expect(commits()).toBe(2)
})

it('lets nobody wait after a commit of few callers', async () => {
  const { engine, commits } = counting()
  await commitOf(engine, 15)
  void engine.write(writeOf(1))
  await nextTurn()
  expect(commits()).toBe(2)
})

it('commits what waits before it closes', async () => {
  const { engine, commits } = counting()
  await commitOf(engine, 16)
  void engine.write(writeOf(1))
  await engine.close()
  expect(commits()).toBe(2)
})
