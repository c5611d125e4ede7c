import { copyFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { backupSqlite } from '../../src/runtime/storage/sqlite/index.js'
import { invokeAtOnce, root } from './acts.js'
import { createWorld, DEPLOYMENTS, kill, type Reading, type World } from './world.js'

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

describe('a backup that is restored, on SQLite', () => {
  let world: World
  beforeAll(async () => {
    world = await createWorld(DEPLOYMENTS[0])
  })
  afterAll(() => world.end())

  const restart = async (): Promise<void> => {
    await Promise.all(world.replicas.splice(0).map(kill))
    await world.start()
  }

  it('R22: is noticed: nothing is signed until the operator accepts the loss', async () => {
    const { file } = world.storage as { file: string }
    await restart()
    await callFor(world, 2500)
    await backupSqlite({ file, to: `${file}.backup` })
    const before = await newest(world)
    await callFor(world, 3000)
    const lost = await newest(world)
    expect(lost['sequence']).toBeGreaterThan(before['sequence'] as number)

    await Promise.all(world.replicas.splice(0).map(kill))
    for (const suffix of ['', '-wal', '-shm']) await rm(file + suffix, { force: true })
    await copyFile(`${file}.backup`, file)
    await world.start()
    await callFor(world, 3000)
    const kept = await newest(world)
    expect(kept['sequence']).toBeLessThanOrEqual(before['sequence'] as number)
    expect((await world.get(0, '/-/ready')).body).toMatchObject({ status: 'degraded', alarms: ['log_discontinuity'] })

    await rm(join(world.keys, 'checkpoints'), { recursive: true })
    await restart()
    await callFor(world, 3000)
    expect((await newest(world))['sequence']).toBeGreaterThan(kept['sequence'] as number)
    expect((await world.get(0, '/-/ready')).body).toMatchObject({ status: 'ready' })
  })
})
