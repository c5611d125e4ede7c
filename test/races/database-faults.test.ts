import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import pg from 'pg'
import { startPostgres, type PostgresServer } from '../runtime/storage/postgres-server.js'
import { invoke, root, type Issued } from './acts.js'
import { verifyTrail } from './verify-trail.js'
import { createWorld, DEPLOYMENTS, LAPSING, type Reply, type World } from './world.js'

interface Told {
  readonly key: string
  readonly replies: readonly Reply[]
}

/** Calls with one key until there is an answer that says not to repeat the call. */
async function insist(world: World, token: Issued, key: string, n: number): Promise<Told> {
  const replies: Reply[] = []
  for (let attempt = 0; attempt < 800; attempt++) {
    const body = { parameters: { note: key } }
    const reply = await invoke(world, n + attempt, 'act', token, body, { 'idempotency-key': key }).catch(
      () => undefined,
    )
    if (reply !== undefined) replies.push(reply)
    if (reply !== undefined && (reply.status === 200 || reply.body['failure']?.['retry'] === false)) break
    await sleep(25)
  }
  return { key, replies }
}

describe('a PostgreSQL that fails under two processes', () => {
  let server: PostgresServer
  let world: World
  beforeAll(async () => {
    server = await startPostgres(['max_connections=100'])
    world = await createWorld(DEPLOYMENTS[1], server, LAPSING)
  })
  afterAll(async () => {
    await world.end()
    await server.stop()
  })

  const verify = async (told: readonly Told[]): Promise<void> => {
    await sleep(4000)
    const { entries, sequences } = await verifyTrail(world)
    expect(sequences).toEqual(sequences.map((_, index) => index + 1))
    const byId = new Map(entries.map((entry) => [entry['invocation_id'], entry]))
    const effects = (await world.effects()).map((line) => line.split(' '))
    for (const { key, replies } of told) {
      const answered = replies.at(-1)!
      const done = effects.filter(([, , note]) => note === key)
      expect(done.length).toBeLessThanOrEqual(1)
      if (answered.status === 200) {
        expect(done).toHaveLength(1)
        expect(byId.get(answered.body['invocation_id'])?.['success']).toBe(true)
      } else expect(['outcome_unknown', 'internal_error']).toContain(answered.body['failure']?.['type'])
      for (const { status, body } of replies) {
        if (status === 503) expect(body['failure']).toMatchObject({ type: 'service_unavailable', retry: true })
      }
    }
    expect(effects.filter(([, id]) => !byId.has(id))).toEqual([])
  }

  const insistAll = (token: Issued, name: string): Promise<readonly Told[]> =>
    Promise.all(
      Array.from({ length: 40 }, async (_, n) => {
        await sleep(n * 40)
        return insist(world, token, `${name}-${n}`, n)
      }),
    )

  it('R19: restarts three times, and no effect is repeated, no success lost', async () => {
    const token = await root(world)
    const telling = insistAll(token, 'restart')
    for (let n = 0; n < 3; n++) {
      await sleep(300)
      await server.crash()
      await sleep(200)
      await server.resume()
    }
    await verify(await telling)
  })

  it('R19: drops every connection again and again, in the middle of whatever they do', async () => {
    const token = await root(world)
    const telling = insistAll(token, 'reset')
    const admin = new pg.Client({ connectionString: `postgresql://postgres@127.0.0.1:${server.port}/postgres` })
    await admin.connect()
    for (let n = 0; n < 30; n++) {
      await sleep(50)
      await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'svc'`)
    }
    await admin.end()
    await verify(await telling)
  })

  it('is not ready while its database is gone, and ready again within 2 s of its return', async () => {
    expect((await world.get(0, '/-/ready')).status).toBe(200)
    await server.crash()
    expect((await world.get(0, '/-/ready')).status).toBe(503)
    const refused = await world.post(0, '/svc/tokens', 'ana-key', { scope: ['act'] })
    expect(refused).toMatchObject({ status: 503, body: { failure: { type: 'service_unavailable', retry: true } } })
    await server.resume()
    const back = Date.now()
    while ((await world.get(0, '/-/ready')).status !== 200) {
      expect(Date.now() - back).toBeLessThan(2000)
      await sleep(50)
    }
  })
})
