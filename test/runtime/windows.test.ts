/** How far back counters are compared, and what a credential may do with tokens that another one bought (threats N03, N08). */
import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { counterWatch } from '../../src/runtime/lifecycle/counter-watch.js'
import { capability } from './fixture/manifest.js'
import { API_KEYS, startFixture } from './fixture/service.js'
import { atMost, decision, draft, grantFor, iso, request, token } from './storage/examples.js'

const DAY = 24 * 3_600_000
const limits = (max_ttl_hours: number) => ({ max_delegation_depth: 3, default_ttl_hours: 2, max_ttl_hours })

it.each([
  ['as long as tokens may last', 30 * 24, 20, 1],
  ['a day longer than that', 30 * 24, 31, 1],
  ['for a week and a day at least', 24, 8, 1],
])('what was spent is compared %s: of %i h, %i days ago', async (_, hours, days, ended) => {
  const { service, storage, time } = await startFixture({ manifest: { limits: limits(hours) } })
  const record = token('tok_1')
  const constraints = { ...record.claims.constraints, budget: { currency: 'EUR', max_amount: 9, mode: 'cumulative' } } as const // prettier-ignore
  const exp = (time.now + 40 * DAY) / 1000
  await storage.tokens.insert({ ...record, claims: { ...record.claims, exp, constraints } })
  await service.record({ draft: draft({ timestamp: iso(time.now), cost_charged: { currency: 'EUR', amount: 5 } }) })
  time.now += days * DAY
  expect(await counterWatch(service).compare()).toBe(ended)
  expect(service.alarms.all()).toEqual(['counters_altered'])
})

it.each([
  ['as long as grants may last', 20, 1],
  ['and no longer than a day more', 32, 0],
])('how often a grant was used is compared %s: %i days ago', async (_, days, ended) => {
  const approval = { required: 'always', grant_policy: { allowed_grant_types: ['session_bound'], default_grant_type: 'session_bound', expires_in_seconds: 30 * 24 * 3600, max_uses: 3 } } as const // prettier-ignore
  const { service, storage, time } = await startFixture({ capabilities: { book: capability({ approval }) } })
  const asked = await request(storage, 'who', 40 * DAY)
  await storage.approvals.open(asked, atMost(9))
  const grant = await grantFor(storage, asked, 40 * DAY, 3)
  await storage.approvals.approve(grant, decision)
  const about = { capability: 'book', approval_grant_id: grant.grant_id, approval_request_id: asked.approval_request_id, timestamp: iso(time.now) } // prettier-ignore
  await service.record({ draft: draft({ ...about, entry_type: 'approval_granted', invocation_id: null }) })
  await service.record({ draft: draft(about) })
  time.now += days * DAY
  expect(await counterWatch(service).compare()).toBe(ended)
})

it('a credential hands on no more of its person’s token than it could buy', async () => {
  const narrow = { id: 'narrow', principal: 'human:ana', sha256: createHash('sha256').update('narrow-key').digest('hex'), scopes: ['travel.search'] } as const // prettier-ignore
  const capabilities = { search: capability(), book: capability({ minimum_scope: ['travel.book'] }) }
  const { root, post } = await startFixture({ capabilities, apiKeys: [...API_KEYS, narrow] })
  const { token_id } = await root({ scope: ['travel.search', 'travel.book'] })
  const child = (scope: string) => post('/svc/tokens', 'narrow-key', { parent_token: token_id, scope: [scope], subject: 'agent:a' }) // prettier-ignore
  expect((await child('travel.search')).status).toBe(200)
  expect((await child('travel.book')).body['failure']!['type']).toBe('scope_escalation')
})
