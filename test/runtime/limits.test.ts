/** Each limit of a service that a caller can meet: what it takes at the bound, and what it answers one beyond (decisions, section 9). */
import { expect, it } from 'vitest'
import type { RuntimeLimits } from '../../src/runtime/limits.js'
import { capability, input } from './fixture/manifest.js'
import { requestOf, startFixture, type Fixture, type Reply } from './fixture/service.js'

const policy = { allowed_grant_types: ['one_time'], default_grant_type: 'one_time', expires_in_seconds: 900, max_uses: 1 } as const // prettier-ignore
const capabilities = {
  search: capability({ response_modes: ['unary', 'streaming'] }),
  say: capability({
    inputs: [input('text')],
    output: { type: 'object', fields: [{ name: 'text', type: 'string' }] },
  }),
  book: capability({
    inputs: [input('hotel')],
    side_effect: { type: 'irreversible' },
    approval: { required: 'always', grant_policy: policy },
  }),
}
/** Ends the streams that are open. */
let letGo = (): void => undefined
const handlers = {
  search: (_: object, { progress }: { progress: (data: string) => Promise<void> }) => progress('begun').then(() => ({})), // prettier-ignore
  say: ({ text }: { text: string }) => (text === 'fail' ? undefined : { text }),
}
const endless = { ...handlers, search: () => new Promise((resolve) => (letGo = ((before) => () => (before(), resolve({})))(letGo))) } // prettier-ignore

const outcome = ({ status, body }: Reply): unknown => body['failure']?.['type'] ?? status
const times = async (count: number, ask: (turn: number) => Promise<Reply>) => {
  const outcomes: unknown[] = []
  for (let turn = 0; turn < count; turn++) outcomes.push(outcome(await ask(turn)))
  return outcomes
}
const asksToBook = async ({ invoke, root }: Fixture) => {
  const { token } = await root({ subject: 'agent:planner' })
  return times(3, (turn) => invoke('book', token, { parameters: { hotel: `Hotel ${turn}` } }))
}
const streams = async ({ fetch, root }: Fixture, body: object) => {
  const { token: bearer } = await root(body)
  const statuses: number[] = []
  for (let turn = 0; turn < 3; turn++)
    statuses.push((await fetch(requestOf('POST', '/svc/invoke/search', { bearer, body: { parameters: {}, stream: true } }))).status) // prettier-ignore
  letGo()
  return statuses
}
const SHORT = { handlerTimeoutMs: 10, streamTimeoutMs: 10 }

it.each<[string, Partial<RuntimeLimits>, (fixture: Fixture) => Promise<unknown>, unknown]>([
  ['jsonDepth', { jsonDepth: 3 }, ({ post }) => times(2, (turn) => post('/svc/tokens', 'ana-key', { scope: ['travel.search'], purpose_parameters: { a: { b: [1, {}][turn] } } })), [200, 'invalid_parameters']],
  ['scopesPerToken', { scopesPerToken: 2 }, ({ post }) => times(3, (turn) => post('/svc/tokens', 'ana-key', { scope: ['travel.search', 'a', 'b'].slice(0, turn + 1) })), [200, 'scope_escalation', 'invalid_parameters']],
  ['resultBytes', { resultBytes: 20 }, async ({ invoke, root }) => {
    const { token } = await root()
    return times(2, (turn) => invoke('say', token, { parameters: { text: 'x'.repeat(9 + turn) } }))
  }, [200, 'internal_error']],
  ['idempotencyMs', { ...SHORT, idempotencyMs: 1_000 }, async ({ invoke, root, time }) => {
    const { token } = await root()
    const replayed: (string | null)[] = []
    for (const passed of [0, 999, 1]) {
      time.now += passed
      replayed.push((await invoke('search', token, { parameters: {} }, { 'idempotency-key': 'k' })).headers.get('idempotency-replayed'))
    }
    return replayed
  }, [null, 'true', null]],
  ['manifestLifetimeMs', { manifestLifetimeMs: 1_000 }, async ({ call }) => {
    const { issued_at, expires_at } = (await call('GET', '/svc/manifest')).body['manifest_metadata']!
    return [issued_at, expires_at]
  }, ['2026-03-01T12:00:00.000Z', '2026-03-01T12:00:01.000Z']],
  ['tokensPerMinute', { tokensPerMinute: 2 }, ({ post }) => times(3, () => post('/svc/tokens', 'ana-key', { scope: ['travel.search'] })), [200, 200, 'rate_limited']],
  ['badCredentialsPerMinute', { badCredentialsPerMinute: 2 }, ({ post }) => times(3, () => post('/svc/tokens', 'no-key', { scope: ['travel.search'] })), ['authentication_required', 'authentication_required', 'rate_limited']],
  ['invocationsPerMinute', { invocationsPerMinute: 2 }, async ({ invoke, root }) => {
    const { token } = await root()
    return times(3, () => invoke('search', token))
  }, [200, 200, 'rate_limited']],
  ['refusalsPerMinute', { refusalsPerMinute: 2 }, async ({ invoke, root }) => {
    const { token } = await root()
    return times(3, () => invoke('unknown', token))
  }, ['unknown_capability', 'unknown_capability', 'rate_limited']],
  ['invocationsPerMinute, of each capability', { invocationsPerMinute: 1 }, async ({ invoke, root }) => {
    const { token } = await root()
    return [outcome(await invoke('search', token)), outcome(await invoke('say', token, { parameters: { text: 'x' } })), outcome(await invoke('say', token, { parameters: { text: 'x' } }))]
  }, [200, 200, 'rate_limited']],
  ['invocationsPerMinute, of each root principal with all who act for it', { invocationsPerMinute: 1 }, async ({ invoke, root, issued }) => {
    const { token } = await root({ subject: 'agent:a' })
    const eve = await issued('eve-key', { scope: ['travel.search'], subject: 'agent:a' })
    return [outcome(await invoke('search', token)), outcome(await invoke('search', eve.token)), outcome(await invoke('search', (await root({ subject: 'agent:b' })).token))]
  }, [200, 200, 'rate_limited']],
  ['refusalsPerMinute, but not of a call that failed once it had begun', { refusalsPerMinute: 1 }, async ({ invoke, root }) => {
    const { token } = await root()
    return times(3, () => invoke('say', token, { parameters: { text: 'fail' } }))
  }, ['internal_error', 'internal_error', 'internal_error']],
  ['auditQueriesPerMinute', { auditQueriesPerMinute: 2 }, async ({ post, root }) => {
    const { token } = await root()
    return times(3, () => post('/svc/audit', token))
  }, [200, 200, 'rate_limited']],
  ['approvalRequestsPerMinute', { approvalRequestsPerMinute: 2 }, asksToBook, ['approval_required', 'approval_required', 'rate_limited']],
  ['pendingApprovalsPerRequester', { pendingApprovalsPerRequester: 2 }, asksToBook, ['approval_required', 'approval_required', 'rate_limited']],
  ['pendingApprovalsPerChain', { pendingApprovalsPerChain: 2 }, asksToBook, ['approval_required', 'approval_required', 'rate_limited']],
  ['pendingApprovalsPerRoot', { pendingApprovalsPerRoot: 2 }, asksToBook, ['approval_required', 'approval_required', 'rate_limited']],
  ['streamsPerPrincipal', { streamsPerPrincipal: 2 }, (fixture) => streams(fixture, {}), [200, 200, 429]],
  ['streamsPerDelegate, but not of the principal itself', { streamsPerDelegate: 1 }, (fixture) => streams(fixture, {}), [200, 200, 200]],
  ['streamsPerDelegate', { streamsPerDelegate: 2 }, (fixture) => streams(fixture, { subject: 'agent:planner' }), [200, 200, 429]],
])('%s', async (name, limits, act, expected) => {
  const fixture = await startFixture({ capabilities, limits, handlers: name.startsWith('streams') ? endless : handlers })
  expect(await act(fixture)).toEqual(expected)
}) // prettier-ignore
