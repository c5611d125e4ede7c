import { spawnSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { invoke, root } from './acts.js'
import { verifyTrail } from './verify-trail.js'
import { createWorld, DEPLOYMENTS, kill, LAPSING, type Replica, type World } from './world.js'

const hasStrace = spawnSync('strace', ['-V']).error === undefined
/** FAULTS=some: every second point, as CI does. */
const EACH = process.env['FAULTS'] === 'some' ? 2 : 1
const POINTS = [1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377].filter((_, index) => index % EACH === 0)
const FIRST_POINTS = [1, 2, 3, 4, 5].filter((_, index) => index % EACH === 0)

/** The store opens its files when it starts; the only file that is renamed is the memory of the last checkpoint. */
const FAULTS = [
  ['pwrite64', 'error=EIO', POINTS],
  ['pwrite64', 'error=ENOSPC', POINTS],
  ['pwrite64', 'signal=KILL', POINTS],
  ['fsync', 'error=EIO', POINTS],
  ['fsync', 'error=ENOSPC', POINTS],
  ['fsync', 'signal=KILL', POINTS],
  ['openat', 'error=EIO', FIRST_POINTS],
  ['openat', 'error=ENOSPC', FIRST_POINTS],
  ['openat', 'signal=KILL', FIRST_POINTS],
  ['rename', 'error=EIO', FIRST_POINTS],
  ['rename', 'error=ENOSPC', FIRST_POINTS],
  ['rename', 'signal=KILL', FIRST_POINTS],
] as const

/** The same without strace: what the driver of the store does fails once, or the process ends there. */
const STATEMENT_FAULTS = [
  ['before', 'fail'],
  ['after', 'fail'],
  ['before', 'kill'],
  ['after', 'kill'],
] as const

/** `strace` fails one call of a kind on the files of the store. */
function under(file: string, call: string, fault: string, point: number): readonly string[] {
  const paths = call === 'rename' ? [] : ['', '-wal', '-shm'].flatMap((suffix) => ['-P', file + suffix])
  return [
    'strace',
    '-f',
    '-o',
    '/dev/null',
    '-e',
    `trace=${call}`,
    '-e',
    `inject=${call}:${fault}:when=${point}`,
    ...paths,
  ]
}

const stop = async (replica: Replica): Promise<void> => {
  const pid = replica.process.pid!
  const children = spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)]).stdout.toString()
  for (const child of children.split(/\s+/u).filter((each) => each !== '')) {
    try {
      process.kill(Number(child), 'SIGKILL')
    } catch {
      // It is gone already.
    }
  }
  await kill(replica)
}

/** Starts a replica for each point at which something fails, and calls it; then nothing may be missing. */
async function survives(
  points: readonly number[],
  start: (world: World, point: number) => Promise<Replica>,
): Promise<void> {
  const world = await createWorld(DEPLOYMENTS[0], undefined, LAPSING)
  try {
    await expectSound(world, await useAt(world, points, start))
  } finally {
    await world.end()
  }
}

/** Gives what was answered as done. */
async function useAt(
  world: World,
  points: readonly number[],
  start: (world: World, point: number) => Promise<Replica>,
): Promise<string[]> {
  const acknowledged: string[] = []
  for (const point of points) {
    await Promise.all(world.replicas.splice(0).map(kill))
    const replica = await start(world, point).catch(() => undefined)
    if (replica === undefined) continue
    await useFor(20, world, acknowledged)
    world.replicas.length = 0
    await stop(replica)
  }
  world.replicas.length = 0
  return acknowledged
}

async function expectSound(world: World, acknowledged: readonly string[]): Promise<void> {
  await world.start()
  await sleep(2500)
  const { entries, sequences } = await verifyTrail(world)
  expect(sequences).toEqual(sequences.map((_, index) => index + 1))
  const byId = new Map(entries.map((entry) => [entry['invocation_id'], entry]))
  expect(acknowledged.filter((id) => byId.get(id)?.['success'] !== true)).toEqual([])
  const effects = (await world.effects()).map((line) => line.split(' ')[1])
  expect(effects.filter((id) => !byId.has(id))).toEqual([])
  expect(acknowledged.length).toBeGreaterThan(0)
}

/** Each has a store of its own, and time does not matter: two run side by side. */
describe.concurrent('a store on SQLite that fails once', () => {
  it.each(STATEMENT_FAULTS)('R18: %s a statement, %s: no success without its entry', async (when, how) => {
    await survives(POINTS, (world, at) => world.start({ statementFault: { at, when, how } }))
  })

  if (hasStrace) {
    it.each(FAULTS)(
      'R18: %s with %s: no success without its entry, and the trail verifies',
      async (call, fault, points) => {
        await survives(points, (world, point) => {
          const { file } = world.storage as { file: string }
          return world.start({}, under(file, call, fault, point))
        })
      },
    )
  }
})

/** Some calls, one after the other; those that fail are nobody's success. */
async function useFor(calls: number, world: World, acknowledged: string[]): Promise<void> {
  const token = await root(world).catch(() => undefined)
  if (token === undefined) return
  for (let n = 0; n < calls; n++) {
    const reply = await invoke(world, 0, 'act', token).catch(() => undefined)
    if (reply?.status === 200) acknowledged.push(reply.body['invocation_id'] as string)
  }
}
