import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { API_KEYS } from '../runtime/fixture/service.js'
import { capability, input } from '../runtime/fixture/manifest.js'
import { startWorld, type World } from './world.js'

const keys = { options: { development: true } }
const path = (id: string, verb = '') => `/-/console/api/approvals/${id}${verb}`

/** An agent of ana asks to book, and waits for an approver. */
async function asked({ fixture }: World, hotel = 'Aurora') {
  const { token } = await fixture.root({ subject: 'agent:planner' })
  const call = (approval?: 'continue') =>
    fixture.invoke('book', token, { parameters: { hotel }, ...(approval && { approval }) })
  const refused = await call()
  return { id: refused.body['failure']?.['approval_request_id'] as unknown as string, call }
}

describe('approvals by the console', () => {
  it('have a page of their own, which the agent and the approver are told: of the address that is known, not of a header', async () => {
    const world = await startWorld(keys)
    const { id, call } = await asked(world)
    const url = `${world.url}/-/console/approvals/${id}`
    expect((await call()).body['failure']).toMatchObject({ approval_url: url })
    const browser = world.browser()
    await browser.byKey('bob-key')
    expect((await browser.get(`/-/console/api/approvals/${id}`)).body['approval_url']).toBe(url)
    const read = await browser.get(`/svc/approval_requests/${id}`, { headers: { authorization: 'Bearer bob-key' } })
    expect(read.body['approval_url']).toBe(url)
    const published = await startWorld({ ...keys, serving: { publicUrl: 'https://svc.example' } })
    const other = await asked(published)
    expect((await other.call()).body['failure']?.['approval_url']).toBe(
      `https://svc.example/-/console/approvals/${other.id}`,
    )
  })

  it('end with a block of the person, who does not come back in', async () => {
    const world = await startWorld({
      ...keys,
      given: { apiKeys: [...API_KEYS, { ...API_KEYS[3]!, id: 'ops', principal: 'human:ops', roles: ['operator'], sha256: createHash('sha256').update('ops-key').digest('hex') }] as never }, // prettier-ignore
    })
    const browser = world.browser()
    await browser.byKey('bob-key')
    const blocked = await world.fixture.post('/-/tokens/revoke', 'ops-key', { principal: 'human:bob', reason: 'left' })
    expect(blocked.status).toBe(200)
    expect((await browser.get('/-/console/api/approvals')).status).toBe(401)
    expect((await browser.byKey('bob-key'))['person']).toBeUndefined()
  })

  it('are listed, read and granted as the person of the session, and the agent goes on', async () => {
    const world = await startWorld(keys)
    const { id, call } = await asked(world)
    const browser = world.browser()
    await browser.byKey('bob-key')
    const list = (await browser.get('/-/console/api/approvals?status=pending')).body['approval_requests'] as unknown as { approval_request_id: string }[] // prettier-ignore
    expect(list.map((each) => each.approval_request_id)).toEqual([id])
    expect((await browser.get(path(id))).body).toMatchObject({ status: 'pending', context: { side_effect: { type: 'irreversible' } } }) // prettier-ignore
    const granted = await browser.post(path(id, '/approve'), { grant_type: 'one_time', reason: 'Fits the budget.' })
    expect([granted.status, granted.body['approver']]).toEqual([200, 'human:bob'])
    expect((await call('continue')).status).toBe(200)
    expect((await browser.get(path(id))).body).toMatchObject({ status: 'approved', reason: 'Fits the budget.' })
  })

  it('N10 take bodies at the expense of the person of the session, not of an address', async () => {
    const world = await startWorld({ ...keys, given: { limits: { bodyBytesInFlight: 400_000 } } })
    const { id } = await asked(world)
    const browser = world.browser()
    await browser.byKey('bob-key')
    const { bodies } = world.fixture.service
    const own = bodies.begin({ pool: 'reserved', root: 'human:bob', tokens: [] })
    expect(own.take(2_000)).toBe(true)
    const deny = async () => (await browser.post(path(id, '/deny'), { x: 'x'.repeat(3_000) })).status
    expect(await deny()).toBe(429)
    own.end()
    expect(await deny()).toBe(400)
  })

  it('are denied with a reason, and the second decision learns who was first', async () => {
    const world = await startWorld(keys)
    const { id } = await asked(world)
    const browser = world.browser()
    await browser.byKey('bob-key')
    expect((await browser.post(path(id, '/deny'), { reason: 'Too dear.' })).body).toMatchObject({ status: 'denied' })
    const second = await browser.post(path(id, '/approve'))
    expect([second.status, second.body['failure']?.['type']]).toEqual([409, 'approval_request_closed'])
    expect((await browser.get(path(id))).body).toMatchObject({ approver: 'human:bob', reason: 'Too dear.' })
  })

  it('are not decided by whom the service would not let decide, nor by somebody who has not signed in', async () => {
    const world = await startWorld(keys)
    const { id } = await asked(world)
    const own = world.browser()
    await own.byKey('ana-key')
    expect((await own.post(path(id, '/approve'))).body['failure']?.['type']).toBe('approver_not_authorized')
    const eve = world.browser()
    await eve.byKey('eve-key')
    expect((await eve.get(path(id))).status).toBe(404)
    expect((await eve.get('/-/console/api/approvals')).body['count']).toBe(0)
    expect((await world.browser().get(path(id))).status).toBe(401)
  })

  it('keep a session alive by decisions alone, not by what a page asks by itself', async () => {
    const world = await startWorld(keys)
    const browser = world.browser()
    await browser.byKey('bob-key')
    for (let minutes = 0; minutes < 40; minutes += 10) {
      await browser.get('/-/console/api/approvals')
      world.pass(10 * 60_000)
    }
    expect((await browser.get('/-/console/api/approvals')).status).toBe(401)
  })

  it('are told with what they and their steps do, and how long the session lasts', async () => {
    const trip = capability({
      kind: 'composed',
      composition: {
        authority_boundary: 'same_service',
        steps: [{ id: 'take', capability: 'book' }],
        input_mapping: { take: { hotel: '$.input.hotel' } },
        output_mapping: {},
        failure_policy: { child_clarification: 'propagate', child_denial: 'propagate', child_approval_required: 'propagate', child_error: 'fail_parent' },
        empty_result_policy: 'return_success_no_results',
        audit_policy: { record_child_invocations: true, parent_task_lineage: true },
      },
      inputs: [input('hotel')],
    }) // prettier-ignore
    const book = capability({ inputs: [input('hotel')], side_effect: { type: 'irreversible' } })
    const world = await startWorld({ ...keys, given: { capabilities: { search: capability(), book, trip } } })
    const browser = world.browser()
    await browser.byKey('bob-key')
    world.pass(20 * 60_000)
    const person = (await browser.me())['person'] as unknown as { readonly ends_in: number } | undefined
    expect(person).toMatchObject({ may_approve: ['trip'], effects: { trip: { type: 'read' }, book: { type: 'irreversible' } }, roles: [] }) // prettier-ignore
    expect(person?.ends_in).toBeLessThanOrEqual(12 * 3_600_000 - 20 * 60_000)
    expect(person?.ends_in).toBeGreaterThan(11 * 3_600_000)
  })

  it('of several, above an amount, are counted, and shown to those who have the scope of the tier', async () => {
    const policy = { allowed_grant_types: ['one_time'], default_grant_type: 'one_time', expires_in_seconds: 900, max_uses: 1 } as const // prettier-ignore
    const book = capability({
      inputs: [input('hotel')],
      side_effect: { type: 'irreversible' },
      cost: { certainty: 'fixed', financial: { currency: 'EUR', amount: 20_000 } },
      approval: { required: 'always', approvers: 2, tiers: [{ cost_above: 10_000, approver_scope: 'finance.approver' }], grant_policy: policy }, // prettier-ignore
    })
    const keyOf = (name: string) => ({ id: name, principal: `human:${name}`, sha256: createHash('sha256').update(`${name}-key`).digest('hex'), scopes: ['finance.approver'] }) // prettier-ignore
    const apiKeys = [...API_KEYS, keyOf('fay'), keyOf('flo')] as never
    const world = await startWorld({ ...keys, given: { capabilities: { book } as never, apiKeys } })
    const { id, call } = await asked(world)
    const [bob, fay, flo] = [world.browser(), world.browser(), world.browser()]
    await bob.byKey('bob-key')
    expect((await bob.get(path(id))).status).toBe(404)
    expect((await fay.byKey('fay-key'))['person']).toMatchObject({ may_approve: ['book'], tiers: ['finance.approver'] })
    const first = await fay.post(path(id, '/approve'), { grant_type: 'one_time' })
    expect([first.status, first.body['approvals'], first.body['approvals_needed']]).toEqual([202, 1, 2])
    await flo.byKey('flo-key')
    expect((await flo.get(path(id))).body).toMatchObject({
      approvals: 1,
      approvals_needed: 2,
      approver_scope: 'finance.approver',
      context: { approved_by: [{ approver: 'human:fay' }] },
    })
    expect((await flo.post(path(id, '/approve'), { grant_type: 'one_time' })).status).toBe(200)
    expect((await call('continue')).status).toBe(200)
  })
})
