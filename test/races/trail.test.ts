import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signerFor, verificationKeys } from '../../src/crypto/keys/key-ring.js'
import { erasureDraft } from '../../src/crypto/trail/erasure.js'
import { sealEntry } from '../../src/runtime/storage/seal.js'
import type { ErasureAccount } from '../../src/runtime/storage/contract.js'
import { makeCheckpoint } from '../../src/runtime/checkpoints/make.js'
import { readKeyRing } from '../../src/runtime/keys/key-directory.js'
import { openStorageOf, verifyTrail } from './verify-trail.js'
import { failures, invoke, invokeAtOnce, root, successes } from './acts.js'
import { createWorld, DEPLOYMENTS, ROUNDS, type Reading, type World } from './world.js'

const CALLS = 48 * Math.max(ROUNDS, 10)

const ACCOUNT: ErasureAccount = {
  draft: (erased, now) => erasureDraft('service:retention', erased, 'Due.', new Date(now).toISOString()),
  seal: sealEntry,
}

/** Erases what is due, all the while, from a process of its own. */
function sweep(world: World): { erased(): number; stop(): Promise<void> } {
  let erased = 0
  const stopping = new AbortController()
  const sweeping = (async () => {
    const storage = await openStorageOf(world)
    while (!stopping.signal.aborted) {
      erased += await storage.audit.erase({ due: Date.now(), limit: 50, account: ACCOUNT })
      await sleep(20)
    }
    await storage.close()
  })()
  return {
    erased: () => erased,
    stop: () => {
      stopping.abort()
      return sweeping
    },
  }
}

/** Two more replicas that make a checkpoint so often each, beside those that serve, and wait for no lease. */
async function checkpointAtOnce(world: World, times: number): Promise<number> {
  const stores = await Promise.all([openStorageOf(world), openStorageOf(world)])
  const ring = await readKeyRing(world.keys)
  let made = 0
  for (let n = 0; n < times; n++) {
    const outcomes = await Promise.all(
      stores.map((storage) =>
        makeCheckpoint({
          storage,
          signer: () => signerFor(ring, 'audit'),
          keys: () => verificationKeys(ring, 'audit', Date.now()),
          clock: Date.now,
          newId: () => `ckp_${randomUUID()}`,
        }),
      ),
    )
    expect(outcomes.filter(({ refused }) => refused !== undefined)).toEqual([])
    made += outcomes.filter((outcome) => outcome.made !== undefined).length
    await sleep(20)
  }
  await Promise.all(stores.map((storage) => storage.close()))
  return made
}

describe.each(DEPLOYMENTS)('the trail on $name', (deployment) => {
  let world: World
  beforeAll(async () => {
    world = await createWorld(deployment)
  })
  afterAll(() => world.end())

  it('R13, R14, R15: is one log, under one root for each size, while it is checkpointed and swept', async () => {
    const token = await root(world)
    const ids: string[] = []
    const sweeping = sweep(world)
    // SQLite serves one process, whose own schedule makes checkpoints all the while.
    const checkpointing = deployment.engine === 'postgres' ? checkpointAtOnce(world, 100) : undefined
    // What is due is erased once a newer entry confirms the time: however fast the machine is, calls go on until then.
    for (let done = 0; done < CALLS || (sweeping.erased() === 0 && done < 20 * CALLS); done += 48) {
      const replies = await invokeAtOnce(world, 48, done % 96 === 0 ? 'forget' : 'act', token)
      expect({ done: successes(replies).length, ...failures(replies) }).toEqual({ done: 48 })
      ids.push(...replies.map(({ body }) => body['invocation_id'] as string))
    }
    await sweeping.stop()
    expect(sweeping.erased()).toBeGreaterThan(0)
    if (checkpointing !== undefined) expect(await checkpointing).toBeGreaterThan(0)
    await sleep(1500)
    const storage = await verifyTrail(world)
    expect(storage.sequences).toEqual(storage.sequences.map((_, index) => index + 1))
    expect(storage.sequences.length).toBeGreaterThanOrEqual(CALLS)
    expect(storage.invocations.filter((id) => !ids.includes(id))).toEqual([])
    expect(new Set(storage.invocations).size).toBe(storage.invocations.length)

    // Reading a long trail takes so long that servers close their connections: the client must notice before it asks.
    await sleep(100)
    const { body } = await world.get(0, '/svc/checkpoints?limit=100')
    const checkpoints = body['checkpoints'] as unknown as readonly Reading[]
    const sequences = checkpoints.map((checkpoint) => checkpoint['sequence'] as number).reverse()
    expect(sequences.length).toBeGreaterThan(0)
    expect(sequences).toEqual(sequences.map((_, index) => sequences[0]! + index))
    for (const checkpoint of checkpoints) {
      expect(checkpoint['merkle_root']).toBe(storage.rootAt(checkpoint['entry_count']!))
    }
    const newest = checkpoints[0]!
    for (const id of ids.slice(0, 20)) {
      const detail = await world.get(1, `/svc/checkpoints/${newest['checkpoint_id']}?invocation_id=${id}`)
      expect(detail.status).toBe(200)
    }
    for (const older of checkpoints.slice(1)) {
      const path = `/svc/checkpoints/${newest['checkpoint_id']}?consistency_from=${older['checkpoint_id']}`
      expect((await world.get(1, path)).status).toBe(200)
    }
  })

  it('orders entries of one caller as it was answered', async () => {
    const token = await root(world)
    const ids: string[] = []
    for (let n = 0; n < 20; n++) ids.push((await invoke(world, n, 'act', token)).body['invocation_id'] as string)
    const { body } = await world.post(0, '/svc/audit?limit=20', token.token)
    const entries = body['entries'] as unknown as readonly Reading[]
    expect(entries.map((entry) => entry['invocation_id']).reverse()).toEqual(ids)
  })
})
