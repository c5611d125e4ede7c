import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { metricFamilies } from '../../src/runtime/telemetry/metric-families.js'
import { capability } from './fixture/manifest.js'
import { API_KEYS, requestOf, startFixture, type Given } from './fixture/service.js'

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
  const other = metricFamilies()
  other.counter('d_total', 'Counts.', ['name']).add(['a"b\\c\nd'])
  expect(other.text([])).toBe('# HELP d_total Counts.\n# TYPE d_total counter\nd_total{name="a\\"b\\\\c\\nd"} 1\n')
})
