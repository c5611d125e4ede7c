import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { child, effectsOf, failures, invoke, invokeAtOnce, root, successes, type Issued } from './acts.js'
import { createWorld, DEPLOYMENTS, rounds, type World } from './world.js'

const cumulative = (max_amount: number) => ({ budget: { currency: 'EUR', max_amount, mode: 'cumulative' } })

const children = (world: World, parent: Issued): Promise<readonly Issued[]> =>
  Promise.all(Array.from({ length: 10 }, (_, n) => child(world, parent, cumulative(50), n)))

/** What the ledger says of a token, as the next invocation is told. */
async function remaining(world: World, token: Issued): Promise<number | undefined> {
  const { body } = await invoke(world, 1, 'tick', token)
  const context = body['budget_context']
  const charged = body['success'] === true ? 1 : 0
  return context === undefined ? undefined : (context['budget_remaining'] as number) + charged
}

describe.each(DEPLOYMENTS)('budgets on $name', (deployment) => {
  let world: World
  beforeAll(async () => {
    world = await createWorld(deployment)
  })
  afterAll(() => world.end())

  it('R06: of 48 charges of 280 under 500 one is made', async () => {
    for (const _ of rounds) {
      const token = await root(world, cumulative(500))
      const replies = await invokeAtOnce(world, 48, 'charge', token)
      expect(successes(replies)).toHaveLength(1)
      expect(failures(replies)).toEqual({ budget_exceeded: 47 })
      expect(await effectsOf(world, replies)).toBe(1)
      expect(await remaining(world, token)).toBe(220)
    }
  })

  it('R07: ten children make 50 charges of 1 under a pool of 50', async () => {
    for (const _ of rounds) {
      const parent = await root(world, cumulative(50))
      const tokens = await children(world, parent)
      const replies = await invokeAtOnce(world, 200, 'tick', (n) => tokens[n % 10]!)
      expect(successes(replies)).toHaveLength(50)
      expect(await effectsOf(world, replies)).toBe(50)
    }
  })
})

describe.each(DEPLOYMENTS)('budgets on $name, where handlers may hang', (deployment) => {
  let world: World
  beforeAll(async () => {
    world = await createWorld(deployment, undefined, { limits: { handlerTimeoutMs: 400 } })
  })
  afterAll(() => world.end())

  it('R08: failures give back, unknown outcomes keep, and the ledger equals the effects', async () => {
    for (const _ of rounds) {
      const parent = await root(world, cumulative(50))
      const tokens = await children(world, parent)
      const replies = await invokeAtOnce(
        world,
        100,
        'tick',
        (n) => tokens[n % 10]!,
        (n) => ({ parameters: { outcome: n % 10 < 3 ? 'fail' : n % 10 === 3 ? 'hang' : 'do' } }),
      )
      const effects = await effectsOf(world, replies)
      const unknown = failures(replies)['outcome_unknown'] ?? 0
      expect(effects).toBe(successes(replies).length)
      expect(effects + unknown).toBeLessThanOrEqual(50)
      expect(await remaining(world, parent)).toBe(50 - effects - unknown)
    }
  })
})

describe.each(DEPLOYMENTS)('tokens on $name', (deployment) => {
  let world: World
  beforeAll(async () => {
    world = await createWorld(deployment)
  })
  afterAll(() => world.end())

  it('R09: no child of a revoked parent verifies, whenever it was issued', async () => {
    for (const _ of rounds) {
      const parent = await root(world)
      const issuing = Array.from({ length: 40 }, (_unused, n) => child(world, parent, {}, n).catch(() => undefined))
      await sleep(2)
      const revoked = await world.post(1, '/svc/tokens/revoke', 'ana-key', { token_id: parent.token_id })
      expect(revoked.status).toBe(200)
      const issued = (await Promise.all(issuing)).filter((token) => token !== undefined)
      const replies = await Promise.all(issued.map((token, n) => invoke(world, n, 'look', token)))
      expect(replies.filter(({ status }) => status !== 401)).toEqual([])
    }
  })
})
