import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { effectsOf, invoke, root } from './acts.js'
import { createWorld, DEPLOYMENTS, rounds, type World } from './world.js'

describe.each(DEPLOYMENTS)('idempotency keys on $name', (deployment) => {
  let world: World
  beforeAll(async () => {
    world = await createWorld(deployment)
  })
  afterAll(() => world.end())

  it('R20: 48 calls with one key have one effect and one answer', async () => {
    for (const round of rounds) {
      const token = await root(world)
      const call = (n: number) =>
        invoke(world, n, 'act', token, {}, { 'idempotency-key': `R20 ${round}`.replace(' ', '-') })
      const replies = await Promise.all(Array.from({ length: 48 }, (_, n) => call(n)))
      const answered = replies.filter(({ status }) => status === 200)
      const refused = replies.filter(({ status }) => status !== 200)
      expect(new Set(answered.map(({ body }) => JSON.stringify(body))).size).toBe(1)
      expect(refused.every(({ body }) => body['failure']?.['type'] === 'idempotency_in_progress')).toBe(true)
      expect(await effectsOf(world, [answered[0]!])).toBe(1)
      expect((await call(round)).body).toEqual(answered[0]!.body)
    }
    expect(await world.effects()).toHaveLength(rounds.length)
  })
})
