/**
 * Calls while a long trail is searched, and the start of a service on it. ROWS=1000000 sets the length of the trail;
 * BENCH_POSTGRES=postgresql://… measures an empty PostgreSQL database, too.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { sealEntry } from '../../dist/runtime/storage/seal.js'
import { counterWatch } from '../../dist/runtime/lifecycle/counter-watch.js'
import { fetchHandler } from '../../dist/runtime/index.js'
import { openService } from '../invoke/open-service.js'

const ROWS = Number(process.env.ROWS ?? 100_000)
const SECONDS = Number(process.env.SECONDS ?? 5)
const CALLERS = 16
/** One entry of ten cost money, and one of a hundred thousand is of the task that is looked for. */
const draftOf = (n) => ({
  entry_type: 'invocation',
  invocation_id: `inv-f${n.toString(16).padStart(11, '0')}`,
  capability: 'search',
  actor_key: `agent:${n % 20}`,
  root_principal: 'human:bench',
  event_class: 'low_risk_success',
  success: true,
  failure_type: null,
  client_reference_id: null,
  task_id: n % 100_000 === 5 ? 'rare' : null,
  parent_invocation_id: null,
  upstream_service: null,
  approval_request_id: null,
  approval_grant_id: null,
  token_id: `tok_${n % 1000}`,
  delegation_chain: [`tok_${n % 1000}`],
  cost_actual: n % 10 === 0 ? { currency: 'EUR', amount: 1 } : null,
  parameters: { city: 'Oslo' },
  timestamp: new Date().toISOString(),
})

async function fill({ audit }) {
  for (let n = await audit.size(); n < ROWS; n += 1000)
    await audit.append(() => Array.from({ length: 1000 }, (_, k) => ({ draft: draftOf(n + k) })), sealEntry)
}

const quantiles = (times) => {
  times.sort((one, other) => one - other)
  return { p50: at(times, 0.5), p99: at(times, 0.99), most: at(times, 1) }
}
const at = (times, share) => Number(times[Math.min(times.length - 1, Math.floor(times.length * share))].toFixed(1))

/** What nobody meets, what one of a hundred thousand meets, and what has no index. */
const FILTERS = [
  'success=false',
  'task_id=rare',
  'event_class=high_risk_failure',
  'capability=search&success=false&task_id=rare',
]

async function measure(name, { service, storage }) {
  const started = performance.now()
  await fill(storage)
  const filled = performance.now() - started
  const fetch = fetchHandler(service)
  const ask = async (path, bearer, body) => {
    const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' }
    const response = await fetch(
      new Request(`http://127.0.0.1${path}`, { method: 'POST', headers, body: JSON.stringify(body) }),
    )
    const text = await response.text()
    if (response.status !== 200) throw new Error(`${response.status} ${text}`)
    return JSON.parse(text)
  }
  const { token } = await ask('/svc/tokens', 'bench-key', { scope: ['travel.search'] })
  const running = { over: false }
  const queries = []
  const search = async (filter) => {
    let cursor = ''
    while (!running.over) {
      const from = performance.now()
      const page = await ask(`/svc/audit?limit=100&${filter}${cursor}`, token, {})
      queries.push(performance.now() - from)
      cursor = page.next_cursor === undefined ? '' : `&cursor=${page.next_cursor}`
    }
  }
  const calls = async () => {
    const times = []
    const end = performance.now() + SECONDS * 1000
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    const caller = async () => {
      while (performance.now() < end) {
        const from = performance.now()
        await ask('/svc/invoke/search', token, { parameters: { city: 'Oslo' } })
        times.push(performance.now() - from)
      }
    }
    await Promise.all(Array.from({ length: CALLERS }, caller))
    delay.disable()
    return { calls: times.length, ...quantiles(times), stall: Math.round(delay.max / 1e6) }
  }
  const alone = await calls()
  const searching = FILTERS.map(search)
  const beside = await calls()
  running.over = true
  await Promise.all(searching)
  const from = performance.now()
  await counterWatch(service).compare()
  const compared = Math.round(performance.now() - from)
  console.log(`\n${name}, ${ROWS} entries (filled in ${Math.round(filled / 1000)} s)`)
  console.table({ alone, 'beside searches': beside })
  console.log(
    `searches: ${queries.length}, ms ${JSON.stringify(quantiles(queries))}; counters compared at a start: ${compared} ms`,
  )
  await service.close()
  await storage.close()
}

const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'))
const limits = { auditQueriesPerMinute: 1e9 }
await measure('SQLite', await openService(folder, { limits }))
if (process.env.BENCH_POSTGRES !== undefined)
  await measure('PostgreSQL', await openService(folder, { limits, kind: 'postgres' }))
rmSync(folder, { recursive: true })
