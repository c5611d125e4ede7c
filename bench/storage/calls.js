/**
 * The cost of a whole call (without HTTP) on an empty store, beside one that holds SIZE entries (a million), in turns: CPU µs, and the
 * ratio of neighbours. `node bench/storage/calls.js`
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sealEntry } from '../../dist/runtime/storage/seal.js'
import { tokenOf } from '../../dist/runtime/auth/token.js'
import { issueRootToken } from '../../dist/runtime/index.js'
import { begin } from '../../dist/runtime/call/invocation.js'
import { invoke } from '../../dist/runtime/call/invoke.js'
import { openService } from '../invoke/open-service.js'

const SIZE = Number(process.env.SIZE ?? 1_000_000)
const ROUNDS = Number(process.env.ROUNDS ?? 100)
const AT_ONCE = 64
const CALLS = 20 * AT_ONCE
const MOST_IN_A_BATCH = 5000

async function start() {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  const { service, storage } = await openService(folder)
  const { token } = await issueRootToken(service, { principal: 'human:bench' }, 'search', { scope: ['travel.search'] })
  const call = async () => {
    const request = { parameters: { city: 'Oslo' }, client_reference_id: 'ref-1' }
    return invoke(
      service,
      begin({ id: service.ids.invocation(), name: 'search', token: await tokenOf(service, token), request }),
    )
  }
  const run = async () => {
    const before = process.cpuUsage()
    for (let done = 0; done < CALLS; done += AT_ONCE) await Promise.all(Array.from({ length: AT_ONCE }, call))
    const { user, system } = process.cpuUsage(before)
    return (user + system) / CALLS
  }
  const close = async () => {
    await service.close()
    await storage.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return { service, storage, run, close }
}

/** Fills a store with what calls leave behind: a copy of an entry of its own under each new id. */
async function fill({ service, storage }) {
  const [{ sequence, ...draft }] = await storage.audit.query({
    rootPrincipal: 'human:bench',
    capability: 'search',
    limit: 1,
  })
  for (let stored = sequence; stored < SIZE; stored += MOST_IN_A_BATCH) {
    const batch = Array.from({ length: MOST_IN_A_BATCH }, () => ({
      draft: { ...draft, invocation_id: service.ids.invocation(), timestamp: new Date().toISOString() },
    }))
    await storage.audit.append(() => batch, sealEntry)
  }
}

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1]

const [empty, full] = [await start(), await start()]
for (const each of [empty, full, empty, full]) await each.run()
await fill(full)
for (const each of [empty, full]) await each.run()
const rounds = []
for (let round = 0; round < ROUNDS; round++) rounds.push([await empty.run(), await full.run()])
const rows = ['empty at first', `${await full.storage.audit.size()} entries`].map((store, at) => {
  const times = rounds.map((each) => each[at])
  return { store, min: Math.min(...times).toFixed(1), median: median(times).toFixed(1) }
})
console.table(rows)
console.log(
  `Ratio, median of ${ROUNDS} pairs: ${median(rounds.map(([first, second]) => second / first)).toFixed(3)} (aim: 1.1)`,
)
for (const each of [empty, full]) await each.close()
