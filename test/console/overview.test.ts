import { describe, expect, it } from 'vitest'
import { barsOf, median, reasonsOf, totalOf, type Overview } from '../../src/console/app/pages/overview/figures.js'
import { capability } from '../runtime/fixture/manifest.js'
import { CAPABILITIES, startWorld } from './world.js'

const keys = { options: { development: true } }
const path = '/-/console/api/overview'

describe('the overview', () => {
  it('counts the trail that the person may read: calls, failures, spending, time to decision', async () => {
    const world = await startWorld(keys)
    const { token } = await world.fixture.root({ subject: 'agent:desk' })
    await world.fixture.invoke('search', token)
    const asked = await world.fixture.invoke('book', token, { parameters: { hotel: 'Aurora' } })
    await world.fixture.invoke('search', token, { parameters: { what: 1 } })
    const bob = world.browser()
    await bob.byKey('bob-key')
    await bob.post(`/-/console/api/approvals/${asked.body['failure']?.['approval_request_id']}/deny`, { reason: 'No' })
    const ana = world.browser()
    await ana.byKey('ana-key')
    const of = (await ana.get(path)).body as unknown as Overview
    const bars = barsOf(of)
    expect([totalOf(bars, 'calls'), totalOf(bars, 'refused'), totalOf(bars, 'failed')]).toEqual([3, 1, 0])
    expect(reasonsOf(of)).toEqual([['invalid_parameters', 1]])
    expect([of.is_whole, of.bars.length, of.spent]).toEqual([true, 24, []])
    const ofBob = (await bob.get(path)).body as unknown as Overview
    expect(totalOf(barsOf(ofBob), 'calls')).toBe(0)
    expect((await bob.get(`${path}?hours=0`)).status).toBe(400)
    expect((await world.browser().get(path)).status).toBe(401)
  })

  it('counts what a step cost within the whole, and how long a decision took', async () => {
    const cost = { certainty: 'fixed', financial: { currency: 'EUR', amount: 5 } } as const
    const trip = capability({
      kind: 'composed',
      cost,
      composition: {
        authority_boundary: 'same_service',
        steps: [{ id: 'find', capability: 'search' }],
        input_mapping: { find: {} },
        output_mapping: {},
        failure_policy: { child_clarification: 'propagate', child_denial: 'propagate', child_approval_required: 'propagate', child_error: 'fail_parent' },
        empty_result_policy: 'return_success_no_results',
        audit_policy: { record_child_invocations: true, parent_task_lineage: true },
      },
    }) // prettier-ignore
    const capabilities = { search: capability({ cost }), trip, book: CAPABILITIES.book }
    const world = await startWorld({ ...keys, given: { capabilities } })
    const budget = { currency: 'EUR', max_amount: 50 }
    const { token } = await world.fixture.root({ subject: 'agent:desk', budget })
    for (const name of ['search', 'trip']) expect((await world.fixture.invoke(name, token)).status).toBe(200)
    const asked = await world.fixture.invoke('book', token, { parameters: { hotel: 'Aurora' } })
    world.pass(90_000)
    const bob = world.browser()
    await bob.byKey('bob-key')
    await bob.post(`/-/console/api/approvals/${asked.body['failure']?.['approval_request_id']}/deny`, { reason: 'No' })
    const ana = world.browser()
    await ana.byKey('ana-key')
    const of = (await ana.get(path)).body as unknown as Overview
    expect(of.spent).toEqual([{ currency: 'EUR', amount: 10 }])
    expect(of.decided_in_ms.map((ms) => ms >= 90_000)).toEqual([true])
    world.pass(2 * 3_600_000)
    await ana.byKey('ana-key')
    const later = (await ana.get(`${path}?hours=1`)).body as unknown as Overview
    expect([totalOf(barsOf(later), 'calls'), later.spent, later.decided_in_ms]).toEqual([0, [], []])
    expect((await ana.get(`${path}?hours=168`)).status).toBe(200)
    expect((await ana.get(`${path}?hours=169`)).status).toBe(400)
  })

  it('takes the middle of the times', () => {
    expect([median([]), median([5]), median([1, 2]), median([1, 2, 9])]).toEqual([undefined, 5, 1, 2])
  })
})
