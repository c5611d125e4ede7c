import { expect, it } from 'vitest'
import { capability } from './fixture/manifest.js'
import { startFixture } from './fixture/service.js'
import { openSqlite } from '../../src/runtime/storage/sqlite/index.js'

const capabilities = { work: capability({ side_effect: { type: 'write' } }) }

it('an exclusive token and its descendants have one invocation in flight', async () => {
  let running = 0
  let most = 0
  let finish: () => void = () => undefined
  const othersAnswered = new Promise<void>((resolve) => (finish = resolve))
  const work = async () => {
    most = Math.max(most, ++running)
    if (running === 1) await othersAnswered
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
  let answered = 0
  const call = async ({ token }: { readonly token: string }) => {
    const reply = await invoke('work', token)
    if (++answered === 3) finish()
    return reply
  }
  const replies = await Promise.all([parent, child, parent, child].map(call))
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

it('a composition whose lease was taken over starts no further step', async () => {
  const storage = await openSqlite({ file: ':memory:' })
  const lease = { isStolen: false, effects: 0 }
  const failure_policy = { child_clarification: 'propagate', child_denial: 'propagate', child_approval_required: 'propagate', child_error: 'propagate' } as const
  const trip = capability({
    kind: 'composed',
    side_effect: { type: 'write' },
    composition: {
      authority_boundary: 'same_service',
      steps: ['look', 'work'].map((name) => ({ id: name, capability: name })),
      input_mapping: {},
      output_mapping: {},
      failure_policy,
      audit_policy: { record_child_invocations: true, parent_task_lineage: true },
    },
  })
  const { root, invoke } = await startFixture({
    capabilities: { ...capabilities, look: capability(), trip },
    storage: { ...storage, leases: { ...storage.leases, renew: async () => !lease.isStolen } },
    handlers: {
      look: () => ((lease.isStolen = true), {}),
      work: () => ((lease.effects += 1), {}),
    },
  })
  const { token } = await root({ concurrent_branches: 'exclusive' })
  expect((await invoke('trip', token)).body['success']).toBe(false)
  expect(lease.effects).toBe(0)
}) // prettier-ignore

it('a lease is released when the entry is durable, not before', async () => {
  const storage = await openSqlite({ file: ':memory:' })
  const recorded: number[] = []
  const release = async (...given: Parameters<typeof storage.leases.release>) => {
    if (given[0].startsWith('token:')) recorded.push(await storage.audit.size())
    return storage.leases.release(...given)
  }
  const { root, invoke } = await startFixture({
    capabilities,
    storage: { ...storage, leases: { ...storage.leases, release } },
  })
  const { token } = await root({ concurrent_branches: 'exclusive' })
  const before = await storage.audit.size()
  expect((await invoke('work', token)).status).toBe(200)
  expect(recorded).toEqual([before + 1])
})
