/** Replicas of one database, one of which has a clock that is an hour off (threat N09), by Debian's faketime. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { writeNewKeys } from '../../src/runtime/keys/key-directory.js'
import { startPostgres, type PostgresServer } from '../runtime/storage/postgres-server.js'
import { invoke, root, type Issued } from '../races/acts.js'
import { createWorld, type World } from '../races/world.js'
import { unpackedPackages } from './debian.js'

const HOUR = 3600_000
const folder = mkdtempSync(join(tmpdir(), 'svc-clocks-'))
let server: PostgresServer
let world: World

beforeAll(async () => {
  const keys = join(folder, 'keys')
  await writeNewKeys(keys, ['manifest', 'tokens', 'audit'], Date.now() - 2 * HOUR)
  server = await startPostgres()
  world = await createWorld({ engine: 'postgres', replicas: 1 }, server, { keys })
  await world.start({}, clockOff('-1h'))
  await world.start({}, clockOff('+1h'))
})

afterAll(async () => {
  await world.end()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

function clockOff(by: string): readonly string[] {
  const library = join(unpackedPackages(['libfaketime']), 'usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1')
  return ['env', `LD_PRELOAD=${library}`, `FAKETIME=${by}`, 'FAKETIME_DONT_FAKE_MONOTONIC=1']
}

const answerOf = async (replica: number, token: Issued): Promise<string> => {
  const { status, body } = await invoke(world, replica, 'act', token)
  return body['success'] === true ? 'done' : `${status} ${body['failure']['type']}`
}

const readinessOf = async (replica: number): Promise<unknown> => {
  const { status, body } = await world.get(replica, '/-/ready')
  return { status, alarms: body['alarms'] }
}

it('N09: those that are off are not ready and judge no credential; the one that is right serves as ever', async () => {
  const off = { status: 503, alarms: ['clock_differs'] }
  await expect.poll(() => readinessOf(1), { timeout: 20_000 }).toEqual(off)
  await expect.poll(() => readinessOf(2), { timeout: 20_000 }).toEqual(off)
  expect(await readinessOf(0)).toEqual({ status: 200, alarms: [] })

  const token = await root(world)
  expect(await Promise.all([0, 1, 2].map((replica) => answerOf(replica, token)))).toEqual([
    'done',
    '503 service_unavailable',
    '503 service_unavailable',
  ])
})

it('N09: none issues a token by a clock that is off, which would live for an hour more, or be over at once', async () => {
  const asked = await Promise.all(
    [1, 2].map((replica) => world.post(replica, '/svc/tokens', 'ana-key', { scope: ['act'] })),
  )
  expect(asked.map(({ body }) => body['failure']['type'])).toEqual(['service_unavailable', 'service_unavailable'])
})
