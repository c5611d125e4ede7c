/**
 * The store alone, beside a bare SQLite, in one run: CPU time of an audit entry, and whether costs stay flat as the log grows.
 * SIZES=10000,100000,1000000 sets the sizes of the log; BENCH_POSTGRES=postgresql://… measures PostgreSQL, too.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { sealEntry } from '../../dist/runtime/storage/seal.js'
import { startRecorder } from '../../dist/runtime/audit/recorder.js'
import { startInvocationIds } from '../../dist/runtime/storage/invocation-ids.js'
import { openSqlite } from '../../dist/runtime/storage/sqlite/index.js'

const SIZES = (process.env.SIZES ?? '10000,100000').split(',').map(Number)
const AT_ONCE = 64
const ROUNDS = 200
const PRINCIPALS = 20

const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'))
const micro = (value) => Number(value.toFixed(1))

/** CPU µs and wall µs of one unit of work; the worst round in ms. */
async function measure(rounds, units, work) {
  const before = process.cpuUsage()
  const start = performance.now()
  const times = []
  for (let round = 0; round < rounds; round++) {
    const from = performance.now()
    await work(round)
    times.push(performance.now() - from)
  }
  const { user, system } = process.cpuUsage(before)
  times.sort((a, b) => a - b)
  const count = rounds * units
  return {
    cpu: micro((user + system) / count),
    wall: micro(((performance.now() - start) * 1000) / count),
    p50: micro(times[Math.floor(rounds / 2)]),
    p99: micro(times[Math.floor(rounds * 0.99)]),
  }
}

const draftOf = (ids, n) => ({
  entry_type: 'invocation',
  invocation_id: ids.next(),
  capability: 'search_flights',
  actor_key: `agent:${n % PRINCIPALS}`,
  root_principal: `human:${n % PRINCIPALS}`,
  event_class: 'low_risk_success',
  success: true,
  failure_type: null,
  client_reference_id: null,
  task_id: null,
  parent_invocation_id: null,
  upstream_service: null,
  approval_request_id: null,
  approval_grant_id: null,
  token_id: 'tok_abcdefghijklmnopqrstuvwx',
  delegation_chain: ['tok_abcdefghijklmnopqrstuvwx'],
  cost_actual: null,
  parameters: { city: 'Oslo' },
  timestamp: new Date().toISOString(),
})

/** What an entry costs at least: its text in one row, 64 rows a commit, nothing else. */
async function bareSqlite() {
  const database = new Database(join(folder, 'bare.db'))
  database.pragma('journal_mode = wal')
  database.pragma('synchronous = full')
  database.exec('create table entries (sequence integer primary key, text text)')
  const [begin, insert, commit] = ['begin immediate', 'insert into entries (text) values (?)', 'commit'].map((sql) =>
    database.prepare(sql),
  )
  const { text } = sealEntry(draftOf({ next: () => 'inv-000000000001' }, 1), 1)
  const result = await measure(ROUNDS, AT_ONCE, () => {
    begin.run([])
    for (let n = 0; n < AT_ONCE; n++) insert.run([text])
    commit.run([])
  })
  database.close()
  return result
}

async function grow(storage, ids, size) {
  const recorder = startRecorder({ storage })
  for (let left = size - (await storage.audit.size()); left > 0; left -= 1024)
    await Promise.all(
      Array.from({ length: Math.min(1024, left) }, (_, n) => recorder.record({ draft: draftOf(ids, n) })),
    )
}

async function measureStore(name, storage) {
  const ids = await startInvocationIds(storage)
  const recorder = startRecorder({ storage })
  const record = (n) => recorder.record({ draft: draftOf(ids, n) })
  const together = () => Promise.all(Array.from({ length: AT_ONCE }, (_, n) => record(n)))
  await together()
  const rows = []
  for (const size of [0, ...SIZES]) {
    await grow(storage, ids, size)
    const entry = await measure(ROUNDS, AT_ONCE, together)
    const single = await measure(ROUNDS, 1, record)
    const rare = { rootPrincipal: 'human:3', success: false, limit: 100 }
    const query = await measure(100, 1, () => storage.audit.query({ rootPrincipal: 'human:3', limit: 100 }))
    const nothing = await measure(100, 1, () => storage.audit.query(rare))
    const last = (await storage.audit.size()) - 1
    const proof = await measure(100, 1, () =>
      storage.audit.nodes(
        Array.from({ length: 20 }, (_, level) => ({
          level,
          index: Math.max(0, Math.floor(last / 2 ** level) - 1),
        })).filter(({ level, index }) => (index + 1) * 2 ** level <= last),
      ),
    )
    rows.push({
      store: name, entries: size, 'entry of 64, CPU µs': entry.cpu, 'entry of 64, wall µs': entry.wall, 'one commit, p50 ms': single.p50,
      'one commit, p99 ms': single.p99, 'query of 100, µs': query.wall, 'query of no failures, µs': nothing.wall, 'nodes of a proof, µs': proof.wall,
    }) // prettier-ignore
  }
  await storage.close()
  return rows
}

const bare = await bareSqlite()
console.log(`Bare SQLite, one row of text an entry, 64 a commit: ${bare.cpu} µs of CPU, ${bare.wall} µs in all`)
const rows = await measureStore('SQLite', await openSqlite({ file: join(folder, 'service.db') }))
if (process.env.BENCH_POSTGRES !== undefined) {
  const { openPostgres } = await import('../../dist/runtime/storage/postgres/index.js')
  const options = { connectionString: process.env.BENCH_POSTGRES, schema: 'migrate' }
  rows.push(...(await measureStore('PostgreSQL', await openPostgres(options))))
}
console.table(rows)
const [empty] = rows
const fullest = rows.findLast(({ store }) => store === 'SQLite')
const ratio = (one, other) => (one / other).toFixed(2)
console.log(
  `An entry costs ${ratio(empty['entry of 64, CPU µs'], bare.cpu)} times a bare row of SQLite, and at ${fullest.entries} entries ${ratio(fullest['entry of 64, CPU µs'], empty['entry of 64, CPU µs'])} times what it cost at none.`,
)
rmSync(folder, { recursive: true, force: true })
await import('./tokens.js')
