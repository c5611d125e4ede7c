/** What a process does around a service: it ends in time, once, and not without a line in the log. */
import type { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'
import { copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { serve } from '../../src/runtime/node.js'
import { openSqlite } from '../../src/runtime/storage/sqlite/index.js'
import { endedInTime, logCrashes, onSignal, once, serveOverStreams } from '../../src/runtime/lifecycle/process.js'
import { capability } from './fixture/manifest.js'
import { startFixture } from './fixture/service.js'

afterEach(() => vi.restoreAllMocks())

const passed = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
const WARNING = 'The service ends before the store has taken all: what is missing is recovered by the next process.'

describe('what a process does at its end', () => {
  it.each<[string, () => Promise<void>, readonly string[]]>([
    ['is done', async () => undefined, []],
    ['is done within the second that the trail has for itself', () => passed(300), []],
    ['fails', async () => Promise.reject(new Error('The disk is full.')), [`${WARNING} {"error":"Error: The disk is full."}`]], // prettier-ignore
    ['takes too long', () => new Promise(() => undefined), [`${WARNING} {"error":"The time is over."}`]],
  ])('%s', async (_, work, lines) => {
    const { service, logged } = await startFixture({ limits: { shutdownMs: 0 } })
    await endedInTime(service, work)
    expect(logged).toEqual(lines)
  })

  it('is begun once, and waited for by all who ask for it', async () => {
    const done: string[] = []
    const end = once(async () => {
      await passed(10)
      done.push('ended')
    })
    await Promise.all([end().then(() => done.push('first')), end().then(() => done.push('second'))])
    expect(done).toEqual(['ended', 'first', 'second'])
  })
})

it.each([
  [
    'an error with where it was thrown',
    new Error('Nobody caught it.'),
    /"error":"Error: Nobody caught it\.\\n {4}at /u,
  ],
  ['of what is no error its kind alone', 'a secret', /"error":"string"\}$/u],
])('a crash is logged: %s; and no longer than the service runs', async (_, thrown, line) => {
  const { service, logged } = await startFixture()
  const forget = logCrashes(service)
  const emitter: EventEmitter = process
  emitter.emit('uncaughtExceptionMonitor', thrown)
  forget()
  emitter.emit('uncaughtExceptionMonitor', thrown)
  expect(logged).toEqual([expect.stringMatching(line)])
})

it.each(['SIGTERM', 'SIGINT'] as const)('%s ends the process with code 0, once all is closed, until nobody listens', async (signal) => {
  const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never)
  const before = process.listeners(signal)
  let closed = (): void => undefined
  const order: string[] = []
  const deaf = onSignal(
    () => new Promise((resolve) => (closed = resolve)),
    async () => void order.push(`store, with ${exit.mock.calls.length} exits`),
  )
  process.listeners(signal).find((listener) => !before.includes(listener))!(signal)
  await passed(1)
  expect(exit.mock.calls).toEqual([])
  closed()
  await passed(1)
  expect([exit.mock.calls, order]).toEqual([[[0]], ['store, with 0 exits']])
  deaf()
  expect(process.listeners(signal)).toEqual(before)
}) // prettier-ignore

it('a SQLite file is complete, without its log, once the process has been told to end', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-stop-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'shop.db')
  const clock = () => Date.parse('2026-03-01T12:00:00.000Z')
  const storage = await openSqlite({ file, schema: 'migrate', clock })
  const { service, root } = await startFixture({ storage, limits: { shutdownMs: 500 } })
  const exited = new Promise<void>((resolve) => vi.spyOn(process, 'exit').mockImplementation(() => (resolve(), undefined as never))) // prettier-ignore
  const before = process.listeners('SIGTERM')
  await serve(service, { port: 0 })
  const { token_id } = await root()
  expect(statSync(`${file}-wal`).size).toBeGreaterThan(0)
  process.listeners('SIGTERM').find((listener) => !before.includes(listener))!('SIGTERM')
  await exited
  copyFileSync(file, join(folder, 'copy.db'))
  const copy = await openSqlite({ file: join(folder, 'copy.db'), clock })
  expect(await copy.tokens.chain(token_id)).toHaveLength(1)
  await copy.close()
})

describe('a service over streams', () => {
  const SIGNALS = ['SIGTERM', 'SIGINT', 'uncaughtExceptionMonitor'] as const
  const listening = () => SIGNALS.map((name) => process.listenerCount(name))

  it('ends with its answer, though its input has not: it reads and hears nothing any more, and has flushed the trail', async () => {
    const { service, storage, logged } = await startFixture({ capabilities: { search: capability() } })
    const [input, before] = [new PassThrough(), listening()]
    let during: readonly number[] = []
    const answer = async () => {
      await passed(1)
      during = listening()
      // The chore that records it has run: what is counted from now on is left to the end.
      service.refusalTally.count('human:ana', 'scope_insufficient')
    }
    await serveOverStreams(service, answer, { input, output: new PassThrough() })
    expect([input.destroyed, during, listening()]).toEqual([true, before.map((count) => count + 1), before])
    const [{ text } = { text: null }] = await storage.audit.texts(1, 9)
    expect(JSON.parse(text!)).toMatchObject({ entry_type: 'refusals', refused: { by_type: { scope_insufficient: 1 } } })
    expect((await storage.checkpoints.latest())?.entry_count).toBe(1)
    expect(logged[0]).toBe('The service reads from standard input. {"service_id":"flights"}')
  })

  it('closes the service where its answer failed, too', async () => {
    const { service } = await startFixture()
    const close = vi.spyOn(service, 'close')
    const failed = serveOverStreams(service, async () => Promise.reject(new Error('No.')), { input: new PassThrough(), output: new PassThrough() }) // prettier-ignore
    await expect(failed).rejects.toThrow('No.')
    expect(close).toHaveBeenCalledOnce()
  })

  it('at a signal takes no more of its input, and ends when what it had is answered', async () => {
    const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never)
    const { service } = await startFixture()
    const before = process.listeners('SIGTERM')
    const input = new PassThrough()
    const read: string[] = []
    const answered = serveOverStreams(
      service,
      async (lines) => {
        for await (const line of lines) read.push(Buffer.from(line).toString())
      },
      { input, output: new PassThrough() },
    )
    input.write('one')
    await vi.waitFor(() => expect(read).toEqual(['one']))
    process.listeners('SIGTERM').find((listener) => !before.includes(listener))!('SIGTERM')
    await answered
    await vi.waitFor(() => expect(exit.mock.calls).toEqual([[0]]))
    expect(read).toEqual(['one'])
  })
})
