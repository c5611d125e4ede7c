import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { child, failures, invoke, invokeAtOnce, root, successes, trail, type Issued } from './acts.js'
import { createWorld, DEPLOYMENTS, LAPSING, rounds, type Reply, type World } from './world.js'

/** The most that ran at a time, from the start and end lines of these invocations. */
async function overlap(world: World, ids: ReadonlySet<string>): Promise<number> {
  let running = 0
  let most = 0
  for (const line of await world.effects()) {
    const [word, id] = line.split(' ')
    if (!ids.has(id!)) continue
    running += word === 'start' ? 1 : -1
    most = Math.max(most, running)
  }
  return most
}

const idsOf = (replies: readonly { body: { [name: string]: unknown } }[]): ReadonlySet<string> =>
  new Set(replies.map(({ body }) => String(body['invocation_id'])))

describe.each(DEPLOYMENTS)('exclusive tokens on $name', (deployment) => {
  let world: World
  beforeAll(async () => {
    world = await createWorld(deployment)
  })
  afterAll(() => world.end())

  it('R10: one of 48 runs at a time', async () => {
    for (const _ of rounds) {
      const token = await root(world, { concurrent_branches: 'exclusive' })
      const replies = await invokeAtOnce(world, 48, 'slow', token)
      expect(successes(replies).length).toBeGreaterThanOrEqual(1)
      expect(Object.keys(failures(replies))).toEqual(['concurrent_request_rejected'])
      expect(await overlap(world, idsOf(replies))).toBe(1)
    }
  })

  it('R11: one of the invocations of all its descendants runs at a time', async () => {
    for (const _ of rounds) {
      const parent = await root(world, { concurrent_branches: 'exclusive' })
      const tokens: readonly Issued[] = await Promise.all(
        Array.from({ length: 6 }, (_unused, n) => child(world, parent, {}, n)),
      )
      const replies = await invokeAtOnce(world, 48, 'slow', (n) => tokens[n % 6]!)
      expect(successes(replies).length).toBeGreaterThanOrEqual(1)
      expect(await overlap(world, idsOf(replies))).toBe(1)
    }
  })
})

describe.each(DEPLOYMENTS)('calls that exclude each other by a value on $name', (deployment) => {
  let world: World
  beforeAll(async () => {
    world = await createWorld(deployment)
  })
  afterAll(() => world.end())

  it('one of 48 runs at a time for each warehouse, whichever token makes it', async () => {
    for (const _ of rounds) {
      const tokens = await Promise.all([root(world), root(world), root(world)])
      const places = ['north', 'south']
      const replies = await invokeAtOnce(
        world,
        48,
        'reserve',
        (n) => tokens[n % 3]!,
        (n) => ({ parameters: { warehouse: places[Math.floor(n / 24)] } }),
      )
      expect(Object.keys(failures(replies))).toEqual(['concurrent_request_rejected'])
      for (const half of [replies.slice(0, 24), replies.slice(24)]) {
        expect(successes(half).length).toBeGreaterThanOrEqual(1)
        expect(await overlap(world, idsOf(half))).toBe(1)
      }
    }
  })
})

describe.each(DEPLOYMENTS)('a holder that stops on $name', (deployment) => {
  let world: World
  beforeAll(async () => {
    world = await createWorld(deployment, undefined, { limits: { ...LAPSING.limits, handlerTimeoutMs: 1000 } })
  })
  afterAll(() => world.end())

  it('R12: is taken for lost; its late outcome changes nothing, and is on the trail', async () => {
    const token = await root(world, { concurrent_branches: 'exclusive' })
    const stopped = invoke(world, 0, 'slow', token, { parameters: { ms: 300 } })
    while ((await world.effects()).length === 0) await sleep(5)
    const holder = world.replicas[0]!.process
    holder.kill('SIGSTOP')
    await sleep(2500)
    // Another replica proceeds at once; where there is none, the call waits until the process goes on.
    const second = invoke(world, 1, 'slow', token)
    if (deployment.replicas > 1) expect((await second).body).toMatchObject({ success: true })
    holder.kill('SIGCONT')
    const late = await stopped
    expect(late.body['success']).toBe(false)
    await second
    expect((await insist(world, token)).body['success']).toBe(true)
    const entries = (await trail(world)).filter((entry) => entry['invocation_id'] === late.body['invocation_id'])
    expect(entries.map((entry) => entry['failure_type'])).toEqual(['outcome_unknown'])
  })
})

/** Calls until the lease of those before is free. */
async function insist(world: World, token: Issued): Promise<Reply> {
  for (;;) {
    const reply = await invoke(world, 0, 'slow', token)
    if (reply.body['failure']?.['type'] !== 'concurrent_request_rejected') return reply
    await sleep(50)
  }
}
