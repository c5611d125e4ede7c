import { expect, it } from 'vitest'
import { capability } from './fixture/manifest.js'
import { startFixture } from './fixture/service.js'
import { openSqlite } from '../../src/runtime/storage/sqlite/index.js'

const capabilities = { work: capability({ side_effect: { type: 'write' } }) }

it('an exclusive token and its descendants have one invocation in flight', async () => {
  let running = 0
  let most = 0
  const work = async () => {
    most = Math.max(most, ++running)
    await new Promise((resolve) => setTimeout(resolve, 20))
    running -= 1
    return {}
  }
  const { root, issued, invoke } = await startFixture({ capabilities, handlers: { work } })
  const parent = await root({ concurrent_branches: 'exclusive', subject: 'agent:planner' })
  const child = await issued(parent.token, {
    scope: ['travel.search'],
    subject: 'agent:worker',
    parent_token: parent.token_id,
  })
  const replies = await Promise.all([parent, child, parent, child].map(({ token }) => invoke('work', token)))
  expect(replies.map((reply) => reply.status).sort()).toEqual([200, 409, 409, 409])
  expect(replies.find((reply) => reply.status === 409)?.body['failure']).toMatchObject({
    type: 'concurrent_request_rejected',
    retry: true,
    resolution: { action: 'wait_and_retry' },
  })
  expect(most).toBe(1)
  expect((await invoke('work', child.token)).status).toBe(200)
})

it('a holder whose lease was taken over is fenced off', async () => {
  const storage = await openSqlite({ file: ':memory:' })
  let stolen = false
  const { root, invoke } = await startFixture({
    capabilities,
    storage: { ...storage, leases: { ...storage.leases, renew: async () => !stolen } },
    handlers: {
      work: () => {
        stolen = true
        return {}
      },
    },
  })
  const { token } = await root({ concurrent_branches: 'exclusive' })
  expect((await invoke('work', token)).body['failure']?.['type']).toBe('outcome_unknown')
})
