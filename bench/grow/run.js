/**
 * What one log costs across replicas on PostgreSQL: how many entries a second, how long the head's row is held for a batch, and what follows for more replicas
 * than this machine can run. BENCH_POSTGRES=postgresql://…/ names a server on which databases may be made; SECONDS=5 for each measurement.
 */
import pg from 'pg'
import { startRecorder } from '../../dist/runtime/audit/recorder.js'
import { openPostgres } from '../../dist/runtime/storage/postgres/index.js'
import { simulate } from './simulate.js'

const SERVER = process.env.BENCH_POSTGRES
const SECONDS = Number(process.env.SECONDS ?? 5)
/** Replicas, callers of each, and entries that are there before. */
const SCENES = [
  [1, 32, 0],
  [2, 1, 0],
  [2, 8, 0],
  [2, 32, 0],
  [2, 128, 0],
  [4, 32, 0],
  [8, 32, 0],
  [2, 32, 1e9],
]
const HASH_BYTES = 32

async function run() {
  const measured = []
  for (const [replicas, callers, size] of SCENES) measured.push(await measure(replicas, callers, size))
  console.table(measured.map(({ holds: _, ...row }) => row))
  const { fixedMs, entryMs } = fitOf(measured.filter(({ replicas }) => replicas === 2).flatMap(({ holds }) => holds))
  console.log(
    `The head is held for ${fixedMs.toFixed(2)} ms and ${(entryMs * 1000).toFixed(0)} µs for each entry of a batch (two replicas).`,
  )
  const rows = [1, 2, 5, 10, 20, 50, 100].flatMap((replicas) =>
    [200, 500, 1000, 2000, 5000].map((perSecond) => {
      const { meanMs, p99Ms, perSecond: done } = simulate({ replicas, perSecond, fixedMs, entryMs })
      return { replicas, asked: perSecond, done: Math.round(done), 'mean ms': round(meanMs), 'p99 ms': round(p99Ms) }
    }),
  )
  console.table(rows)
}

const round = (value) => Number(value.toFixed(1))
let databases = 0

async function measure(replicas, callers, size) {
  const name = `grow_${process.pid}_${++databases}`
  await administer(`create database ${name}`)
  const connectionString = `${SERVER.replace(/\/[^/]*$/u, '')}/${name}`
  const first = await openPostgres({ connectionString, schema: 'migrate', connections: 4 })
  if (size > 0) await pretend(connectionString, size)
  const stores = [
    first,
    ...(await Promise.all(
      Array.from({ length: replicas - 1 }, () => openPostgres({ connectionString, connections: 4 })),
    )),
  ]
  const holds = []
  let entries = 0
  const ends = performance.now() + SECONDS * 1000
  await Promise.all(
    stores.map(async (storage, replica) => {
      const recorder = startRecorder({ storage: { ...storage, audit: watched(storage.audit, holds) } })
      await Promise.all(
        Array.from({ length: callers }, async (_, caller) => {
          for (let n = 0; performance.now() < ends; n++) {
            await recorder.record({ draft: draftOf(`inv-${replica}-${caller}-${n}`) })
            entries++
          }
        }),
      )
    }),
  )
  await Promise.all(stores.map((storage) => storage.close()))
  await administer(`drop database ${name}`)
  const mean = (pick) => holds.reduce((total, each) => total + pick(each), 0) / holds.length
  return {
    replicas,
    'callers of each': callers,
    'entries before': size,
    'entries a second': Math.round(entries / SECONDS),
    'in a batch': round(mean(({ count }) => count)),
    'wait for the head ms': round(mean(({ waited }) => waited)),
    'held ms': round(mean(({ held }) => held)),
    holds,
  }
}

/** Notes how long each batch waited for the head, and held it until its commit was answered. */
const watched = (audit, holds) => ({
  ...audit,
  append: async (take, seal) => {
    const asked = performance.now()
    let taken = asked
    let count = 0
    const appended = await audit.append(() => {
      taken = performance.now()
      const batch = take()
      count = batch.length
      return batch
    }, seal)
    holds.push({ waited: taken - asked, held: performance.now() - taken, count })
    return appended
  },
})

/** A line through the times that the head was held, by the entries of a batch; never less than nothing. */
function fitOf(holds) {
  const n = holds.length
  const meanCount = holds.reduce((total, { count }) => total + count, 0) / n
  const meanHeld = holds.reduce((total, { held }) => total + held, 0) / n
  let [above, below] = [0, 0]
  for (const { count, held } of holds) {
    above += (count - meanCount) * (held - meanHeld)
    below += (count - meanCount) ** 2
  }
  const entryMs = Math.max(0, below === 0 ? 0 : above / below)
  return { fixedMs: Math.max(0.1, meanHeld - entryMs * meanCount), entryMs }
}

/** As if so many entries were there: appending reads the head alone, which holds a hash for each 1 of the size in binary. */
async function pretend(connectionString, size) {
  const ones = [...size.toString(2)].filter((digit) => digit === '1').length
  const client = new pg.Client({ connectionString })
  await client.connect()
  await client.query('update audit_head set size = $1, frontier = $2', [size, Buffer.alloc(ones * HASH_BYTES, 7)])
  await client.end()
}

async function administer(sql) {
  const client = new pg.Client({ connectionString: SERVER })
  await client.connect()
  await client.query(sql)
  await client.end()
}

const draftOf = (id) => ({
  entry_type: 'invocation',
  invocation_id: id,
  capability: 'search_flights',
  actor_key: 'agent:one',
  root_principal: 'human:one',
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

if (SERVER === undefined) {
  console.log('grow: needs BENCH_POSTGRES=postgresql://… of a server on which databases may be made.')
} else await run()
