/** A replica that has no memory left, in the middle of its calls, again and again: V8 ends it at once, and it starts anew (threat N24). */
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { root } from '../races/acts.js'
import { createWorld, DEPLOYMENTS, LAPSING, type Replica, type World } from '../races/world.js'
import { startPostgres } from '../runtime/storage/postgres-server.js'
import { insistAll, verifyTold } from './told.js'

const POINTS = ['memory before effect', 'memory after effect'] as const
const DEATHS = 4
const CALLS = 300
const SMALL = ['env', 'NODE_OPTIONS=--max-old-space-size=64']

/** Waits until the replica has died of it, and starts another one, which dies at the other point, if at any. */
async function replace(world: World, victim: Replica, next: object): Promise<Replica> {
  const { exitCode, signalCode } = victim.process
  if (exitCode === null && signalCode === null) await once(victim.process, 'exit')
  expect([victim.process.exitCode, victim.process.signalCode]).toEqual([null, 'SIGABRT'])
  const started = await world.start(next, SMALL)
  world.replicas.splice(world.replicas.indexOf(victim), 1)
  return started
}

it.each(DEPLOYMENTS)('N24: nothing acknowledged is lost and nothing happens twice when memory runs out on $name', async (deployment) => {
  const server = deployment.engine === 'postgres' ? await startPostgres() : undefined
  const others = deployment.replicas - 1
  const calls = CALLS * (1 + others)
  const world = await createWorld({ engine: deployment.engine, replicas: others }, server, LAPSING)
  try {
    let victim = await world.start({ faultPoint: POINTS[0] }, SMALL)
    const told = insistAll(world, await root(world), 'call', calls, 20)
    for (let death = 1; death <= DEATHS; death++)
      victim = await replace(world, victim, death === DEATHS ? {} : { faultPoint: POINTS[death % 2] })
    const { acknowledged } = await verifyTold(world, await told.then(async (all) => (await sleep(3000), all)))
    console.log(`${deployment.name}: ${DEATHS} deaths, ${acknowledged} of ${calls} calls acknowledged`)
    expect(acknowledged).toBeGreaterThan(calls / 2)
  } finally {
    await world.end()
    await server?.stop()
  }
}) // prettier-ignore
