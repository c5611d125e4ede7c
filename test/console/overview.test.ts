import { describe, expect, it } from 'vitest'
import { barsOf, median, reasonsOf, totalOf, type Overview } from '../../src/console/app/pages/overview/figures.js'
import { startWorld } from './world.js'

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

  it('takes the middle of the times', () => {
    expect([median([]), median([5]), median([1, 2]), median([1, 2, 9])]).toEqual([undefined, 5, 1, 2])
  })
})
