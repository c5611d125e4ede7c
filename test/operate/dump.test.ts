/** A backup by `pg_dump` of a service under load, restored on another server (docs/guides/backup.md). */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { root } from '../races/acts.js'
import { verifyTrail } from '../races/verify-trail.js'
import { createWorld, DEPLOYMENTS, kill, type World } from '../races/world.js'
import { startPostgres, type PostgresServer } from '../runtime/storage/postgres-server.js'
import { insistAll } from './told.js'

let first: PostgresServer
let second: PostgresServer
let world: World

beforeAll(async () => {
  first = await startPostgres()
  second = await startPostgres()
  world = await createWorld(DEPLOYMENTS[1], first)
})

afterAll(async () => {
  await world.end()
  await Promise.all([first.stop(), second.stop()])
})

it('has what was acknowledged when it began, verifies by itself, and serves on another server', async () => {
  if (!('url' in world.storage)) throw new Error('There is no PostgreSQL.')
  const token = await root(world)
  const before = await insistAll(world, token, 'before', 50, 5)
  const load = { ended: false }
  const during = (async () => {
    for (let n = 0; !load.ended; n++) await insistAll(world, token, `during-${n}`, 20, 5)
  })()
  const file = join(world.home, 'service.dump')
  const dump = spawn('pg_dump', ['--format=custom', `--file=${file}`, world.storage.url], { stdio: 'inherit' })
  expect(await once(dump, 'exit')).toEqual([0, null])
  load.ended = true
  await during
  await insistAll(world, token, 'later', 1, 0)
  await Promise.all(world.replicas.splice(0).map(kill))

  const url = await second.database('restored')
  const restored = spawnSync('pg_restore', ['--exit-on-error', `--dbname=${url}`, file], { encoding: 'utf8', timeout: 60_000 }) // prettier-ignore
  expect([restored.status, restored.stderr]).toEqual([0, ''])
  const kept = await verifyTrail({ storage: { url } })
  const all = await verifyTrail(world)
  expect(kept.sequences.length).toBeLessThan(all.sequences.length)
  expect(before.filter(({ last }) => !kept.invocations.includes(last.body['invocation_id']))).toEqual([])
  expect(kept.sequences).toEqual(kept.sequences.map((_, index) => index + 1))
  expect(kept.rootAt(kept.sequences.length)).toBe(all.rootAt(kept.sequences.length))

  await world.start({ storage: { url } })
  const [again] = before
  const repeated = await insistAll(world, token, 'before', 1, 0)
  expect(repeated[0]!.last.body['invocation_id']).toBe(again!.last.body['invocation_id'])
  const after = await insistAll(world, token, 'after', 5, 5)
  expect(after.map(({ last }) => last.status)).toEqual([200, 200, 200, 200, 200])
})
