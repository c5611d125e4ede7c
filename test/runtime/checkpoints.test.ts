import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
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

describe('the list of checkpoints', () => {
  const start = async () => {
    const { service, root, invoke, call, time } = await startFixture()
    const { token } = await root()
    for (let count = 0; count < 5; count++) {
      await invoke('search', token)
      time.now += 60_000
      await maintain(service)()
    }
    const list = async (query: string) => {
      const { status, body } = await call('GET', `/svc/checkpoints${query}`)
      const { checkpoints = [], next_cursor } = body as unknown as { checkpoints?: Checkpoint[]; next_cursor?: string }
      return { status, sequences: checkpoints.map(({ sequence }) => sequence), checkpoints, next_cursor }
    }
    return { list, call }
  }

  it('goes on with a cursor, to the first one', async () => {
    const { list } = await start()
    const first = await list('?limit=2')
    const second = await list(`?limit=2&cursor=${first.next_cursor}`)
    const third = await list(`?limit=2&cursor=${second.next_cursor}`)
    const pages = [first, second, third]
    expect(pages.map(({ sequences }) => sequences)).toEqual([[5, 4], [3, 2], [1]])
    expect(first.next_cursor).toBe(first.checkpoints[1]!.checkpoint_id)
    expect(third.next_cursor).toBeUndefined()
    expect((await list('?limit=5')).next_cursor).toBeUndefined()
  })

  it('ends at a time, which is exclusive, and goes on with it', async () => {
    const { list } = await start()
    const { checkpoints } = await list('')
    const since = checkpoints[3]!.created_at
    expect(await list(`?since=${since}`)).toMatchObject({ sequences: [5, 4, 3], next_cursor: undefined })
    const page = await list(`?since=${since}&limit=2`)
    expect((await list(`?since=${since}&limit=2&cursor=${page.next_cursor}`)).sequences).toEqual([3])
  })

  it.each(['?cursor=abc', '?cursor=ckp_unknown', '?since=today', '?before=1'])('does not know %s', async (query) => {
    const { list } = await start()
    expect((await list(query)).status).toBe(400)
  })
})
