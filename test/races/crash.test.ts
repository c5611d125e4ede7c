import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { approve, askForApproval, invoke, root, type Issued } from './acts.js'
import { verifyTrail } from './verify-trail.js'
import { createWorld, DEPLOYMENTS, kill, LAPSING, type World } from './world.js'

const KILLS = Number(process.env['KILLS'] ?? 50)
const CLIENTS = 20

/** Calls until it is told to stop; a call that fails because its server died is left to the verification. */
async function callUntil(stopped: () => boolean, world: World, token: Issued, acknowledged: string[]): Promise<void> {
  for (let n = 0; !stopped(); n++) {
    try {
      const { status, body } = await invoke(world, n, n % 3 === 0 ? 'tick' : 'act', token)
      if (status === 200) acknowledged.push(body['invocation_id'] as string)
    } catch {
      await sleep(10)
    }
  }
}

interface Start {
  /** Until it was ready. */
  readonly ms: number
  /** Of those, ms in which some process of this machine had to wait for a core: that it is busy is not the service's fault. */
  readonly contendedMs: number
  readonly cpuMs: number
}

async function startUntilReady(world: World): Promise<Start> {
  const [before, contended] = [Date.now(), contendedSoFar()]
  const { url, cpuMs } = await world.start()
  while ((await fetch(`${url}/-/ready`)).status !== 200) await sleep(5)
  return { ms: Date.now() - before, contendedMs: contendedSoFar() - contended, cpuMs }
}

/** ms, where the system counts them (Linux); else none. */
function contendedSoFar(): number {
  const file = '/proc/pressure/cpu'
  const total = existsSync(file) ? /^some .*total=(\d+)/u.exec(readFileSync(file, 'utf8'))?.[1] : undefined
  return Number(total ?? 0) / 1000
}

describe.each(DEPLOYMENTS)('kill -9 on $name', (deployment) => {
  let world: World
  beforeAll(async () => {
    world = await createWorld(deployment, undefined, LAPSING)
  })
  afterAll(() => world.end())

  it(`R16: ${KILLS} times, nothing acknowledged is lost, nothing is done without an entry`, async () => {
    const token = await root(world, { budget: { currency: 'EUR', max_amount: 1_000_000, mode: 'cumulative' } })
    const acknowledged: string[] = []
    let stop = false
    const clients = Array.from({ length: CLIENTS }, () => callUntil(() => stop, world, token, acknowledged))
    const starts: Start[] = []
    for (let n = 0; n < KILLS; n++) {
      await sleep(50 + ((n * 137) % 450))
      const victim = world.replicas.shift()!
      await kill(victim)
      starts.push(await startUntilReady(world))
    }
    stop = true
    await Promise.all(clients)
    await sleep(3500)

    const { entries, sequences } = await verifyTrail(world)
    expect(sequences).toEqual(sequences.map((_, index) => index + 1))
    const byId = new Map(entries.map((entry) => [entry['invocation_id'], entry]))
    expect(byId.size).toBe(entries.filter((entry) => entry['invocation_id'] !== null).length + 1)
    const lost = acknowledged.filter((id) => byId.get(id)?.['success'] !== true)
    const effects = (await world.effects()).map((line) => line.split(' '))
    const untraced = effects.filter(([, id]) => byId.get(id) === undefined)
    expect({ lost, untraced }).toEqual({ lost: [], untraced: [] })
    expect(new Set(effects.map(([, id]) => id)).size).toBe(effects.length)
    expect(acknowledged.length).toBeGreaterThan(KILLS)
    expect(starts.filter(({ ms, contendedMs, cpuMs }) => ms - contendedMs >= 2000 || cpuMs >= 1500)).toEqual([])

    const { body } = await invoke(world, 0, 'tick', token)
    const spent = body['budget_context']?.['budget_spent'] as number
    const ticks = effects.filter(([word]) => word === 'tick').length
    expect(spent - 1).toBeGreaterThanOrEqual(ticks)
  })
})

describe.each(DEPLOYMENTS)('a crash around an effect on $name', (deployment) => {
  it.each([
    ['before effect', 0],
    ['after effect', 1],
  ] as const)(
    'R17: %s, the grant stays used, the outcome is unknown, nothing happens twice',
    async (faultPoint, done) => {
      const world = await createWorld(deployment, undefined, LAPSING)
      const token = await root(world)
      const parameters = { note: 'R17' }
      const id = await askForApproval(world, token, 'R17')
      const { body: grant } = await approve(world, 0, id, { grant_type: 'one_time' })
      await Promise.all(world.replicas.splice(0).map(kill))
      const faulty = await world.start({ faultPoint })
      const attempt = { parameters, approval_grant: grant['grant_id'] }
      const headers = { 'idempotency-key': 'R17' }
      await expect(invoke(world, 0, 'refund', token, attempt, headers)).rejects.toThrow()
      await kill(faulty)
      world.replicas.length = 0
      await world.start()
      await sleep(3500)
      const repeated = await invoke(world, 0, 'refund', token, attempt, headers)
      expect(repeated.body['failure']?.['type']).toBe('outcome_unknown')
      const again = await invoke(world, 0, 'refund', token, attempt)
      expect(again.body['failure']?.['type']).toBe('approval_grant_invalid')
      expect(await world.effects()).toHaveLength(done)
      const { entries } = await verifyTrail(world)
      expect(entries.filter((entry) => entry['failure_type'] === 'outcome_unknown')).toHaveLength(1)
      await world.end()
    },
  )
})
