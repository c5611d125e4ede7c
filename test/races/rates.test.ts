import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { failures, invokeAtOnce, root, successes } from './acts.js'
import { createWorld, DEPLOYMENTS, type World } from './world.js'

const LIMIT = 6
const REFILL_MS = 60_000 / LIMIT

describe.each(DEPLOYMENTS)('rates on $name', (deployment) => {
  let world: World
  beforeAll(async () => {
    world = await createWorld(deployment, undefined, { limits: { invocationsPerMinute: LIMIT, tokensPerMinute: 1000 } })
  })
  afterAll(() => world.end())

  it('hold for one principal and capability over all replicas, whatever its token', async () => {
    const tokens = await Promise.all(Array.from({ length: 4 }, (_, n) => root(world, {}, n)))
    const start = Date.now()
    const replies = await invokeAtOnce(world, 48, 'look', (n) => tokens[n % 4]!)
    const done = successes(replies).length
    expect(done).toBeGreaterThanOrEqual(LIMIT)
    expect(done).toBeLessThanOrEqual(LIMIT + Math.floor((Date.now() - start) / REFILL_MS))
    expect(failures(replies)).toEqual({ rate_limited: 48 - done })
    const others = await invokeAtOnce(world, 4, 'act', tokens[0]!)
    expect(successes(others)).toHaveLength(4)
  })

  it('are remembered by a replica that starts', async () => {
    await world.start({ limits: { invocationsPerMinute: LIMIT } })
    const replies = await invokeAtOnce(world, 9, 'look', await root(world))
    expect(successes(replies).length).toBeLessThan(LIMIT)
  })
})
