import { describe, expect, it } from 'vitest'
import { recordTallies } from '../../../src/runtime/audit/record-tallies.js'
import { refusalTally } from '../../../src/runtime/audit/refusal-tally.js'
import type { Service } from '../../../src/runtime/service.js'
import type { Settlement } from '../../../src/runtime/storage/contract.js'
import { startFixture } from '../fixture/service.js'

const AT = Date.parse('2026-03-01T12:00:00.000Z')

describe('refused calls without an entry of their own', () => {
  it('are counted by root principal and failure, since the first of them', () => {
    const times = [AT, AT + 1000]
    const tally = refusalTally(() => times.shift()!)
    tally.count('human:ana', 'invalid_parameters')
    tally.count('human:ana', 'scope_insufficient')
    tally.count('human:ana', 'invalid_parameters')
    tally.count('human:ben', 'rate_limited', 7)
    expect([...tally.take()]).toEqual([
      ['human:ana', { since: AT, byType: new Map([['invalid_parameters', 2], ['scope_insufficient', 1]]) }],
      ['human:ben', { since: AT + 1000, byType: new Map([['rate_limited', 7]]) }],
    ])
    expect([...tally.take()]).toEqual([])
  }) // prettier-ignore

  /** A service whose trail takes entries, or does not. */
  function serviceOf(record: (settlement: Settlement) => Promise<undefined>) {
    const tally = refusalTally(() => AT)
    const service = { refusalTally: tally, limits: { refusalRetentionMs: 5000 }, now: () => AT + 60_000, record }
    return { tally, service: service as unknown as Service }
  }

  it('share one entry of each root principal', async () => {
    const settlements: Settlement[] = []
    const { tally, service } = serviceOf(async (settlement) => void settlements.push(settlement))
    tally.count('human:ana', 'invalid_parameters', 2)
    tally.count('human:ana', 'scope_insufficient')
    tally.count('human:ben', 'invalid_parameters')
    await recordTallies(service)
    expect(settlements).toMatchObject([{ draft: { root_principal: 'human:ana' } }, { draft: { root_principal: 'human:ben' } }]) // prettier-ignore
    expect(settlements[0]).toStrictEqual({
      retentionMs: 5000,
      draft: {
        entry_type: 'refusals',
        invocation_id: null,
        capability: null,
        actor_key: 'human:ana',
        root_principal: 'human:ana',
        event_class: 'low_risk_failure',
        success: false,
        failure_type: 'rate_limited',
        client_reference_id: null,
        task_id: null,
        parent_invocation_id: null,
        upstream_service: null,
        approval_request_id: null,
        approval_grant_id: null,
        cost_actual: null,
        parameters: {},
        token_id: null,
        delegation_chain: [],
        refused: { since: '2026-03-01T12:00:00.000Z', count: 3, by_type: { invalid_parameters: 2, scope_insufficient: 1 } },
        detail: 'From 2026-03-01T12:00:00.000Z on, 3 calls were refused beyond the rate of entries; none of them has an entry of its own.',
        timestamp: '2026-03-01T12:01:00.000Z',
      },
    })
    await recordTallies(service)
    expect(settlements).toHaveLength(2)
  }) // prettier-ignore

  it('are those of a person beyond the rate, whichever of their agents made them; another person has a rate of their own', async () => {
    const { root, issued, invoke, service } = await startFixture({ limits: { refusalsPerMinute: 2 } })
    const tokens = [await root({ subject: 'agent:a' }), await root({ subject: 'agent:b' }), await root({ subject: 'agent:c' })]
    const types: unknown[] = []
    for (const { token } of tokens) types.push((await invoke('unknown', token)).body['failure']?.['type'])
    const eve = await issued('eve-key', { scope: ['travel.search'], subject: 'agent:a' })
    types.push((await invoke('unknown', eve.token)).body['failure']?.['type'])
    expect(types).toEqual(['unknown_capability', 'unknown_capability', 'rate_limited', 'unknown_capability'])
    expect([...service.refusalTally.take()].map(([who, { byType }]) => [who, [...byType]])).toEqual([['human:ana', [['unknown_capability', 1]]]])
  }) // prettier-ignore

  it('are counted again where the trail took no entry', async () => {
    const { tally, service } = serviceOf(async () => Promise.reject(new Error('The disk is full.')))
    tally.count('human:ana', 'invalid_parameters', 2)
    await expect(recordTallies(service)).rejects.toThrow('The disk is full.')
    tally.count('human:ana', 'invalid_parameters')
    expect([...tally.take()]).toEqual([['human:ana', { since: AT, byType: new Map([['invalid_parameters', 3]]) }]])
  })
})
