/** The line between one of two replicas and PostgreSQL drops, delays, or loses what is sent one way (threat N24). */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startPostgres, type PostgresServer } from '../runtime/storage/postgres-server.js'
import { root } from '../races/acts.js'
import { createWorld, LAPSING, type World } from '../races/world.js'
import { startProxy, type Proxy } from './proxy.js'
import { insistAll, verifyTold } from './told.js'

const CALLS = 100

let server: PostgresServer
let proxy: Proxy
let world: World

beforeAll(async () => {
  server = await startPostgres()
  proxy = await startProxy(server.port)
  world = await createWorld({ engine: 'postgres', replicas: 1 }, server, LAPSING)
  const url = new URL('url' in world.storage ? world.storage.url : '')
  url.port = String(proxy.port)
  await world.start({ storage: { url: url.href } })
})

afterAll(async () => {
  await world.end()
  proxy.close()
  await server.stop()
})

const HEALED = { toServer: false, toClient: false }

const TROUBLES: readonly (readonly [string, () => Promise<void>])[] = [
  [
    'drops every connection ten times',
    async () => {
      for (let n = 0; n < 10; n++) {
        await sleep(100)
        proxy.drop()
      }
    },
  ],
  [
    'loses what the database answers, for four seconds',
    async () => {
      proxy.lose({ toServer: false, toClient: true })
      await sleep(4000)
      proxy.lose(HEALED)
      proxy.drop()
    },
  ],
  [
    'loses what the replica sends, for four seconds',
    async () => {
      proxy.lose({ toServer: true, toClient: false })
      await sleep(4000)
      proxy.lose(HEALED)
      proxy.drop()
    },
  ],
  [
    'is lost both ways for twenty seconds, longer than any statement waits',
    async () => {
      proxy.lose({ toServer: true, toClient: true })
      await sleep(20_000)
      proxy.lose(HEALED)
      proxy.drop()
    },
  ],
  [
    'holds each piece back for 300 ms',
    async () => {
      proxy.delay(300)
      await sleep(5000)
      proxy.delay(0)
    },
  ],
]

it.each(TROUBLES)('N24: a line that %s loses nothing, repeats nothing, and stops nobody else', async (_, trouble) => {
  await expect.poll(async () => (await world.get(1, '/-/ready')).status, { timeout: 30_000 }).toBe(200)
  const token = await root(world)
  const name = `call-${Date.now()}`
  const calling = insistAll(world, token, name, CALLS, 15)
  const healthy = probeOther()
  await sleep(300)
  await trouble()
  const told = await calling
  const slowest = await healthy.end()
  await sleep(4000)
  const { acknowledged } = await verifyTold(world, told)
  console.log(`${_}: ${acknowledged} of ${CALLS} acknowledged; the other replica answered within ${slowest} ms`)
})

/** Calls the replica whose line is whole, again and again; each of these calls must succeed. */
function probeOther(): { end(): Promise<number> } {
  const state = { ended: false }
  const calling = callUntil(state)
  return {
    end: () => {
      state.ended = true
      return calling
    },
  }
}

/** Gives how long the slowest call took, in ms. */
async function callUntil(state: { readonly ended: boolean }): Promise<number> {
  const { token } = await root(world)
  let slowest = 0
  while (!state.ended) {
    const began = performance.now()
    const { status, body } = await world.post(0, '/svc/invoke/act', token, { parameters: { note: `other-${began}` } })
    expect([status, body['failure'] ?? 'done']).toEqual([200, 'done'])
    slowest = Math.max(slowest, Math.round(performance.now() - began))
    await sleep(50)
  }
  return slowest
}
