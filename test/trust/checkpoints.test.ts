import { describe, expect, it } from 'vitest'
import { verifyCheckpoint } from '../../src/crypto/merkle/checkpoint.js'
import { parseHash } from '../../src/crypto/json/digest.js'
import { generateRingKey } from '../../src/crypto/keys/key-ring.js'
import { leafHash } from '../../src/crypto/merkle/merkle.js'
import { verifyConsistency, verifyInclusion } from '../../src/crypto/merkle/merkle-verify.js'
import type { Checkpoint } from '../../src/protocol/audit.js'
import { checkpointDetail, listCheckpoints } from '../../src/runtime/checkpoints/detail.js'
import { makeCheckpoint } from '../../src/runtime/checkpoints/make.js'
import { startCheckpoints, type CheckpointHealth } from '../../src/runtime/checkpoints/schedule.js'
import { AUDIT_KEY, draftOf, seal, START, startTrail } from './trail.js'

const hash = (text: string) => parseHash(text)!

describe('a checkpoint', () => {
  it('covers all entries, is signed by the audit key and stored', async () => {
    const { storage, dependencies, append } = await startTrail()
    await append(1, 3)
    const { made } = await makeCheckpoint(dependencies)
    expect(made).toMatchObject({
      checkpoint_id: 'ckp_000000000000000000000001',
      sequence: 1,
      entry_count: 3,
      created_at: '2030-01-01T00:00:00.000Z',
    })
    expect(verifyCheckpoint(made!, [AUDIT_KEY])).toEqual({ kid: AUDIT_KEY.kid })
    expect(await listCheckpoints(storage, { limit: 20 })).toEqual({ checkpoints: [made] })
  })

  it('is not made of nothing, nor twice of the same', async () => {
    const { dependencies, append } = await startTrail()
    expect(await makeCheckpoint(dependencies)).toEqual({})
    await append(1, 1)
    expect((await makeCheckpoint(dependencies)).made?.sequence).toBe(1)
    expect(await makeCheckpoint(dependencies)).toEqual({})
  })

  it('is not verified by a key of another role or by another key', async () => {
    const { dependencies, append } = await startTrail()
    await append(1, 1)
    const { made } = await makeCheckpoint(dependencies)
    expect(verifyCheckpoint(made!, [generateRingKey('tokens', 'active')])).toBeUndefined()
  })

  it('does not verify when any member was changed', async () => {
    const { dependencies, append } = await startTrail()
    await append(1, 2)
    const made = (await makeCheckpoint(dependencies)).made!
    const changes: readonly Partial<Checkpoint>[] = [
      { checkpoint_id: 'ckp_2' }, { sequence: 2 }, { entry_count: 1 }, { created_at: '2030-01-01T00:00:00.001Z' },
      { merkle_root: `sha256:${'0'.repeat(64)}` }, { signature: made.signature.replace('..', '.e30.') },
    ] // prettier-ignore
    for (const change of changes) expect(verifyCheckpoint({ ...made, ...change }, [AUDIT_KEY])).toBeUndefined()
  })

  it('C05, R14: is one of each sequence when two replicas make them together', async () => {
    const { storage, dependencies, append } = await startTrail()
    for (let round = 1; round <= 20; round++) {
      await append(round, round)
      await Promise.all([makeCheckpoint(dependencies), makeCheckpoint(dependencies)])
    }
    const all = await storage.checkpoints.list(100)
    expect(all.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 20 }, (_, index) => 20 - index))
    expect(new Set(all.map(({ entry_count, merkle_root }) => `${entry_count} ${merkle_root}`)).size).toBe(20)
  })
})

describe('a checkpoint is refused', () => {
  it('C04: when the log is smaller than the last one', async () => {
    const long = await startTrail()
    await long.append(1, 5)
    const { made } = await makeCheckpoint(long.dependencies)
    const short = await startTrail()
    await short.append(1, 4)
    await short.storage.checkpoints.insert(made!)
    expect(await makeCheckpoint(short.dependencies)).toEqual({ refused: 'log_smaller' })
  })

  it('C04: when the log differs from the last one, shorter part or whole', async () => {
    const one = await startTrail()
    await one.append(1, 5)
    const { made } = await makeCheckpoint(one.dependencies)
    const other = await startTrail()
    await other.append(2, 9)
    await other.storage.checkpoints.insert(made!)
    expect(await makeCheckpoint(other.dependencies)).toEqual({ refused: 'log_differs' })
  })

  it('when the last one is not signed by an audit key', async () => {
    const { storage, dependencies, append } = await startTrail()
    await append(1, 1)
    const made = (await makeCheckpoint(dependencies)).made!
    await append(2, 2)
    await storage.checkpoints.insert({ ...made, sequence: 2, checkpoint_id: 'ckp_forged' })
    expect(await makeCheckpoint(dependencies)).toEqual({ refused: 'checkpoint_altered' })
  })

  it('not when its key was retired since, if it is the one that is remembered', async () => {
    const { storage, dependencies, append } = await startTrail()
    const kept: Checkpoint[] = []
    const memory = {
      last: async () => kept.at(-1),
      keep: async (_: string, checkpoint: Checkpoint) => void kept.push(checkpoint),
    }
    await append(1, 1)
    const made = (await makeCheckpoint({ ...dependencies, memory })).made!
    await append(2, 2)
    const key = generateRingKey('audit', 'active')
    const rotated = { ...dependencies, signer: () => key.signer!, keys: () => [key] }
    expect(await makeCheckpoint(rotated)).toEqual({ refused: 'checkpoint_altered' })
    kept.splice(0, kept.length, { ...made, created_at: '2020-01-01T00:00:00Z' })
    expect(await makeCheckpoint({ ...rotated, memory })).toEqual({ refused: 'checkpoint_altered' })
    kept.splice(0, kept.length, made)
    expect((await makeCheckpoint({ ...rotated, memory })).made?.sequence).toBe(2)
    expect((await storage.checkpoints.latest())?.sequence).toBe(2)
  })

  it('when a newer one was signed than the storage holds, as after restoring a backup', async () => {
    const { dependencies, append } = await startTrail()
    const kept: Checkpoint[] = []
    const memory = {
      last: async () => kept.at(-1),
      keep: async (_: string, checkpoint: Checkpoint) => void kept.push(checkpoint),
    }
    await append(1, 2)
    await makeCheckpoint({ ...dependencies, memory })
    const restored = await startTrail()
    await restored.append(1, 1)
    expect(await makeCheckpoint({ ...restored.dependencies, memory })).toEqual({ refused: 'checkpoint_missing' })
  })
})

it('a checkpoint that another replica was first to store is not remembered', async () => {
  const { storage, dependencies, append } = await startTrail()
  const kept: Checkpoint[] = []
  const memory = {
    last: async () => kept.at(-1),
    keep: async (_: string, checkpoint: Checkpoint) => void kept.push(checkpoint),
  }
  const late = { ...storage, checkpoints: { ...storage.checkpoints, insert: async () => false } }
  await append(1, 1)
  expect(await makeCheckpoint({ ...dependencies, storage: late, memory })).toEqual({})
  expect(kept).toEqual([])
  expect((await makeCheckpoint({ ...dependencies, memory })).made?.sequence).toBe(1)
})

describe('proofs of a checkpoint', () => {
  it('include every entry, by leaf index and by invocation', async () => {
    const { storage, dependencies, append } = await startTrail()
    await append(1, 11)
    const { checkpoint_id, merkle_root } = (await makeCheckpoint(dependencies)).made!
    await append(12, 20)
    for (let number = 1; number <= 11; number++) {
      const { text } = seal(draftOf(number), number)
      const invocationId = draftOf(number).invocation_id!
      const { inclusion_proof: proof } = await checkpointDetail(storage, checkpoint_id, { invocationId })
      expect(await checkpointDetail(storage, checkpoint_id, { leafIndex: number - 1 })).toMatchObject({
        inclusion_proof: proof,
      })
      const claim = {
        index: proof!.leaf_index,
        size: proof!.tree_size,
        path: proof!.path.map(hash),
        root: hash(merkle_root),
      }
      expect(verifyInclusion({ ...claim, leafHash: leafHash(text) })).toBe(true)
    }
  })

  it('connect all pairs', async () => {
    const { storage, dependencies, append } = await startTrail()
    for (let number = 1; number <= 40; number++) {
      await append(number * 3 - 2, number * 3)
      await makeCheckpoint(dependencies)
    }
    const all = (await listCheckpoints(storage, { limit: 100 })).checkpoints.toReversed()
    for (const [index, to] of all.entries()) {
      for (const from of all.slice(0, index + 1)) {
        const { consistency_proof: proof } = await checkpointDetail(storage, to.checkpoint_id, {
          consistencyFrom: from.checkpoint_id,
        })
        const claim = {
          fromSize: proof!.from_size,
          fromRoot: hash(from.merkle_root),
          toSize: proof!.to_size,
          toRoot: hash(to.merkle_root),
        }
        expect(verifyConsistency({ ...claim, path: proof!.path.map(hash) })).toBe(true)
      }
    }
  })

  it.each([
    ['an unknown checkpoint', 'ckp_x', {}, 'not_found'],
    ['a leaf beyond it', undefined, { leafIndex: 2 }, 'not_found'],
    ['an unknown invocation', undefined, { invocationId: 'inv-ffffffffffff' }, 'not_found'],
    ['an invocation that it does not cover yet', undefined, { invocationId: 'inv-000000000003' }, 'not_found'],
    ['two leaves at once', undefined, { leafIndex: 0, invocationId: 'inv-000000000001' }, 'invalid_parameters'],
    ['an unknown older one', undefined, { consistencyFrom: '../x' }, 'not_found'],
    ['a newer older one', undefined, { consistencyFrom: 'ckp_000000000000000000000002' }, 'invalid_parameters'],
  ] as const)('are refused for %s', async (_, id, query, type) => {
    const { storage, dependencies, append } = await startTrail()
    await append(1, 2)
    const { made } = await makeCheckpoint(dependencies)
    await append(3, 3)
    await makeCheckpoint(dependencies)
    await expect(checkpointDetail(storage, id ?? made!.checkpoint_id, query)).rejects.toMatchObject({
      failure: { type },
    })
  })
})

describe('the schedule', () => {
  const until = async (holds: () => boolean | Promise<boolean>) => {
    for (let tries = 0; tries < 300 && !(await holds()); tries++) await new Promise((done) => setTimeout(done, 10))
    expect(await holds()).toBe(true)
  }

  async function startSchedule() {
    const trail = await startTrail()
    const health: CheckpointHealth[] = []
    const checkpoints = startCheckpoints({
      ...trail.dependencies,
      cadenceMs: 3_600_000,
      owner: 'one',
      pollMs: 10,
      onHealth: (state) => void health.push(state),
    })
    return { ...trail, checkpoints, health }
  }

  it('is not overdue where a sibling makes them, however long this process has not', async () => {
    const { storage, dependencies, append, time } = await startTrail()
    const health: CheckpointHealth[] = []
    const leases = { ...storage.leases, acquire: () => Promise.resolve(false) }
    const checkpoints = startCheckpoints({
      ...dependencies,
      storage: { ...storage, leases },
      cadenceMs: 60_000,
      owner: 'two',
      pollMs: 10,
      onHealth: (state) => void health.push(state),
    })
    for (let made = 1; made <= 6; made++) {
      await append(made * 2 - 1, made * 2 - 1)
      await makeCheckpoint(dependencies)
      await append(made * 2, made * 2)
      const looks = health.length
      await until(() => health.length > looks + 2)
      time.now += 60_000
    }
    expect(new Set(health)).toEqual(new Set(['ok']))
    time.now += 120_001
    await until(() => health.includes('overdue'))
    await checkpoints.stop()
  })

  it('N09: makes none by a clock that differs from that of the store', async () => {
    const { storage, dependencies, append } = await startTrail()
    const schedule = { ...dependencies, cadenceMs: 1, owner: 'one', pollMs: 3_600_000, onHealth: () => undefined }
    const checkpoints = startCheckpoints({ ...schedule, mayDate: () => false })
    await append(1, 1)
    expect(await checkpoints.makeNow()).toBeUndefined()
    expect(await storage.checkpoints.list(10)).toEqual([])
    await checkpoints.stop()
  })

  it('goes on with a lease of its own that it could not give up', async () => {
    const { storage, dependencies, append } = await startTrail()
    const leases = { ...storage.leases, release: () => Promise.reject(new Error('The database is away.')) }
    const checkpoints = startCheckpoints({
      ...dependencies,
      storage: { ...storage, leases },
      cadenceMs: 3_600_000,
      owner: 'one',
      pollMs: 3_600_000,
      onHealth: () => undefined,
    })
    await append(1, 1)
    await expect(checkpoints.makeNow()).rejects.toThrow('The database is away.')
    await append(2, 2)
    await expect(checkpoints.makeNow()).rejects.toThrow('The database is away.')
    expect((await storage.checkpoints.list(10)).map(({ entry_count }) => entry_count)).toEqual([2, 1])
    await checkpoints.stop()
  })

  it('makes the first one soon after the first entry, the next one at the cadence, the last one at the end', async () => {
    const { storage, append, time, checkpoints } = await startSchedule()
    const sizes = async () => (await storage.checkpoints.list(10)).map(({ entry_count }) => entry_count)
    await append(1, 1)
    await until(async () => (await sizes()).length === 1)
    await append(2, 2)
    await new Promise((done) => setTimeout(done, 60))
    expect(await sizes()).toEqual([1])
    time.now += 3_600_000
    await until(async () => (await sizes()).length === 2)
    await append(3, 3)
    await checkpoints.stop()
    expect(await sizes()).toEqual([3, 2, 1])
  })

  it('makes one at once when asked', async () => {
    const { append, checkpoints } = await startSchedule()
    await append(1, 2)
    expect((await checkpoints.makeNow())?.entry_count).toBe(2)
    expect(await checkpoints.makeNow()).toBeUndefined()
    await checkpoints.stop()
  })

  it('C09: tells when checkpoints are overdue because another holds the lease, and when they are not any more', async () => {
    const { storage, append, time, checkpoints, health } = await startSchedule()
    await append(1, 1)
    await until(() => health.includes('ok'))
    await checkpoints.makeNow()
    await storage.leases.acquire('checkpoints', 'other', 100 * 3_600_000)
    await append(2, 2)
    await new Promise((done) => setTimeout(done, 50))
    expect(health.at(-1)).toBe('ok')
    time.now = START + 2 * 3_600_000 + 1
    await until(() => health.at(-1) === 'overdue')
    await storage.leases.release('checkpoints', 'other')
    await until(() => health.at(-1) === 'ok')
    await checkpoints.stop()
  })

  it('tells when the log is not the one that was signed', async () => {
    const other = await startTrail()
    await other.append(5, 9)
    const { made } = await makeCheckpoint(other.dependencies)
    const { storage, append, checkpoints, health } = await startSchedule()
    await storage.checkpoints.insert(made!)
    await append(1, 2)
    await until(() => health.at(-1) === 'log_smaller')
    await append(3, 9)
    await checkpoints.stop()
    expect(health.at(-1)).toBe('log_differs')
  })

  it('tells when storage fails, and goes on', async () => {
    const { storage, checkpoints, health } = await startSchedule()
    await storage.close()
    await until(() => health.at(-1) === 'failed')
    await checkpoints.stop()
  })
})
