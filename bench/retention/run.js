/**
 * Retention of a long trail beside those who append: how long they wait for an append, alone, beside retention, and beside
 * the vacuum that follows it. Needs an empty PostgreSQL database, BENCH_POSTGRES=postgresql://…; ROWS=10000000 of them are due, PARTITION=1000000
 * has `svc migrate partition` done first. The entries are simulated: short texts, and zeros for hashes.
 */
import pg from 'pg'
import { erasureDraft } from '../../dist/crypto/trail/erasure.js'
import { sealEntry } from '../../dist/runtime/storage/seal.js'
import { openPostgres, openPostgresPartitions } from '../../dist/runtime/storage/postgres/index.js'

const ROWS = Number(process.env.ROWS ?? 100_000)
const PARTITION = Number(process.env.PARTITION ?? 0)
const ALONE_MS = Number(process.env.SECONDS ?? 10) * 1000
/** On one storage of this process; each has one append under way at a time. */
const WRITERS = 2
/** As `src/runtime/lifecycle/retention.ts` erases. */
const BATCH = 200

const url = process.env.BENCH_POSTGRES

async function measure() {
  await (await openPostgres({ connectionString: url, schema: 'migrate' })).close()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  if (PARTITION > 0) await partition()
  const filled = await timed(() => fill(client))
  console.log(`filled ${ROWS.toLocaleString('en')} rows in ${Math.round(filled / 1000)} s`)
  const [writing, erasing] = await Promise.all([open(), open()])
  await appends(writing, () => pause(1000))
  report('alone', await appends(writing, () => pause(ALONE_MS)))
  let erased = 0
  report('beside retention', await appends(writing, async () => (erased = await erase(erasing))))
  console.log(`erased ${erased.toLocaleString('en')} entries`)
  report('beside a vacuum', await appends(writing, () => client.query('vacuum audit_entries, audit_index')))
  await Promise.all([writing.close(), erasing.close(), client.end()])
}

const open = () => openPostgres({ connectionString: url })
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

async function timed(work) {
  const from = performance.now()
  await work()
  return performance.now() - from
}

async function partition() {
  const partitions = await openPostgresPartitions({ connectionString: url })
  await partitions.extend(PARTITION).finally(() => partitions.close())
}

/** All of it is due, and the newest entry confirms it. A partition after the other, where there are some. */
async function fill(client) {
  const now = Date.now()
  const part = PARTITION === 0 ? ROWS : PARTITION
  for (let to = Math.min(part, ROWS), from = 1; from <= ROWS; from = to + 1, to = Math.min(to + part, ROWS)) {
    await client.query(
      `insert into audit_entries
        select n, repeat('x', 200), decode(repeat('00', 32), 'hex'), $1::bigint from generate_series($2::bigint, $3::bigint) n`,
      [now - 1000, from, to],
    )
    await client.query(
      `insert into audit_index
        select n, 'inv-f' || lpad(to_hex(n), 11, '0'), $1::bigint, 'human:r' || n % 1000, 'c' || n % 20, 'low_risk_success', 1,
          null, null, null, null
        from generate_series($2::bigint, $3::bigint) n`,
      [now, from, to],
    )
    const hashes = to.toString(2).replaceAll('0', '').length
    await client.query('update audit_head set size = $1, frontier = $2', [to, Buffer.alloc(32 * hashes)])
    if (PARTITION > 0) await partition()
  }
  await client.query('analyze audit_index')
}

async function erase(storage) {
  const account = {
    draft: (erased, now) => erasureDraft('service:retention', erased, 'Due.', new Date(now).toISOString()),
    seal: sealEntry,
  }
  let erased = 0
  for (let batch = BATCH; batch === BATCH; erased += batch)
    batch = await storage.audit.erase({ due: await storage.now(), limit: BATCH, account })
  return erased
}

/** What each append took while something was done, in ms. */
async function appends({ audit }, work) {
  const times = []
  const stopped = new AbortController()
  const writer = async () => {
    while (!stopped.signal.aborted) times.push(await timed(() => audit.append(() => [{ draft: draftOf() }], sealEntry)))
  }
  const from = performance.now()
  const writing = Promise.all(Array.from({ length: WRITERS }, writer))
  await work()
  stopped.abort()
  await writing
  return { times: times.sort((one, other) => one - other), seconds: (performance.now() - from) / 1000 }
}

const draftOf = () => ({
  entry_type: 'invocation',
  invocation_id: null,
  capability: 'search',
  actor_key: 'agent:bench',
  root_principal: 'human:bench',
  event_class: 'low_risk_success',
  success: true,
  failure_type: null,
  client_reference_id: null,
  task_id: null,
  parent_invocation_id: null,
  upstream_service: null,
  approval_request_id: null,
  approval_grant_id: null,
  token_id: 'tok_1',
  delegation_chain: ['tok_1'],
  cost_actual: null,
  parameters: {},
  timestamp: new Date().toISOString(),
})

function report(name, { times, seconds }) {
  const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))].toFixed(1)
  console.log(
    `${name}: ${times.length} appends in ${Math.round(seconds)} s, p50 ${at(0.5)} ms, p99 ${at(0.99)}, most ${at(1)}`,
  )
}

if (url === undefined) console.log('retention: set BENCH_POSTGRES to an empty database.')
else await measure()
