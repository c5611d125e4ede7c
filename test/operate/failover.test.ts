/** A primary that is killed under load, again and again (threat N24); ROUNDS=100 for a long run. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { invoke, root, successes, type Issued } from '../races/acts.js'
import { createWorld, DEPLOYMENTS, LAPSING, type Reading, type Reply, type World } from '../races/world.js'
import { startPair, type Dead, type Pair } from './pair.js'
import { startProxy, type Proxy } from './proxy.js'
import { effectsOf, insistAll, verifyTold, type Told } from './told.js'

const ROUNDS = Number(process.env['ROUNDS'] ?? 10)
const CALLS = 100
const CHARGE = 280

let pair: Pair
let proxy: Proxy
let world: World

beforeAll(async () => {
  pair = await startPair()
  proxy = await startProxy(pair.primary())
  const server = {
    database: async (name: string) => {
      const url = new URL(await pair.database(name))
      url.port = String(proxy.port)
      return url.href
    },
  }
  world = await createWorld(DEPLOYMENTS[1], server, LAPSING)
})

afterAll(async () => {
  await world.end()
  proxy.close()
  await pair.stop()
})

/** Remembers every checkpoint that a replica shows; one of the same number with another content is a contradiction. */
function watchCheckpoints(): { readonly seen: Map<number, Reading>; end(): Promise<void> } {
  const seen = new Map<number, Reading>()
  const state = { ended: false }
  const watch = async (replica: number): Promise<void> => {
    while (!state.ended) {
      const shown = await world.get(replica, '/svc/checkpoints?limit=5').catch(() => undefined)
      for (const checkpoint of shown?.status === 200 ? shown.body['checkpoints'] : []) {
        const known = seen.get(checkpoint['sequence'])
        if (known !== undefined) expect(checkpoint).toEqual(known)
        seen.set(checkpoint['sequence'], checkpoint)
      }
      await sleep(150)
    }
  }
  const watching = Promise.all([watch(0), watch(1)])
  return {
    seen,
    end: async () => {
      state.ended = true
      await watching
    },
  }
}

/** Three of these fit into the budget, however often the database is another one in between. */
async function spend(token: Issued, name: string): Promise<readonly Reply[]> {
  const replies: Reply[] = []
  for (let n = 0; n < 8; n++) {
    const told = await invoke(world, n, 'charge', token, {}, { 'idempotency-key': `${name}-${n}` }).catch(
      () => undefined,
    )
    if (told !== undefined) replies.push(told)
    await sleep(120)
  }
  return replies
}

const ready = async (): Promise<void> => {
  await expect
    .poll(async () => (await world.get(0, '/-/ready').catch(() => undefined))?.status, { timeout: 30_000 })
    .toBe(200)
}

it(
  'N24: of all that was acknowledged nothing is lost, no effect happens twice, and no checkpoint is contradicted',
  async () => {
    const told: Told[] = []
    const spent: (readonly Reply[])[] = []
    const watching = watchCheckpoints()
    let dead: Dead | undefined
    for (let round = 0; round < ROUNDS; round++) {
      await ready()
      const token = await root(world)
      const purse = await root(world, { budget: { currency: 'EUR', max_amount: 3 * CHARGE, mode: 'cumulative' } })
      const calling = insistAll(world, token, `round-${round}`, CALLS, 15)
      const spending = spend(purse, `spend-${round}`)
      await sleep(200 + ((round * 137) % 900))
      dead = await pair.failOver()
      proxy.turnTo(pair.primary())
      await pair.addStandby()
      told.push(...(await calling))
      spent.push(await spending)
    }
    await sleep(4000)
    await watching.end()

    const { trail, acknowledged } = await verifyTold(world, told)
    const effects = await effectsOf(world)
    for (const replies of spent) {
      const ids = new Set(replies.map(({ body }) => body['invocation_id']))
      expect(successes(replies).length).toBeLessThanOrEqual(3)
      expect(effects.filter(([word, id]) => word === 'charge' && ids.has(id as never)).length).toBeLessThanOrEqual(3)
    }
    expect(watching.seen.size).toBeGreaterThan(0)
    for (const checkpoint of watching.seen.values()) {
      expect(checkpoint['merkle_root']).toBe(trail.rootAt(checkpoint['entry_count']))
    }
    console.log(
      `${ROUNDS} failovers: ${told.length} calls, ${acknowledged} acknowledged, ${told.length - acknowledged} outcome_unknown; ` +
        `${trail.sequences.length} entries, ${watching.seen.size} checkpoints`,
    )

    await dead!.returns()
    const stale = new URL('url' in world.storage ? world.storage.url : '')
    stale.port = String(dead!.port)
    await world.start({ storage: { url: stale.href } })
    const alarms = async (): Promise<unknown> => (await world.get(2, '/-/ready')).body['alarms']
    await expect.poll(alarms, { timeout: 60_000, interval: 500 }).toContain('log_discontinuity')
  },
  60_000 + ROUNDS * 30_000,
)
