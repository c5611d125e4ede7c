/** The Merkle tree and its store at a million entries: from scratch, then appended checkpoints and proofs. `BENCH_ENTRIES` scales it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { canonicalText } from '../../dist/crypto/json/canonical.js'
import { generateRingKey } from '../../dist/crypto/keys/key-ring.js'
import { appendLeaves, leafHash, rootOf } from '../../dist/crypto/merkle/merkle.js'
import { checkpointDetail } from '../../dist/runtime/checkpoints/detail.js'
import { makeCheckpoint } from '../../dist/runtime/checkpoints/make.js'
import { openSqlite } from '../../dist/runtime/storage/sqlite/index.js'

const ENTRIES = Number(process.env.BENCH_ENTRIES ?? 1_000_000)
const ROUNDS = 200
const BATCH = 1000

const draftOf = (number) => ({
  entry_type: 'invocation',
  invocation_id: `inv-${number.toString(16).padStart(12, '0')}`,
  capability: 'search_flights',
  actor_key: 'agent:assistant',
  root_principal: 'human:ana@example.com',
  event_class: 'low_risk_success',
  success: true,
  failure_type: null,
  client_reference_id: null,
  task_id: null,
  parent_invocation_id: null,
  upstream_service: null,
  approval_request_id: null,
  approval_grant_id: null,
  token_id: 'tok_bench',
  delegation_chain: ['tok_bench'],
  cost_actual: null,
  parameters: {},
  timestamp: '2030-01-01T00:00:00.000Z',
})
const seal = (draft, sequence) => {
  const entry = { sequence, ...draft }
  const text = canonicalText(entry)
  return { entry, text, leafHash: leafHash(text) }
}

const ms = (since) => Number(process.hrtime.bigint() - since) / 1e6
const percentile = (times, share) =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))]
const row = (times, allowed) => ({
  'median ms': round(percentile(times, 0.5)),
  'p99 ms': round(percentile(times, 0.99)),
  'allowed ms': allowed,
})
const round = (value) => Math.round(value * 1000) / 1000

async function timed(rounds, work) {
  const times = []
  for (let number = 0; number < rounds; number++) {
    const since = process.hrtime.bigint()
    await work(number)
    times.push(ms(since))
  }
  return times
}

function fromScratch() {
  const texts = Array.from({ length: BATCH }, (_, index) => seal(draftOf(index), index + 1).text)
  const since = process.hrtime.bigint()
  let frontier = []
  for (let size = 0; size < ENTRIES; size += BATCH)
    frontier = appendLeaves(frontier, size, texts.map(leafHash)).frontier
  rootOf(frontier)
  return ms(since)
}

async function fill(storage, from, count) {
  for (let first = from; first < from + count; first += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, from + count - first) }, (_, index) => ({
      draft: draftOf(first + index),
    }))
    await storage.audit.append(() => batch, seal)
  }
}

const folder = mkdtempSync(join(tmpdir(), 'svc-bench-merkle-'))
try {
  const scratch = fromScratch()
  const storage = await openSqlite({ file: join(folder, 'trail.db') })
  const since = process.hrtime.bigint()
  await fill(storage, 1, ENTRIES)
  const filled = ms(since)
  const key = generateRingKey('audit', 'active')
  let [ids, size] = [0, ENTRIES]
  const dependencies = {
    storage,
    signer: () => key.signer,
    keys: () => [key],
    clock: () => 1_900_000_000_000,
    newId: () => `ckp_${++ids}`,
  }
  const first = await timed(1, () => makeCheckpoint(dependencies))
  const checkpoints = await timed(ROUNDS, async () => {
    await fill(storage, ++size, 1)
    await makeCheckpoint(dependencies)
  })
  const spread = (number) => Math.floor((number / ROUNDS) * ENTRIES)
  const inclusion = await timed(ROUNDS, (number) =>
    checkpointDetail(storage, `ckp_${ids}`, { leafIndex: spread(number) }),
  )
  const consistency = await timed(ROUNDS, (number) =>
    checkpointDetail(storage, `ckp_${ids}`, { consistencyFrom: `ckp_${(number % (ids - 1)) + 1}` }),
  )
  await storage.close()
  console.log(
    `Merkle tree over ${ENTRIES.toLocaleString('en')} entries; SQLite file, ${Math.round((filled / ENTRIES) * 1000)} µs to append one entry in batches of ${BATCH}`,
  )
  console.table({
    'tree from scratch': row([scratch], 5000),
    'first checkpoint': row(first, 50),
    'one entry and its checkpoint': row(checkpoints, 50),
    'inclusion proof': row(inclusion, 1),
    'consistency proof': row(consistency, 1),
  })
} finally {
  rmSync(folder, { recursive: true, force: true })
}
