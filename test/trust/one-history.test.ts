/** A service signs one history: what the log must still hold of all that was signed, and when it is looked at (N24, C04). */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Checkpoint } from '../../src/protocol/audit.js'
import { makeCheckpoint, type CheckpointMemory } from '../../src/runtime/checkpoints/make.js'
import { checkpointMemory } from '../../src/runtime/checkpoints/memory.js'
import { startCheckpoints, type CheckpointHealth, type CheckpointSchedule } from '../../src/runtime/checkpoints/schedule.js' // prettier-ignore
import { healthTeller } from '../../src/runtime/lifecycle/anchoring.js'
import { alarms as newAlarms } from '../../src/runtime/telemetry/alarms.js'
import { draftOf, seal, startTrail } from './trail.js'

/** A memory that holds what a test puts there. */
function memoryOf(checkpoint?: Checkpoint) {
  const kept: Checkpoint[] = checkpoint === undefined ? [] : [checkpoint]
  const logs: string[] = []
  const memory: CheckpointMemory = {
    last: async (log) => (logs.push(log), kept.at(-1)),
    keep: async (_, made) => void kept.push(made),
  }
  return { memory, kept, logs }
}

type Trail = Awaited<ReturnType<typeof startTrail>>

/** Another history: the same first entry, then others. */
const fork = ({ storage }: Trail, from: number, to: number) =>
  storage.audit.append(
    () => Array.from({ length: to - from + 1 }, (_, at) => ({ draft: { ...draftOf(from + at), capability: 'other' } })),
    seal,
  )

describe('N24: what is remembered must be in the log', () => {
  it('though a checkpoint of another process goes further', async () => {
    const one = await startTrail()
    await one.append(1, 2)
    const { made } = await makeCheckpoint(one.dependencies)
    const other = await startTrail()
    await other.append(1, 1)
    await fork(other, 2, 2)
    await makeCheckpoint(other.dependencies)
    await fork(other, 3, 3)
    await makeCheckpoint(other.dependencies)
    const { memory, kept } = memoryOf(made)
    expect(await makeCheckpoint({ ...other.dependencies, memory })).toEqual({ refused: 'log_differs' })
    expect(kept).toEqual([made])
  })

  it('all of it: a log that is shorter than what is remembered of an earlier one lacks it', async () => {
    const one = await startTrail()
    await one.append(1, 5)
    const { made } = await makeCheckpoint(one.dependencies)
    const other = await startTrail()
    for (const entry of [1, 2]) {
      await other.append(entry, entry)
      await makeCheckpoint(other.dependencies)
    }
    const { memory } = memoryOf(made)
    expect(await makeCheckpoint({ ...other.dependencies, memory })).toEqual({ refused: 'log_differs' })
  })

  it('and where it is there, what a sibling has signed since is remembered, and the next one made', async () => {
    const trail = await startTrail()
    await trail.append(1, 1)
    const first = (await makeCheckpoint(trail.dependencies)).made!
    await trail.append(2, 2)
    const second = (await makeCheckpoint(trail.dependencies)).made!
    const { memory, kept, logs } = memoryOf(first)
    expect(await makeCheckpoint({ ...trail.dependencies, memory })).toEqual({})
    expect(kept).toEqual([first, second])
    await trail.append(3, 3)
    const { made } = await makeCheckpoint({ ...trail.dependencies, memory })
    expect([made?.sequence, kept.at(-1)]).toEqual([3, made])
    expect(new Set(logs).size).toBe(1)
    expect(logs[0]).toMatch(/^sha256:[0-9a-f]{64}$/u)
  })

  it('of an empty log nothing can be', async () => {
    const one = await startTrail()
    await one.append(1, 1)
    const { made } = await makeCheckpoint(one.dependencies)
    const empty = await startTrail()
    const { memory, logs } = memoryOf(made)
    expect(await makeCheckpoint({ ...empty.dependencies, memory })).toEqual({ refused: 'checkpoint_missing' })
    expect(logs).toEqual(['empty'])
  })
})

it('a checkpoint is never older than the one before it, though the clock was set back', async () => {
  const { append, dependencies, time } = await startTrail()
  await append(1, 1)
  await makeCheckpoint(dependencies)
  time.now -= 60_000
  await append(2, 2)
  expect((await makeCheckpoint(dependencies)).made?.created_at).toBe('2030-01-01T00:00:00.000Z')
  time.now += 60_001
  await append(3, 3)
  expect((await makeCheckpoint(dependencies)).made?.created_at).toBe('2030-01-01T00:00:00.001Z')
})

describe('the schedule, look by look', () => {
  /** A schedule whose looks a test takes. */
  async function looking(given: Partial<CheckpointSchedule> = {}) {
    const trail = await startTrail()
    const health: (readonly [CheckpointHealth, string?])[] = []
    const looks: { readonly work: () => Promise<unknown>; readonly ms: number }[] = []
    const checkpoints = startCheckpoints({
      ...trail.dependencies,
      cadenceMs: 60_000,
      owner: 'one',
      onHealth: (state, error) => void health.push(error === undefined ? [state] : [state, String(error)]),
      every: (work, ms) => (looks.push({ work, ms }), () => undefined),
      ...given,
    })
    const look = async () => {
      await looks[0]!.work()
      return health.at(-1)
    }
    const sizes = async () => (await trail.storage.checkpoints.list(10)).map(({ entry_count }) => entry_count)
    return { ...trail, checkpoints, look, looks, sizes }
  }

  it.each([
    [{}, 1_000],
    [{ cadenceMs: 2_000 }, 500],
    [{ pollMs: 300 }, 300],
    [{ cadenceMs: 20 }, 10],
  ])('%j is looked at every %i ms', async (given, ms) => {
    expect((await looking(given)).looks.map((each) => each.ms)).toEqual([ms])
  })

  it('makes what is due when a cadence has passed since the last one, and no ms earlier', async () => {
    const { look, append, time, sizes } = await looking()
    await append(1, 1)
    await look()
    await append(2, 2)
    time.now += 59_999
    expect([await look(), await sizes()]).toEqual([['ok'], [1]])
    time.now += 1
    expect([await look(), await sizes()]).toEqual([['ok'], [2, 1]])
    time.now += 600_000
    expect([await look(), await sizes()]).toEqual([['ok'], [2, 1]])
  })

  it('compares the log with what was signed at the first look, though nothing is due', async () => {
    const other = await startTrail()
    await other.append(1, 1)
    await fork(other, 2, 2)
    const { made } = await makeCheckpoint(other.dependencies)
    const { look, append, storage } = await looking()
    await append(1, 2)
    await storage.checkpoints.insert(made!)
    expect([await look(), await look()]).toEqual([['log_differs'], ['log_differs']])
  })

  it('is overdue after two cadences without one, by the entry that waits, and is not when it may date none', async () => {
    let mayDate = false
    const { look, append, time, sizes } = await looking({ mayDate: () => mayDate })
    await append(1, 1)
    expect(await look()).toEqual(['ok'])
    time.now += 120_000
    expect(await look()).toEqual(['ok'])
    time.now += 1
    expect([await look(), await sizes()]).toEqual([['overdue'], []])
    mayDate = true
    expect([await look(), await sizes()]).toEqual([['ok'], [1]])
  })

  it('tells of a log that became smaller, though nothing is due', async () => {
    const { look, append, storage } = await looking()
    await append(1, 2)
    expect(await look()).toEqual(['ok'])
    Object.assign(storage.audit, { size: async () => 1 })
    expect(await look()).toEqual(['log_smaller'])
  })

  it('tells of entries that queries cannot find, also after the next one', async () => {
    const given = await looking()
    const { look, append, storage, time, sizes } = given
    await append(1, 2)
    await look()
    const { indexed } = storage.audit
    Object.assign(storage.audit, {
      indexed: async (from: number, to: number) => Math.max(0, Math.min(to, 2) - from + 1),
    })
    await append(3, 3)
    time.now += 60_000
    expect([await look(), await sizes()]).toEqual([['entries_hidden'], [3, 2]])
    Object.assign(storage.audit, { indexed })
    await append(4, 4)
    time.now += 60_000
    expect(await look()).toEqual(['entries_hidden'])
  })

  it('tells what was thrown, gives its lease up, and looks again', async () => {
    let signs = false
    const trail = await startTrail()
    const { signer } = trail.dependencies
    const given = await looking({
      signer: () => {
        if (!signs) throw new Error('no signer')
        return signer()
      },
    })
    await given.append(1, 1)
    expect(await given.look()).toEqual(['failed', 'Error: no signer'])
    expect(await given.storage.leases.acquire('checkpoints', 'another', 1)).toBe(true)
    await given.storage.leases.release('checkpoints', 'another')
    signs = true
    expect([await given.look(), await given.sizes()]).toEqual([['ok'], [1]])
  })

  it('covers the rest when it stops, and does not fail where it cannot', async () => {
    const given = await looking()
    await given.append(1, 3)
    await given.checkpoints.stop()
    expect(await given.sizes()).toEqual([3])
    const failing = await looking({
      signer: () => {
        throw new Error('no signer')
      },
    })
    await failing.append(1, 1)
    await expect(failing.checkpoints.stop()).resolves.toBeUndefined()
  })
})

describe('the memory of a key directory', () => {
  const folder = () => {
    const made = mkdtempSync(join(tmpdir(), 'svc-history-'))
    onTestFinished(() => rmSync(made, { recursive: true, force: true, maxRetries: 20 }))
    return made
  }
  const checkpointOf = async () => {
    const trail = await startTrail()
    await trail.append(1, 1)
    return (await makeCheckpoint(trail.dependencies)).made!
  }
  const LOG = `sha256:${'a'.repeat(64)}`

  it('is a file for each log that nobody else may read, and leaves nothing beside', async () => {
    const directory = folder()
    const memory = checkpointMemory(directory)
    const made = await checkpointOf()
    expect(await memory.last(LOG)).toBeUndefined()
    await memory.keep(LOG, made)
    await memory.keep(LOG, made)
    expect(await memory.last(LOG)).toEqual(made)
    expect(await memory.last(`sha256:${'b'.repeat(64)}`)).toBeUndefined()
    const files = join(directory, 'checkpoints')
    expect(readdirSync(files)).toEqual([`${'a'.repeat(32)}.json`])
    const modeOf = (path: string) => statSync(path).mode & 0o777
    expect([modeOf(files), modeOf(join(files, `${'a'.repeat(32)}.json`))]).toEqual([0o700, 0o600])
  })

  it.each(['', '{', '{}', '{"sequence":1}', '[]'])('that holds %j holds nothing', async (text) => {
    const directory = folder()
    mkdirSync(join(directory, 'checkpoints'))
    writeFileSync(join(directory, 'checkpoints', `${'a'.repeat(32)}.json`), text)
    expect(await checkpointMemory(directory).last(LOG)).toBeUndefined()
  })

  it('says whether it can be written', async () => {
    const directory = folder()
    expect(await checkpointMemory(directory).isWritable!()).toBe(true)
    writeFileSync(join(directory, 'file'), '')
    expect(await checkpointMemory(join(directory, 'file')).isWritable!()).toBe(false)
    expect(existsSync(join(directory, 'checkpoints'))).toBe(true)
  })
})

describe('health', () => {
  const told = () => {
    const alarms = newAlarms()
    const logged: unknown[][] = []
    const error = (...given: unknown[]) => void logged.push(given)
    return { alarms, logged, tell: healthTeller({ alarms, log: { error } as never }) }
  }

  it.each([
    ['overdue', 'checkpoint_overdue', 'Checkpoints are in trouble.'],
    ['failed', 'checkpoint_failed', 'Checkpoints are in trouble.'],
    ['log_smaller', 'log_discontinuity', 'Checkpoints are in trouble. The trail has fewer entries than were signed. Keep the storage as evidence, and restore a whole backup.'],
    ['log_differs', 'log_discontinuity', 'Checkpoints are in trouble. The trail is not the one that was signed. Keep the storage as evidence, and restore a whole backup.'],
    ['checkpoint_missing', 'log_discontinuity', 'Checkpoints are in trouble. A newer one was signed than is stored. After restoring a backup: svc audit resume --reason "…"'],
    ['checkpoint_altered', 'log_discontinuity', 'Checkpoints are in trouble. No audit key that verifies has signed the last one. If its key was retired: svc keys retire <kid> --keep-verifying'],
    ['entries_hidden', 'trail_altered', 'Checkpoints are in trouble. Entries of the trail were hidden from queries. Keep the storage as evidence; svc audit export has them all.'],
  ] as const)('of %s raises %s, is logged once with what to do, and ends', (health, alarm, message) => {
    const { alarms, logged, tell } = told()
    tell(health)
    tell(health)
    expect([alarms.all(), logged]).toEqual([[alarm], [[message, { health }]]])
    tell('ok')
    // What was hidden once was hidden by somebody: only a restart ends that alarm.
    expect(alarms.all()).toEqual(health === 'entries_hidden' ? [alarm] : [])
    tell(health)
    expect(logged).toHaveLength(2)
  }) // prettier-ignore

  it('of another trouble takes the alarm of the one before back, and tells what was thrown', () => {
    const { alarms, logged, tell } = told()
    tell('overdue')
    tell('failed', new Error('no connection'))
    expect(alarms.all()).toEqual(['checkpoint_failed'])
    expect(logged.at(-1)).toEqual(['Checkpoints are in trouble.', { health: 'failed', error: 'Error: no connection' }])
  })
})
