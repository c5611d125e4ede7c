/** A manifest whose durations are the longest that its fields take: each counts as a thousand years. */
import { expect, it, onTestFinished } from 'vitest'
import { LONGEST_MS } from '../../src/protocol/durations.js'
import { capability, input, ONE_TIME } from './fixture/manifest.js'
import { startFixture, type Reading } from './fixture/service.js'

const LONGEST = 'P999999Y'
const HOURS = 1e10
/** The clock of the fixture, and a thousand years of 365 days. */
const IN_THOUSAND_YEARS = '3025-07-02T12:00:00.000Z'

async function start() {
  const fixture = await startFixture({
    capabilities: {
      quote: capability({ observability: { logged: true, retention: LONGEST } as never }),
      book: capability({
        inputs: [input('quote')],
        side_effect: { type: 'transactional', rollback_window: LONGEST, compensation: 'quote' } as never,
        requires_binding: [{ type: 'quote', field: 'quote', source_capability: 'quote', max_age: LONGEST }],
        approval: { required: 'always', grant_policy: { ...ONE_TIME, expires_in_seconds: Number.MAX_SAFE_INTEGER } },
      }),
    },
    handlers: {
      quote: async (_: object, { bindings }: { readonly bindings: { issue(of: object): Promise<string> } }) => {
        issued.push(await bindings.issue({ type: 'quote' }))
        return {}
      },
    },
    manifest: {
      trust: { level: 'anchored', anchoring: { cadence: LONGEST } } as never,
      limits: { max_delegation_depth: 3, default_ttl_hours: HOURS, max_ttl_hours: HOURS },
      approvals: { request_ttl: LONGEST, denial_holds: LONGEST, allow_agents: false, separation_of_duties: true },
    },
    limits: { manifestLifetimeMs: LONGEST_MS, idempotencyMs: LONGEST_MS, refusalRetentionMs: LONGEST_MS },
  })
  onTestFinished(() => fixture.service.close())
  return fixture
}

let issued: string[] = []

it('issues tokens, asks for approvals and grants them', async () => {
  issued = []
  const { root, invoke, post, call } = await start()
  const { token, expires_at } = await root({ subject: 'agent:planner' })
  expect(expires_at).toBe(IN_THOUSAND_YEARS)
  expect((await invoke('quote', token)).status).toBe(200)
  const asked = { parameters: { quote: issued[0] } }
  const { body } = await invoke('book', token, asked)
  const failure = body['failure'] as Reading
  expect(failure['type']).toBe('approval_required')
  const id = failure['approval_request_id']
  expect((await call('GET', `/svc/approval_requests/${id}`, { bearer: 'bob-key' })).body['expires_at']).toBe(
    IN_THOUSAND_YEARS,
  )
  const granted = await post('/svc/approval_grants', 'bob-key', { approval_request_id: id, grant_type: 'one_time' })
  expect([granted.status, granted.body['expires_at']]).toEqual([200, IN_THOUSAND_YEARS])
  const called = await invoke('book', token, { ...asked, approval_grant: granted.body['grant_id'] })
  expect([called.status, called.body['failure']]).toEqual([200, undefined])
})

it('holds a denial, and serves its manifest', async () => {
  issued = []
  const { root, invoke, post, call } = await start()
  const { token } = await root({ subject: 'agent:planner' })
  await invoke('quote', token)
  const asked = { parameters: { quote: issued[0] } }
  const first = (await invoke('book', token, asked)).body['failure'] as Reading
  await post(`/svc/approval_requests/${first['approval_request_id']}/deny`, 'bob-key', {})
  expect((await invoke('book', token, asked)).body['failure']?.['type']).toBe('approval_denied')
  const { status, body } = await call('GET', '/svc/manifest')
  expect([status, body['manifest_metadata']?.['expires_at']]).toEqual([200, IN_THOUSAND_YEARS])
})
