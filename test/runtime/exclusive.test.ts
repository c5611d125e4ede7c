import { describe, expect, it } from 'vitest'
import type { HandlerContext } from '../../src/runtime/index.js'
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

it('a handler is told at once when its lease cannot be renewed', async () => {
  const storage = await openSqlite({ file: ':memory:' })
  const renew: typeof storage.leases.renew = (key, ...more) =>
    key.startsWith('token:') ? Promise.reject(new Error('gone')) : storage.leases.renew(key, ...more)
  const { root, invoke } = await startFixture({
    capabilities,
    storage: { ...storage, leases: { ...storage.leases, renew } },
    limits: { leaseMs: 30, handlerTimeoutMs: 20_000 },
    handlers: {
      work: (_: object, { signal }: HandlerContext) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve({}))),
    },
  })
  const { token } = await root({ concurrent_branches: 'exclusive' })
  expect((await invoke('work', token)).body['failure']).toMatchObject({
    type: 'outcome_unknown',
    detail: 'The exclusive lease was lost. It may or may not have done its work.',
  })
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

describe('calls that exclude each other by the values of inputs (x-exclusive-by)', () => {
  const input = (name: string, type = 'string') => ({ name, type, required: false })
  const reserve = capability({
    side_effect: { type: 'write' },
    inputs: [input('warehouse'), input('pieces', 'integer')],
    extensions: { 'x-exclusive-by': ['warehouse'] },
  })

  /** A service whose handler says when it has begun, and ends when it is let go. */
  async function startWaiting(differences: { readonly [name: string]: ReturnType<typeof capability> } = {}) {
    const running: (() => void)[] = []
    const begun: string[] = []
    const waiting = () => new Promise<void>((resolve) => running.push(resolve))
    const work = async ({ warehouse = 'none' }: { readonly warehouse?: string }) => {
      begun.push(warehouse)
      await waiting()
      return {}
    }
    const fixture = await startFixture({
      capabilities: { reserve, ...differences },
      handlers: { reserve: work, count: work },
    })
    const { token } = await fixture.root()
    const call = (parameters: object, name = 'reserve', as = token) => fixture.invoke(name, as, { parameters })
    const untilBegun = async (count: number) => {
      while (begun.length < count) await new Promise((done) => setImmediate(done))
    }
    const end = () => running.splice(0).forEach((letGo) => letGo())
    return { ...fixture, call, untilBegun, end }
  }

  it('run one at a time for each value, whichever token makes them; other values run beside them', async () => {
    const { call, untilBegun, end, root } = await startWaiting()
    const first = call({ warehouse: 'north', pieces: 1 })
    await untilBegun(1)
    const other = call({ warehouse: 'south', pieces: 1 })
    await untilBegun(2)
    const { token } = await root()
    for (const refused of [
      await call({ warehouse: 'north', pieces: 2 }),
      await call({ warehouse: 'north' }, 'reserve', token),
    ]) {
      expect(refused.status).toBe(409)
      expect(refused.body['failure']).toMatchObject({
        type: 'concurrent_request_rejected',
        detail: 'Another invocation of reserve with the same warehouse is in flight. Try again when it has ended.',
        retry: true,
      })
    }
    end()
    expect([(await first).status, (await other).status]).toEqual([200, 200])
    const again = call({ warehouse: 'north' })
    await untilBegun(3)
    end()
    expect((await again).status).toBe(200)
  })

  it('take an input that is not given for a value of its own, in its place', async () => {
    const move = capability({
      side_effect: { type: 'write' },
      inputs: [input('from'), input('to')],
      extensions: { 'x-exclusive-by': ['from', 'to'] },
    })
    const { call, untilBegun, end } = await startWaiting({ count: move })
    const leaving = call({ from: 'north' }, 'count')
    const arriving = call({ to: 'north' }, 'count')
    await untilBegun(2)
    expect((await call({ to: 'north' }, 'count')).status).toBe(409)
    end()
    expect([(await leaving).status, (await arriving).status]).toEqual([200, 200])
  })

  it('are fenced off when one of their two leases was taken over', async () => {
    const storage = await openSqlite({ file: ':memory:' })
    let stolen = ''
    const renew = async (key: string) => stolen === '' || !key.startsWith(stolen)
    const { root, invoke } = await startFixture({
      capabilities: { reserve },
      storage: { ...storage, leases: { ...storage.leases, renew } },
      handlers: { reserve: ({ warehouse }: { readonly warehouse: string }) => ((stolen = warehouse), {}) },
    })
    const { token } = await root({ concurrent_branches: 'exclusive' })
    for (const taken of ['values:', 'token:']) {
      stolen = ''
      const { body } = await invoke('reserve', token, { parameters: { warehouse: taken } })
      expect([taken, body['failure']?.['type']]).toEqual([taken, 'outcome_unknown'])
    }
  })

  it('count as equal where the input is not given', async () => {
    const { call, untilBegun, end } = await startWaiting()
    const first = call({ pieces: 1 })
    await untilBegun(1)
    expect((await call({ pieces: 2 })).status).toBe(409)
    end()
    expect((await first).status).toBe(200)
  })

  it('exclude the steps of compositions, which let go when they end', async () => {
    const failure_policy = { child_clarification: 'propagate', child_denial: 'propagate', child_approval_required: 'propagate', child_error: 'propagate' } as const
    const audit_policy = { record_child_invocations: true, parent_task_lineage: true }
    const twice = capability({
      kind: 'composed',
      side_effect: { type: 'write' },
      composition: {
        authority_boundary: 'same_service',
        steps: ['one', 'two'].map((id) => ({ id, capability: 'reserve' })),
        input_mapping: {},
        'x-literals': { one: { warehouse: 'north' }, two: { warehouse: 'north' } },
        output_mapping: {},
        failure_policy,
        audit_policy,
      },
    })
    const { call, untilBegun, end } = await startWaiting({ twice })
    const whole = call({}, 'twice')
    await untilBegun(1)
    expect((await call({ warehouse: 'north' })).status).toBe(409)
    end()
    await untilBegun(2)
    end()
    expect((await whole).status).toBe(200)
  }) // prettier-ignore

  it.each([
    ['another capability', { capability: 'count', warehouse: 'north' }, 200],
    ['the same capability', { capability: 'reserve', warehouse: 'north' }, 409],
    ['another value', { capability: 'reserve', warehouse: 'south' }, 200],
  ])('exclude within one capability: %s', async (_, { capability: name, warehouse }, status) => {
    let begun = () => {}
    let end = () => {}
    const hasBegun = new Promise<void>((resolve) => (begun = resolve))
    const mayEnd = new Promise<void>((resolve) => (end = resolve))
    const onlyFirstWaits = ({ who }: { readonly who?: string }) =>
      who === 'first' ? (begun(), mayEnd.then(() => ({}))) : {}
    const named = { ...reserve, inputs: [...reserve.inputs, input('who')] }
    const { root, invoke } = await startFixture({
      capabilities: { reserve: named, count: named },
      handlers: { reserve: onlyFirstWaits, count: onlyFirstWaits },
    })
    const { token } = await root()
    const first = invoke('reserve', token, { parameters: { warehouse: 'north', who: 'first' } })
    await hasBegun
    expect((await invoke(name, token, { parameters: { warehouse } })).status).toBe(status)
    end()
    expect((await first).status).toBe(200)
  })

  it('let a composition run a step that excludes by an equal value', async () => {
    const failure_policy = { child_clarification: 'propagate', child_denial: 'propagate', child_approval_required: 'propagate', child_error: 'propagate' } as const
    const whole = capability({
      kind: 'composed',
      side_effect: { type: 'write' },
      inputs: [input('warehouse')],
      extensions: { 'x-exclusive-by': ['warehouse'] },
      composition: {
        authority_boundary: 'same_service',
        steps: [{ id: 'one', capability: 'reserve' }],
        input_mapping: { one: { warehouse: '$.input.warehouse' } },
        output_mapping: {},
        failure_policy,
        audit_policy: { record_child_invocations: true, parent_task_lineage: true },
      },
    })
    const { root, invoke } = await startFixture({ capabilities: { reserve, whole } })
    const { token } = await root()
    expect((await invoke('whole', token, { parameters: { warehouse: 'north' } })).status).toBe(200)
  }) // prettier-ignore

  it('let go when the handler fails', async () => {
    const { root, invoke } = await startFixture({
      capabilities: { reserve },
      handlers: {
        reserve: () => {
          throw new Error('no shelf')
        },
      },
    })
    const { token } = await root()
    const types = [await invoke('reserve', token), await invoke('reserve', token)].map(
      ({ body }) => body['failure']?.['type'],
    )
    expect(types).toEqual(['outcome_unknown', 'outcome_unknown'])
  })
})
