import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Checkpoint } from '../../src/protocol/audit.js'
import { maintain } from '../../src/runtime/index.js'
import { checkpointMemory } from '../../src/runtime/checkpoints/memory.js'
import { startFixture } from './fixture/service.js'

it('checkpoints are published, listed, and prove that an invocation is on the trail', async () => {
  const { service, root, invoke, call } = await startFixture()
  const rest = maintain(service)
  const { token } = await root()
  const id = (await invoke('search', token)).body['invocation_id'] as unknown as string
  await rest()
  const { checkpoints } = (await call('GET', '/svc/checkpoints')).body as unknown as {
    checkpoints: readonly { readonly checkpoint_id: string; readonly merkle_root: string }[]
  }
  const newest = checkpoints[0]!
  expect(newest).toEqual({
    checkpoint_id: expect.stringMatching(/^ckp_/u) as string,
    sequence: expect.any(Number) as number,
    merkle_root: expect.stringMatching(/^sha256:/u) as string,
    entry_count: 2,
    created_at: '2026-03-01T12:00:00.000Z',
    signature: expect.stringMatching(/^[\w-]+\.\.[\w-]+$/u) as string,
  })
  const path = `/svc/checkpoints/${newest.checkpoint_id}`
  const detail = (await call('GET', `${path}?invocation_id=${id}`)).body
  expect(detail).toMatchObject({
    ...newest,
    tree_size: 2,
    tree_head: newest.merkle_root,
    inclusion_proof: { leaf_index: 1, tree_size: 2 },
  })
  expect((await call('GET', `${path}?leaf_index=2`)).status).toBe(404)
  expect((await call('GET', `${path}?leaf_index=-1`)).status).toBe(400)
  expect((await call('GET', '/svc/checkpoints?limit=-1')).status).toBe(400)
})

it('replicas that share a memory of checkpoints do not take it from each other while they look at it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-memory-'))
  const replicas = Array.from({ length: 20 }, () => checkpointMemory(folder))
  const answers = await Promise.all(replicas.map((each) => each.isWritable!()))
  expect(answers).toEqual(replicas.map(() => true))
  expect(readdirSync(join(folder, 'checkpoints'))).toEqual(['probe'])
})

it('a memory of checkpoints that can be written and does not take one says so', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-memory-'))
  writeFileSync(join(folder, 'checkpoints'), 'no folder')
  await expect(checkpointMemory(folder).keep('sha256:00', {} as Checkpoint)).rejects.toThrow('ENOTDIR')
})
