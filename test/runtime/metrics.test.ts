import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import type { AuditDraft } from '../../src/protocol/audit.js'
import { metricFamilies } from '../../src/runtime/telemetry/metric-families.js'
import { serviceMetrics } from '../../src/runtime/telemetry/service-metrics.js'
import { capability } from './fixture/manifest.js'
import { API_KEYS, requestOf, startFixture, type Given } from './fixture/service.js'
import { draft } from './storage/examples.js'

const METRICS_KEY = { id: 'prometheus', principal: 'service:prometheus', roles: ['metrics'], sha256: createHash('sha256').update('metrics-key').digest('hex') } as const // prettier-ignore

const start = async (given: Given = {}) => {
  const fixture = await startFixture({ apiKeys: [...API_KEYS, METRICS_KEY], ...given })
  const scrape = async () => fixture.fetch(requestOf('GET', '/-/metrics', { bearer: 'metrics-key' }))
  return { ...fixture, scrape }
}

it('counts calls by capability and failure, spending and tokens; no label says who', async () => {
  const fail = (_: object, { fail: end }: { fail: (type: string, detail: string) => never }) => end('sold_out', 'Gone.')
  const { scrape, root, invoke, call } = await start({
    capabilities: {
      search: capability(),
      book: capability({ side_effect: { type: 'irreversible' }, cost: { certainty: 'fixed', financial: { currency: 'EUR', amount: 5 } } }),
      sell: capability({ extensions: { 'x-failures': { sold_out: 'None is left.' } } }),
    },
    handlers: { book: (_: object, { cost }: { cost: { report: (money: object) => void } }) => (cost.report({ currency: 'EUR', amount: 4.5 }), {}), sell: fail },
  }) // prettier-ignore
  const { token, token_id } = await root({ budget: { currency: 'EUR', max_amount: 9 } })
  for (const name of ['search', 'search', 'book', 'sell', 'none']) await invoke(name, token, { parameters: {} })
  await call('POST', '/svc/tokens', { bearer: 'wrong' })
  const response = await scrape()
  const text = await response.text()
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
  for (const line of [
    'svc_invocations_total{capability="search",outcome="success",failure_type=""} 2',
    'svc_invocations_total{capability="book",outcome="success",failure_type=""} 1',
    'svc_invocations_total{capability="sell",outcome="failure",failure_type="sold_out"} 1',
    'svc_invocations_total{capability="unknown",outcome="failure",failure_type="unknown_capability"} 1',
    'svc_invocation_duration_seconds_count{capability="search"} 2',
    'svc_invocation_duration_seconds_bucket{capability="search",le="+Inf"} 2',
    'svc_tokens_total{event="issued"} 1',
    'svc_spent_total{currency="EUR"} 4.5',
    'svc_refusals_total{operation="tokens",failure_type="authentication_required"} 1',
    'svc_store_up 1',
  ]) expect(text.split('\n')).toContain(line) // prettier-ignore
  for (const secret of ['human:ana', token_id, 'ana-key', token]) expect(text).not.toContain(secret)
  for (const line of text.split('\n'))
    expect(line).toMatch(/^(?:# (?:HELP|TYPE) \w+ .+|\w+(?:\{(?:\w+="(?:[^"\\\n]|\\.)*",?)*\})? [\d.e+-]+|)$/u)
}) // prettier-ignore

it('is open to the role metrics alone, and may be switched off', async () => {
  const { call, scrape, root } = await start()
  const { token } = await root()
  for (const bearer of ['ana-key', 'op-key', token])
    expect((await call('GET', '/-/metrics', { bearer })).body['failure']!['type']).toBe('insufficient_authority')
  expect((await call('GET', '/-/metrics')).status).toBe(401)
  expect((await scrape()).status).toBe(200)
  const off = await start({ metrics: false })
  expect([(await off.scrape()).status, off.service.metrics]).toEqual([404, undefined])
})

it('raises a gauge for each alarm', async () => {
  const { scrape, service } = await start()
  service.alarms.add('trail_altered')
  expect(await (await scrape()).text()).toContain('\nsvc_alarm{alarm="trail_altered"} 1\n')
})

it('takes no more label sets than it has room for, and escapes what a label says', () => {
  const families = metricFamilies()
  const counter = families.counter('c_total', 'Counts.', ['name'])
  for (let made = 0; made < 2_500; made++) counter.add([`n${made}`])
  expect(families.text([])).toContain('\nc_total{name="other"} 500')
  counter.add(['n0'])
  expect(families.text([])).toContain('\nc_total{name="n0"} 2\n')
  expect(families.text([])).toContain('\nc_total{name="n1999"} 1\nc_total{name="other"} 500')
  const other = metricFamilies()
  other.counter('d_total', 'Counts.', ['name']).add(['a"b\\c\nd'])
  expect(other.text([])).toBe('# HELP d_total Counts.\n# TYPE d_total counter\nd_total{name="a\\"b\\\\c\\nd"} 1\n')
})

const linesOf = async (response: Response) => (await response.text()).split('\n')

it('says how long approvals waited for who decided, and how many entries each commit had', async () => {
  const policy = { allowed_grant_types: ['one_time'], default_grant_type: 'one_time', expires_in_seconds: 900, max_uses: 1 } as const // prettier-ignore
  const book = capability({ side_effect: { type: 'irreversible' }, approval: { required: 'always', grant_policy: policy } }) // prettier-ignore
  const { scrape, root, invoke, post, time } = await start({ capabilities: { book } })
  const { token } = await root({ subject: 'agent:planner' })
  const asked = await invoke('book', token, { parameters: {} })
  const before = await linesOf(await scrape())
  const id = asked.body['failure']!['approval_request_id']
  time.now += 7_000
  await post('/svc/approval_grants', 'bob-key', { approval_request_id: id })
  const lines = await linesOf(await scrape())
  const count = (of: readonly string[], name: string) => Number(of.find((line) => line.startsWith(`${name} `))?.split(' ')[1]) // prettier-ignore
  expect(lines).toContain('svc_approval_decision_seconds_sum{capability="book"} 7')
  expect(lines).toContain('svc_approval_decision_seconds_count{capability="book"} 1')
  for (const name of ['svc_store_batch_entries_sum', 'svc_store_batch_entries_count', 'svc_store_commit_seconds_count'])
    expect([name, count(lines, name) - count(before, name)]).toEqual([name, 1])
})

it('says that the store is away, and nothing of the trail meanwhile', async () => {
  const { scrape, storage } = await start()
  const { size } = storage.audit
  Object.assign(storage.audit, { size: () => Promise.reject(new Error('no connection')) })
  const response = await scrape()
  expect(response.status).toBe(200)
  const lines = await linesOf(response)
  expect(lines).toContain('svc_store_up 0')
  expect(lines.filter((line) => /^svc_(?:trail|checkpoint)/u.test(line))).toEqual([])
  Object.assign(storage.audit, { size })
  expect(await linesOf(await scrape())).toContain('svc_trail_entries 0')
})

it.each([
  ['two entries that it does not cover', 1, ['svc_checkpoint_uncovered_entries 2', 'svc_checkpoint_lag_seconds 90']],
  ['every entry', 3, ['svc_checkpoint_uncovered_entries 0', 'svc_checkpoint_lag_seconds 0']],
  [
    'no entry, because there is none',
    undefined,
    ['svc_checkpoint_uncovered_entries 3', 'svc_checkpoint_lag_seconds 0'],
  ],
] as const)('measures how far checkpoints are behind, where the last has %s', async (_, entry_count, expected) => {
  const { scrape, service, storage, time } = await start()
  for (let n = 0; n < 3; n++) await service.record({ draft: draft() })
  const created_at = new Date(time.now - 90_000).toISOString()
  Object.assign(storage.checkpoints, { latest: async () => (entry_count === undefined ? undefined : { entry_count, created_at }) }) // prettier-ignore
  const lines = await linesOf(await scrape())
  for (const line of ['svc_trail_entries 3', ...expected]) expect(lines).toContain(line)
})

it('has no checkpoints to measure where the manifest promises none', async () => {
  const { scrape } = await start({ manifest: { trust: { level: 'signed' } } })
  expect((await linesOf(await scrape())).filter((line) => line.startsWith('svc_checkpoint'))).toEqual([])
})

it('says what waits, what is paused, and that the process ends', async () => {
  const { scrape, service } = await start()
  const gauges = async () => (await linesOf(await scrape())).filter((line) => /^svc_(?:up|draining|unrecorded_outcomes|paused_capabilities)\b/u.test(line)) // prettier-ignore
  expect(await gauges()).toEqual(['svc_up{service="flights"} 1', 'svc_draining 0', 'svc_unrecorded_outcomes 0', 'svc_paused_capabilities 0']) // prettier-ignore
  service.lifecycle.draining = true
  service.paused.add('search')
  service.unrecorded.push({ draft: draft() })
  expect(await gauges()).toEqual(['svc_up{service="flights"} 1', 'svc_draining 1', 'svc_unrecorded_outcomes 1', 'svc_paused_capabilities 1']) // prettier-ignore
})

it('counts what entries say, under names that callers do not make up', () => {
  const metrics = serviceMetrics(new Map([['book', {}]]), (type) => type === 'sold_out')
  const entry = (change: Partial<AuditDraft>) => metrics.recorded({ ...draft(), cost_actual: null, ...change })
  entry({ entry_type: 'token_revoked' })
  entry({ entry_type: 'approval_requested', capability: 'book' })
  entry({ entry_type: 'approval_given', capability: 'book' })
  entry({ entry_type: 'approval_granted', capability: 'book' })
  entry({ entry_type: 'approval_withdrawn', capability: 'book' })
  entry({ entry_type: 'approval_denied', capability: 'made_up' })
  entry({ entry_type: 'grant_revoked', capability: 'book' })
  entry({ entry_type: 'operator_action', operated: { name: 'tokens_revoked', target: {}, tokens: 3 } })
  entry({ capability: 'book', cost_actual: { currency: 'EUR', amount: 4 }, cost_exceeded: true })
  entry({ capability: 'book', cost_actual: { currency: 'USD', amount: 1 } })
  metrics.decided('book', 'approval_granted', 60_000)
  metrics.decided('book', 'approval_denied', 61_000)
  metrics.decided('book', 'approval_withdrawn', 1)
  metrics.committed(3, 4)
  metrics.refused('tokens', 'sold_out')
  metrics.refused('tokens', 'made_up')
  metrics.invoked('book', 'made_up', 25)
  metrics.invoked('made_up', undefined, 26)
  const lines = metrics.text([]).split('\n').filter((line) => !line.startsWith('#') && !/_bucket/u.test(line)) // prettier-ignore
  expect(lines).toEqual([
    'svc_invocations_total{capability="book",outcome="failure",failure_type="other"} 1',
    'svc_invocations_total{capability="unknown",outcome="success",failure_type=""} 1',
    'svc_invocation_duration_seconds_sum{capability="book"} 0.025',
    'svc_invocation_duration_seconds_count{capability="book"} 1',
    'svc_invocation_duration_seconds_sum{capability="unknown"} 0.026',
    'svc_invocation_duration_seconds_count{capability="unknown"} 1',
    'svc_tokens_total{event="revoked"} 1',
    'svc_tokens_ended_by_operators_total 3',
    'svc_approvals_total{capability="book",state="requested"} 1',
    'svc_approvals_total{capability="book",state="given"} 1',
    'svc_approvals_total{capability="book",state="approved"} 1',
    'svc_approvals_total{capability="book",state="withdrawn"} 1',
    'svc_approvals_total{capability="unknown",state="denied"} 1',
    'svc_approvals_total{capability="book",state="grant_revoked"} 1',
    'svc_approval_decision_seconds_sum{capability="book"} 121',
    'svc_approval_decision_seconds_count{capability="book"} 2',
    'svc_spent_total{currency="EUR"} 4',
    'svc_spent_total{currency="USD"} 1',
    'svc_cost_exceeded_total{capability="book"} 1',
    'svc_store_commit_seconds_sum 0.004',
    'svc_store_commit_seconds_count 1',
    'svc_store_batch_entries_sum 3',
    'svc_store_batch_entries_count 1',
    'svc_refusals_total{operation="tokens",failure_type="sold_out"} 1',
    'svc_refusals_total{operation="tokens",failure_type="other"} 1',
    '',
  ])
})

it('puts a value into the bucket that ends with it, and one above all into none but the last', () => {
  const families = metricFamilies()
  const histogram = families.histogram('h', 'Takes.', ['name'], [1, 5])
  for (const value of [0.5, 1, 1.5, 5, 6]) histogram.observe(['a'], value)
  expect(families.text([]).split('\n').slice(2)).toEqual([
    'h_bucket{name="a",le="1"} 2', 'h_bucket{name="a",le="5"} 4', 'h_bucket{name="a",le="+Inf"} 5', 'h_sum{name="a"} 14', 'h_count{name="a"} 5', '',
  ]) // prettier-ignore
})

it('has buckets for times from a millisecond, for decisions up to a day, and for batches', () => {
  const metrics = serviceMetrics(new Map([['book', {}]]), () => true)
  metrics.invoked('book', undefined, 1)
  metrics.decided('book', 'approval_granted', 1)
  metrics.committed(1, 1)
  const bounds = (name: string) => [...metrics.text([]).matchAll(new RegExp(`^${name}_bucket\\{.*le="([^"]+)"\\}`, 'gmu'))].map(([, le]) => le).join(' ') // prettier-ignore
  const seconds = '0.001 0.0025 0.005 0.01 0.025 0.05 0.1 0.25 0.5 1 2.5 5 10 30 +Inf'
  expect([bounds('svc_invocation_duration_seconds'), bounds('svc_store_commit_seconds')]).toEqual([seconds, seconds])
  expect(bounds('svc_approval_decision_seconds')).toBe('1 5 15 60 300 900 3600 14400 86400 +Inf')
  expect(bounds('svc_store_batch_entries')).toBe('1 2 4 8 16 32 64 128 256 +Inf')
})

it('counts the CPU time of the process in seconds', async () => {
  const { scrape } = await start()
  const seconds = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1e6
  const before = seconds(process.cpuUsage())
  const [, told] = /^process_cpu_seconds ([\d.]+)$/mu.exec(await (await scrape()).text())!
  expect(Number(told)).toBeGreaterThanOrEqual(before)
  expect(Number(told)).toBeLessThanOrEqual(seconds(process.cpuUsage()))
})
