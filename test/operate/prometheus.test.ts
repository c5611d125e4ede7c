/** The alert rules and the dashboard that are shipped, in a real Prometheus that scrapes a running service. */
import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { serve, type Running } from '../../src/runtime/node.js'
import { API_KEYS, startFixture, type Fixture } from '../runtime/fixture/service.js'
import { freePort } from '../runtime/storage/postgres-server.js'
import { debianProgram } from './debian.js'

const MONITORING = resolve('templates/deploy/monitoring')
const folder = mkdtempSync(join(tmpdir(), 'svc-prometheus-'))
const METRICS_KEY = { id: 'prometheus', principal: 'service:prometheus', roles: ['metrics'], sha256: createHash('sha256').update('metrics-key').digest('hex') } as const // prettier-ignore

let fixture: Fixture
let running: Running
let prometheus: ReturnType<typeof spawn>
let port = 0

interface Answered {
  readonly status: string
  readonly data: {
    readonly result: readonly { readonly metric: { readonly [label: string]: string }; readonly value: readonly [number, string] }[]
    readonly groups: readonly { readonly rules: readonly { readonly name: string; readonly health: string; readonly state: string }[] }[]
  }
} // prettier-ignore

const api = async (path: string): Promise<Answered> =>
  (await (await fetch(`http://127.0.0.1:${port}/api/v1/${path}`)).json()) as Answered
const query = async (expr: string) => (await api(`query?query=${encodeURIComponent(expr)}`)).data.result
const rules = async () => (await api('rules')).data.groups.flatMap((group) => group.rules)

beforeAll(async () => {
  fixture = await startFixture({ clock: Date.now, apiKeys: [...API_KEYS, METRICS_KEY] })
  running = await serve(fixture.service, { port: 0 })
  port = await freePort()
  cpSync(MONITORING, folder, { recursive: true })
  const settings = readFileSync(join(folder, 'prometheus.yml'), 'utf8')
  writeFileSync(join(folder, 'prometheus.yml'), settings.replaceAll('15s', '1s').replace('127.0.0.1:4100', new URL(running.url).host)) // prettier-ignore
  writeFileSync(join(folder, 'metrics.key'), 'metrics-key')
  const args = [`--config.file=${join(folder, 'prometheus.yml')}`, `--storage.tsdb.path=${join(folder, 'data')}`, `--web.listen-address=127.0.0.1:${port}`] // prettier-ignore
  prometheus = spawn(debianProgram('prometheus', 'prometheus'), args, { stdio: 'ignore' })
  await vi.waitFor(async () => expect((await query('up'))[0]?.value[1]).toBe('1'), { timeout: 60_000, interval: 500 })
})

afterAll(async () => {
  prometheus.kill()
  await running.close()
  rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
})

it('takes the rules as they are', () => {
  const said = execFileSync(debianProgram('prometheus', 'promtool'), ['check', 'rules', join(MONITORING, 'alerts.yml')])
  expect(String(said)).toContain('SUCCESS: 10 rules found')
  execFileSync(debianProgram('prometheus', 'promtool'), ['check', 'config', join(folder, 'prometheus.yml')])
})

it('scrapes what the service counts', async () => {
  const { token } = await fixture.root()
  for (let call = 0; call < 5; call++) await fixture.invoke('search', token)
  await vi.waitFor(async () => {
    const [found] = await query('svc_invocations_total{capability="search",outcome="success"}')
    expect(found?.value[1]).toBe('5')
  }, { timeout: 10_000, interval: 500 }) // prettier-ignore
  expect((await query('svc_invocation_duration_seconds_count'))[0]?.value[1]).toBe('5')
})

it('evaluates each rule, and fires when an alarm is raised', async () => {
  await vi.waitFor(async () => {
    const found = await rules()
    expect(found).toHaveLength(10)
    expect(found.filter(({ health }) => health !== 'ok')).toEqual([])
  }, { timeout: 30_000, interval: 500 }) // prettier-ignore
  expect((await rules()).filter(({ state }) => state === 'firing')).toEqual([])
  fixture.service.alarms.add('trail_altered')
  await vi.waitFor(async () => {
    expect((await rules()).filter(({ state }) => state === 'firing').map(({ name }) => name)).toEqual(['SvcAlarm'])
  }, { timeout: 30_000, interval: 500 }) // prettier-ignore
})

it('answers each query of the dashboard', async () => {
  const { panels } = JSON.parse(readFileSync(join(MONITORING, 'dashboard.json'), 'utf8')) as {
    readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[]
  }
  const names = (await (await fetch(`http://127.0.0.1:${port}/api/v1/label/__name__/values`)).json()) as { readonly data: readonly string[] } // prettier-ignore
  const served = await fixture.call('GET', '/-/live').then(() => fixture.service.metrics!.text([]))
  for (const { expr } of panels.flatMap(({ targets }) => targets)) {
    expect([expr, (await api(`query?query=${encodeURIComponent(expr)}`)).status]).toEqual([expr, 'success'])
    for (const [name] of expr.matchAll(/\b(?:svc|process)_\w+/gu)) {
      const family = name.replace(/_(?:bucket|sum|count)$/u, '')
      const isKnown = names.data.includes(name) || served.includes(`# TYPE ${family} `) || GAUGES.includes(name)
      expect([name, isKnown]).toEqual([name, true])
    }
  }
})

/** Those that only some services have. */
const GAUGES = ['svc_checkpoint_lag_seconds']
