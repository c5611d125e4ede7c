/** A disk that is full: that of the log, and that of the database. A file system in memory of this size stands for it (root). */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { effectsOf, failures, invoke, invokeAtOnce, root, successes } from '../races/acts.js'
import { openSqlite } from '../../src/runtime/storage/sqlite/index.js'
import { verifyTrail } from '../races/verify-trail.js'
import { createWorld, type World } from '../races/world.js'

let folder = ''
let disk = ''
let world: World
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-full-'))
  disk = join(folder, 'disk')
  mkdirSync(disk)
})
afterEach(async () => {
  await world.end()
  // A file that a driver closes late is no reason to stay.
  execFileSync('umount', ['--lazy', disk])
  rmSync(folder, { recursive: true })
})

const mount = (size: string): void => void execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'svc', disk])

/** Leaves no room on the disk. */
function fill(): void {
  for (const size of [65_536, 4_096])
    for (let file = 0; file < 10_000; file++)
      try {
        writeFileSync(join(disk, `filler-${size}-${file}`), Buffer.alloc(size))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
        break
      }
}
const empty = (): void => void execFileSync('sh', ['-c', `rm ${disk}/filler-*`])

const alarms = async (): Promise<unknown> => (await world.get(0, '/-/ready')).body['alarms']
const CALLS = 50

it('of the log loses no call and delays none; an alarm and the next line say how many lines are missing', async () => {
  mount('256k')
  fill()
  const under = ['sh', '-c', 'exec "$@" 2>>"$0"', join(disk, 'log')]
  world = await createWorld({ engine: 'sqlite', replicas: 0 })
  await world.start({ logs: true }, under)
  const token = await root(world)
  const begun = performance.now()
  const replies = await invokeAtOnce(world, CALLS, 'act', token)
  expect(performance.now() - begun).toBeLessThan(10_000)
  expect([successes(replies).length, await effectsOf(world, replies)]).toEqual([CALLS, CALLS])
  const { invocations } = await verifyTrail(world)
  expect(replies.filter(({ body }) => !invocations.includes(body['invocation_id']))).toEqual([])
  await expect.poll(alarms, { timeout: 20_000 }).toEqual(['log_lines_dropped'])
  empty()
  expect(successes([await invoke(world, 0, 'act', token)])).toHaveLength(1)
  const [first = ''] = readFileSync(join(disk, 'log'), 'utf8').trim().split('\n').slice(-2)
  expect(JSON.parse(first.slice(first.indexOf('{')))).toMatchObject({
    msg: 'Log lines were dropped: they could not be written.',
  })
  expect((JSON.parse(first.slice(first.indexOf('{'))) as { dropped: number }).dropped).toBeGreaterThanOrEqual(CALLS)
})

it('of the database refuses calls, which may be made again, and is live all the time; nothing is done without its entry', async () => {
  mount('8m')
  const home = await createWorld({ engine: 'sqlite', replicas: 0 })
  const storage = { file: join(disk, 'service.db') }
  world = { ...home, storage }
  await world.start({ storage })
  const token = await root(world)
  const before = await invokeAtOnce(world, CALLS, 'act', token)
  expect(successes(before)).toHaveLength(CALLS)
  fill()
  const during = await invokeAtOnce(world, CALLS * 4, 'act', token)
  const live = await world.get(0, '/-/live')
  expect(live.status).toBe(200)
  expect(Object.keys(failures(during)).toSorted()).toEqual(expect.arrayContaining(['service_unavailable']))
  await expect.poll(async () => (await world.get(0, '/-/ready')).status, { timeout: 20_000 }).toBe(503)
  empty()
  await expect.poll(async () => (await world.get(0, '/-/ready')).status, { timeout: 20_000 }).toBe(200)
  const after = await invokeAtOnce(world, CALLS, 'act', token)
  expect(successes(after)).toHaveLength(CALLS)
  await expect.poll(async () => await unrecorded(), { timeout: 30_000 }).toEqual([])
})

/** Effects without an entry of the trail. */
async function unrecorded(): Promise<readonly string[]> {
  const { invocations } = await verifyTrail(world)
  const done = (await world.effects()).map((line) => line.split(' ')[1]!)
  return done.filter((id) => !invocations.includes(id))
}

it('of a database that is made there is named at the start, with what to do', async () => {
  world = await createWorld({ engine: 'sqlite', replicas: 0 })
  mount('64k')
  const file = join(disk, 'svc.db')
  await expect(openSqlite({ file })).rejects.toThrow(
    /^The database \S+ cannot be used: .*full.*\. Free space on its disk\.$/u,
  )
})
