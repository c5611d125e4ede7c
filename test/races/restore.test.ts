import { execFileSync } from 'node:child_process'
import { copyFile, rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startPostgres, type PostgresServer } from '../runtime/storage/postgres-server.js'
import { backupSqlite } from '../../src/runtime/storage/sqlite/index.js'
import { invokeAtOnce, root } from './acts.js'
import { createWorld, DEPLOYMENTS, kill, type Reading, type Reply, type World } from './world.js'

async function newest(world: World): Promise<Reading> {
  return (await world.get(0, '/svc/checkpoints?limit=1')).body['checkpoints']![0]!
}

async function callFor(world: World, ms: number): Promise<void> {
  const token = await root(world)
  for (let spent = 0; spent < ms; spent += 500) {
    await invokeAtOnce(world, 5, 'act', token)
    await sleep(500)
  }
}

const readiness = async (world: World): Promise<Reply['body']> => (await world.get(0, '/-/ready')).body

describe.each(DEPLOYMENTS)('a backup that is restored, on $name', (deployment) => {
  let server: PostgresServer | undefined
  let world: World
  /** What the replicas are started with, once another database was restored. */
  let restored: object = {}
  beforeAll(async () => {
    server = deployment.engine === 'postgres' ? await startPostgres(['max_connections=100']) : undefined
    world = await createWorld(deployment, server)
  })
  afterAll(async () => {
    await world.end()
    await server?.stop()
  })

  const stop = async (): Promise<void> => {
    await Promise.all(world.replicas.splice(0).map(kill))
  }
  const start = async (): Promise<void> => {
    await Promise.all(Array.from({ length: deployment.replicas }, () => world.start(restored)))
  }

  /** Takes a backup while nobody serves (a template copy, where pg_dump is missing, needs that); gives the way back to it. */
  async function backUp(): Promise<() => Promise<void>> {
    if ('url' in world.storage) {
      const url = await server!.copy(new URL(world.storage.url).pathname.slice(1), 'restored')
      return async () => void (restored = { storage: { url } })
    }
    const { file } = world.storage
    await backupSqlite({ file, to: `${file}.backup` })
    return async () => {
      for (const suffix of ['', '-wal', '-shm']) await rm(file + suffix, { force: true })
      await copyFile(`${file}.backup`, file)
    }
  }

  it('R22: is noticed: nothing is signed until the operator says why the newer entries are lost', async () => {
    await callFor(world, 2500)
    const before = await newest(world)
    await stop()
    const restore = await backUp()
    await start()
    await callFor(world, 3000)
    const lost = await newest(world)
    expect(lost['sequence']).toBeGreaterThan(before['sequence'] as number)

    await stop()
    await restore()
    await start()
    await callFor(world, 3000)
    const kept = await newest(world)
    expect(kept['sequence']).toBeLessThan(lost['sequence'] as number)
    // A replica that was killed at a checkpoint keeps the others from it for up to 30 s.
    await expect
      .poll(() => readiness(world), { timeout: 40_000, interval: 500 })
      .toMatchObject({ status: 'degraded', alarms: expect.arrayContaining(['log_discontinuity']) as unknown })

    const cli = new URL('../../bin/svc.cjs', import.meta.url).pathname
    execFileSync(process.execPath, [cli, 'audit', 'resume', '--reason', 'disk lost', '--keys', world.keys], {
      stdio: 'pipe',
    })
    await callFor(world, 1000)
    while ((await readiness(world))['status'] !== 'ready') await callFor(world, 500)
    expect((await newest(world))['sequence']).toBeGreaterThan(kept['sequence'] as number)
  })
})
