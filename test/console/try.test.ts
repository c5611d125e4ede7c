import { describe, expect, it } from 'vitest'
import type { AuditEntry } from '../../src/protocol/audit.js'
import { capability } from '../runtime/fixture/manifest.js'
import { startWorld, type World } from './world.js'

const keys = { options: { development: true } }
const permission = '/-/console/api/try/permission'
const callPath = '/-/console/api/try/call'

async function entriesOf(world: World, key = 'ana-key'): Promise<readonly AuditEntry[]> {
  const browser = world.browser()
  await browser.byKey(key)
  return (await browser.get('/-/console/api/trail')).body['entries'] as unknown as readonly AuditEntry[]
}

describe('a capability tried in the console', () => {
  it('says before whether a token of the person would do, and issues none for it', async () => {
    const world = await startWorld(keys)
    const ana = world.browser()
    await ana.byKey('ana-key')
    expect((await ana.post(permission, { capability: 'search' })).body).toMatchObject({
      available: [{ capability: 'search' }],
      restricted: [],
      denied: [],
    })
    const bob = world.browser()
    await bob.byKey('bob-key')
    expect((await bob.post(permission, { capability: 'book' })).status).toBe(200)
    const operator = world.browser()
    await operator.byKey('op-key')
    const refused = await operator.post(permission, { capability: 'search' })
    expect([refused.status, refused.body['failure']?.['type']]).toEqual([403, 'scope_escalation'])
    expect((await ana.post(permission, { capability: 'nothing' })).body['failure']?.['type']).toBe('unknown_capability')
    expect((await ana.post(permission, { capability: '../x' })).body['failure']?.['type']).toBe('invalid_parameters')
    expect((await entriesOf(world)).filter(({ entry_type }) => entry_type === 'token_issued')).toEqual([])
  })

  it('is called with a token for it alone, of the person, which no page sees', async () => {
    const world = await startWorld(keys)
    const ana = world.browser()
    await ana.byKey('ana-key')
    const called = await ana.post(callPath, { capability: 'search', parameters: {}, key: 'once' })
    expect(called.body).toMatchObject({ success: true })
    expect(called.text).not.toMatch(/eyJ/u)
    const entries = await entriesOf(world)
    const issued = entries.find(({ entry_type }) => entry_type === 'token_issued')
    expect(issued).toMatchObject({ capability: 'search', root_principal: 'human:ana', actor_key: 'human:ana' })
    const invoked = entries.find(({ entry_type }) => entry_type === 'invocation')
    expect(invoked).toMatchObject({ capability: 'search', success: true, token_id: issued?.token_id })
    const minutes = (Date.parse(issued!.issued!.expires_at) - Date.parse(issued!.timestamp)) / 60_000
    expect(minutes).toBeLessThanOrEqual(15)
  })

  it('is called by nobody whose token would be refused, for that reason', async () => {
    const world = await startWorld(keys)
    const operator = world.browser()
    await operator.byKey('op-key')
    for (const path of [permission, callPath]) {
      const { status, body, headers } = await operator.post(path, { capability: 'search', parameters: {} })
      expect([path, status, body['failure']?.['type'], headers.get('cache-control')]).toEqual([path, 403, 'scope_escalation', 'no-store']) // prettier-ignore
    }
    expect(await entriesOf(world, 'op-key')).toEqual([])
  })

  it('is called once for each key', async () => {
    const world = await startWorld(keys)
    const ana = world.browser()
    await ana.byKey('ana-key')
    const called = async (key?: string) =>
      (await ana.post(callPath, { capability: 'search', parameters: {}, ...(key !== undefined && { key }) })).body['invocation_id'] // prettier-ignore
    const [first, again, other, without] = [await called('k'), await called('k'), await called('l'), await called()]
    expect([first === again, new Set([first, other, without]).size]).toEqual([true, 3])
    expect((await ana.post(callPath, { capability: 'search', key: 'k'.repeat(101) })).status).toBe(400)
  })

  it('is called with what its steps need, too, and within the budget that was said', async () => {
    const cost = { certainty: 'fixed', financial: { currency: 'EUR', amount: 5 } } as const
    const stay = capability({ cost, minimum_scope: ['travel.stay'] })
    const trip = capability({
      kind: 'composed',
      cost,
      composition: {
        authority_boundary: 'same_service',
        steps: [{ id: 'find', capability: 'stay' }],
        input_mapping: { find: {} },
        output_mapping: {},
        failure_policy: { child_clarification: 'propagate', child_denial: 'propagate', child_approval_required: 'propagate', child_error: 'fail_parent' },
        empty_result_policy: 'return_success_no_results',
        audit_policy: { record_child_invocations: true, parent_task_lineage: true },
      },
    }) // prettier-ignore
    const world = await startWorld({ ...keys, given: { capabilities: { stay, trip } } })
    const ana = world.browser()
    await ana.byKey('ana-key')
    const asked = (max_amount: number) => ({ capability: 'trip', budget: { currency: 'EUR', max_amount } })
    expect((await ana.post(permission, asked(5))).body).toMatchObject({ available: [{ capability: 'trip' }] })
    expect((await ana.post(callPath, asked(5))).body).toMatchObject({ success: true })
    expect((await ana.post(callPath, asked(4))).body['failure']?.['type']).toBe('budget_exceeded')
    const issued = (await entriesOf(world)).find(({ entry_type }) => entry_type === 'token_issued')
    expect(issued?.issued?.scope).toEqual(['travel.search', 'travel.stay'])
  })

  it('waits for somebody else, and goes on by the same press', async () => {
    const world = await startWorld(keys)
    const ana = world.browser()
    await ana.byKey('ana-key')
    const call = async () => ana.post(callPath, { capability: 'book', parameters: { hotel: 'Aurora' } })
    const asked = await call()
    const id = asked.body['failure']?.['approval_request_id'] as unknown as string
    expect(asked.body['failure']?.['type']).toBe('approval_required')
    expect((await ana.post(`/-/console/api/approvals/${id}/approve`)).status).toBe(403)
    const bob = world.browser()
    await bob.byKey('bob-key')
    expect((await bob.post(`/-/console/api/approvals/${id}/approve`)).status).toBe(200)
    expect((await call()).body).toMatchObject({ success: true })
  })

  it('N16 is called by a POST of a page of the console, and by nothing else', async () => {
    const world = await startWorld(keys)
    const ana = world.browser()
    await ana.byKey('ana-key')
    const body = { capability: 'search', parameters: {} }
    for (const headers of [
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { origin: 'null' },
      { 'x-csrf-token': '' },
      { 'x-csrf-token': 'guess' },
    ])
      // prettier-ignore
      expect((await ana.post(callPath, body, headers as never)).status).toBe(403)
    expect((await ana.get(`${callPath}?capability=search`)).status).toBe(405)
    expect((await world.browser().post(callPath, body)).status).toBe(401)
    expect((await entriesOf(world)).filter(({ entry_type }) => entry_type === 'invocation')).toEqual([])
  })
})
