/** 72 hours of a service by a given clock, and a quiet week after them, on both stores; the minutes that it takes are for the work alone. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import pg from 'pg'
import Database from 'libsql'
import { generatePrivateJwk, signerFor, type KeyRing, type RingKey } from '../../src/crypto/keys/key-ring.js'
import { ringAt, storedKeyOf, type StoredKey } from '../../src/crypto/keys/stored-key.js'
import { judgeExport } from '../../src/crypto/trail/audit-export-judge.js'
import type { Checkpoint } from '../../src/protocol/audit.js'
import type { ServiceEvent } from '../../src/protocol/events.js'
import { exportLines } from '../../src/runtime/checkpoints/export.js'
import { maintain } from '../../src/runtime/lifecycle/maintenance.js'
import type { NotifyTarget } from '../../src/runtime/events/targets/target.js'
import type { Storage } from '../../src/runtime/storage/contract.js'
import { capability, input } from '../runtime/fixture/manifest.js'
import { startFixture, type Fixture } from '../runtime/fixture/service.js'
import { freshPostgres } from '../runtime/fixture/store.js'
import { openSqlite } from '../../src/runtime/storage/sqlite/index.js'
import { startPostgres, type PostgresServer } from '../runtime/storage/postgres-server.js'
import { simulatedTime, type SimulatedTime } from './simulated-time.js'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const HOURS = 72
const STEP = 30_000
const ROUND = 10 * MINUTE
/** A trail of so much load keeps some memory busy; what grows with time is more than this. */
const SLACK_BYTES = 12e6

const CAPABILITIES = {
  search: capability({ observability: { logged: true, retention: 'PT6H' } }),
  act: capability({ side_effect: { type: 'write' }, inputs: [input('note')] }),
  pay: capability({
    side_effect: { type: 'write' },
    cost: { certainty: 'fixed', financial: { currency: 'EUR', amount: 1 } },
  }),
  book: capability({
    side_effect: { type: 'irreversible' },
    inputs: [input('note')],
    minimum_scope: ['travel.search'],
    approval: {
      required: 'always',
      grant_policy: {
        allowed_grant_types: ['one_time'],
        default_grant_type: 'one_time',
        expires_in_seconds: 900,
        max_uses: 1,
      },
    },
  }),
} as const

const collectGarbage = ((): (() => void) => {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as () => void
})()

/** Keys of which one role after the other gets a new one, published two hours before it signs. */
class Keys {
  readonly now: () => number
  #stored: readonly StoredKey[]
  constructor(now: () => number) {
    this.now = now
    this.#stored = (['manifest', 'tokens', 'audit'] as const).map((role) => ({
      ...storedKeyOf(generatePrivateJwk(), role, now()),
      activeFrom: now(),
    }))
  }
  readonly ring = (): KeyRing => ({ ...ringAt(this.#stored, this.now()), reload: () => Promise.resolve(this.ring()) })
  rotate(role: 'tokens' | 'audit'): void {
    const at = this.now() + 2 * HOUR
    const old = this.#stored.map((key) =>
      key.role === role && key.retiredFrom === undefined
        ? { ...key, retiredFrom: at, ...(role === 'tokens' && { verifyUntil: at + DAY }) }
        : key,
    )
    this.#stored = [...old, { ...storedKeyOf(generatePrivateJwk(), role, this.now()), activeFrom: at }]
  }
  readonly all = (): readonly RingKey[] => this.ring().keys
}

interface World {
  readonly fixture: Fixture
  readonly time: SimulatedTime
  readonly keys: Keys
  readonly storage: Storage
  readonly effects: Map<string, number>
  readonly events: ServiceEvent[]
  /** Counts the rows that a statement gives as `n`. */
  count(sql: string): Promise<number>
  rest(): Promise<void>
}

interface Opened {
  readonly storage: Storage
  readonly follow: () => Promise<void>
  readonly count: (sql: string) => Promise<number>
}

async function start(open: (clock: () => number) => Promise<Opened>): Promise<World> {
  let opened: Opened | undefined
  const time = simulatedTime(Date.parse('2026-03-01T12:00:00.000Z'), async () => opened?.follow())
  opened = await open(time.now)
  const keys = new Keys(time.now)
  const effects = new Map<string, number>()
  const events: ServiceEvent[] = []
  const did = ({ note }: { readonly note: string }) => void effects.set(note, (effects.get(note) ?? 0) + 1)
  const effect = (given: { readonly note: string }) => (did(given), {})
  let attempts = 0
  const target: NotifyTarget = {
    name: 'ops',
    events: ['approval.requested', 'approval.decided', 'approval.expired', 'token.revoked', 'budget.threshold'],
    problems: [],
    // Each tenth attempt fails, so that some are sent again.
    deliver: async ({ event }) => {
      if (++attempts % 10 === 0) return { ok: false, error: 'status 503' }
      events.push(event)
      return { ok: true }
    },
  }
  const fixture = await startFixture({
    capabilities: CAPABILITIES,
    manifest: { approvals: { request_ttl: 'PT1H', denial_holds: 'PT10M', allow_agents: false, separation_of_duties: true } },
    handlers: { act: effect, book: effect },
    clock: time.now,
    storage: opened.storage,
    keys: keys.ring(),
    notify: [target],
    limits: { leaseMs: 4 * STEP },
  }) // prettier-ignore
  const rest = maintain(fixture.service, time)
  onTestFinished(rest)
  return { fixture, time, keys, storage: opened.storage, effects, events, count: opened.count, rest }
}

/** What ten minutes of use found that should not be. */
class Users {
  readonly wrong: string[] = []
  readonly keyed: { readonly key: string; readonly id: string; readonly at: number }[] = []
  readonly tokens: { readonly token: string; readonly at: number }[] = []
  readonly open: { readonly id: string; readonly at: number }[] = []
  seen = { expired: 0, repeated: 0, anew: 0, lapsed: 0, booked: 0, paid: 0, revoked: 0 }
  #round = 0

  readonly world: World

  constructor(world: World) {
    this.world = world
  }

  #wants(holds: boolean, said: string, reply?: unknown): void {
    if (!holds) this.wrong.push(`${new Date(this.world.time.now()).toISOString()} ${said} ${JSON.stringify(reply)}`)
  }

  async round(): Promise<void> {
    const { fixture, time } = this.world
    const n = this.#round++
    const now = time.now()
    if (n % 6 === 0)
      this.tokens.push({ token: (await fixture.root({ budget: { currency: 'EUR', max_amount: 10, mode: 'cumulative' } })).token, at: now }) // prettier-ignore
    const { token } = this.tokens.at(-1)!
    for (let i = 0; i < 4; i++) this.#wants((await fixture.invoke('search', token)).status === 200, 'no search')
    const paid = await fixture.invoke('pay', token)
    if (paid.status === 200) this.seen.paid++
    else this.#wants(paid.body['failure']!['type'] === 'budget_exceeded', 'no pay', paid.body)
    await this.#keyed(token, `note-${n}`, now)
    await this.#expired(now)
    await this.#approvals(token, n, now)
    if (n % 36 === 1) await this.#revokes()
  }

  async #keyed(token: string, note: string, now: number): Promise<void> {
    const { fixture } = this.world
    const call = (key: string) => fixture.invoke('act', token, { parameters: { note: key } }, { 'idempotency-key': key }) // prettier-ignore
    const { status, body } = await call(note)
    this.#wants(status === 200, 'no act', body)
    this.keyed.push({ key: note, id: body['invocation_id']!, at: now })
    const inTime = this.keyed.find(({ at }) => now - at > 23 * HOUR && now - at < 24 * HOUR - ROUND)
    if (inTime !== undefined) {
      this.seen.repeated++
      this.#wants((await call(inTime.key)).body['invocation_id'] === inTime.id, `${inTime.key} ran anew`)
    }
    const late = this.keyed.findIndex(({ at }) => now - at > 24 * HOUR)
    if (late === -1) return
    const [old] = this.keyed.splice(late, 1)
    this.seen.anew++
    const again = await call(old!.key)
    this.#wants(again.status === 200 && again.body['invocation_id'] !== old!.id, `${old!.key} did not run anew`, again.body) // prettier-ignore
  }

  async #expired(now: number): Promise<void> {
    const old = this.tokens.findIndex(({ at }) => now - at > 2 * HOUR + MINUTE)
    if (old === -1) return
    const { token } = this.tokens.splice(old, 1)[0]!
    const { body } = await this.world.fixture.invoke('search', token)
    this.seen.expired++
    this.#wants(body['failure']?.['type'] === 'token_expired', 'an old token serves', body)
  }

  /** One of three is approved and used, one left alone, one approved and left alone. */
  async #approvals(token: string, n: number, now: number): Promise<void> {
    const { fixture } = this.world
    const parameters = { note: `booking-${n}` }
    const { body } = await fixture.invoke('book', token, { parameters })
    const id = body['failure']?.['approval_request_id'] as string | undefined
    if (id === undefined) return this.#wants(false, 'no approval', body)
    if (n % 3 !== 1) {
      const { status } = await fixture.post('/svc/approval_grants', 'bob-key', { approval_request_id: id })
      this.#wants(status === 200, 'no grant')
    }
    if (n % 3 === 0) {
      this.seen.booked++
      const booked = await fixture.invoke('book', token, { parameters, approval: 'continue' })
      this.#wants(booked.status === 200, 'no booking', booked.body)
    } else this.open.push({ id, at: now })
    while (this.open[0] !== undefined && now - this.open[0].at > HOUR) {
      const { body: request } = await fixture.call('GET', `/svc/approval_requests/${this.open.shift()!.id}`, { bearer: 'bob-key' }) // prettier-ignore
      if (request['status'] === 'expired') this.seen.lapsed++
      else this.#wants(request['status'] === 'approved', 'an old request is open', request)
    }
  }

  async #revokes(): Promise<void> {
    const { fixture } = this.world
    const { token, token_id } = await fixture.root()
    await fixture.post('/svc/tokens/revoke', 'ana-key', { token_id })
    const { body } = await fixture.invoke('search', token)
    this.seen.revoked++
    this.#wants(body['failure']?.['type'] === 'token_revoked', 'a revoked token serves', body)
  }
}

async function checkpointsOf({ storage }: World): Promise<readonly Checkpoint[]> {
  return (await storage.checkpoints.list(1000)).toReversed()
}

async function verdictOf({ storage, keys, time }: World) {
  const audit = keys.all().filter(({ role }) => role === 'audit')
  const judging = judgeExport(audit)
  const request = {
    storage,
    signer: signerFor(keys.ring(), 'audit'),
    keys: audit.map(({ publicJwk }) => publicJwk),
    serviceId: 'flights',
    exportedAt: new Date(time.now()).toISOString(),
    from: 1,
  }
  for await (const line of exportLines(request)) judging.line(Buffer.from(line.trimEnd()))
  return judging.verdict(true)
}

const heapBytes = (): number => {
  collectGarbage()
  collectGarbage()
  return process.memoryUsage().heapUsed
}

const most = (numbers: readonly number[]): number => Math.max(...numbers)

let server: PostgresServer
let folder = ''
beforeAll(async () => {
  server = await startPostgres(['fsync=off'])
  folder = mkdtempSync(join(tmpdir(), 'svc-soak-'))
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

const onSqlite = async (clock: () => number): Promise<Opened> => {
  const file = join(folder, 'soak.db')
  const storage = await openSqlite({ file, clock })
  const look = new Database(file, { readonly: true })
  return {
    storage,
    follow: async () => undefined,
    count: async (sql) => (look.prepare(sql).get() as { n: number }).n,
  }
}

const onPostgres = async (clock: () => number): Promise<Opened> => {
  const { storage, follow, connectionString } = await freshPostgres(`postgresql://postgres@127.0.0.1:${server.port}`, clock) // prettier-ignore
  const client = new pg.Client({ connectionString })
  await client.connect()
  onTestFinished(() => client.end())
  return {
    storage,
    follow,
    count: async (sql) => Number((await client.query<{ n: string }>(sql)).rows[0]!.n),
  }
}

describe.each([
  ['SQLite', onSqlite],
  ['PostgreSQL', onPostgres],
])('on %s', (name, open) => {
  it('72 hours and a quiet week leave a trail that verifies, nothing overdue, nothing kept that is over, and no more memory', { timeout: 1_200_000 }, async () => {
    const began = Date.now()
    const world = await start(open)
    const { time, keys, storage, fixture, events } = world
    const users = new Users(world)
    const heaps: number[] = []
    const alarms = new Set<string>()
    for (let hour = 0; hour < HOURS; hour++) {
      for (let minutes = 0; minutes < HOUR; minutes += ROUND) {
        await users.round()
        await time.pass(ROUND, STEP)
        for (const alarm of fixture.service.alarms.all()) alarms.add(alarm)
      }
      if (hour % 12 === 5) keys.rotate(hour % 24 === 5 ? 'audit' : 'tokens')
      if (hour === 23 || hour === 47 || hour === HOURS - 1) heaps.push(heapBytes())
    }
    expect(users.wrong).toEqual([])
    expect([...alarms]).toEqual([])
    expect(fixture.logged.filter((line) => line.includes('failed') && !line.includes('ops'))).toEqual([])
    const { seen } = users
    for (const [what, times] of Object.entries(seen)) expect([what, times > 5]).toEqual([what, true])
    expect([...world.effects].filter(([note, count]) => count > (note.startsWith('note') ? 2 : 1))).toEqual([])
    // At the cadence: the hour, and what a step and a look are late.
    const dates = (await checkpointsOf(world)).map(({ created_at }) => Date.parse(created_at))
    expect(dates.length).toBeGreaterThan(HOURS - 3)
    expect(most(dates.slice(1).map((date, index) => date - dates[index]!))).toBeLessThan(HOUR + 5 * MINUTE)
    const signers = new Set((await checkpointsOf(world)).map(({ signature }) => Buffer.from(signature!.split('.')[0]!, 'base64url').toString())) // prettier-ignore
    expect(signers.size).toBe(4)
    // Retention: what is due goes within the hour, and what is not stays.
    const due = `select count(*) as n from audit_entries where text is not null and erasable_from < ${time.now() - HOUR - 5 * MINUTE}`
    expect(await world.count(due)).toBe(0)
    const erased = await world.count('select count(*) as n from audit_entries where text is null')
    expect(erased).toBeGreaterThan((HOURS - 8) * 24)
    expect(await world.count(`select count(*) as n from event_deliveries where state <> 'delivered'`)).toBeLessThan(3)
    expect(events.filter(({ type }) => type === 'approval.expired').length).toBeGreaterThan(HOURS - 3)
    expect(await world.count('select count(*) as n from intents')).toBe(0)
    const [afterOneDay, , atTheEnd] = heaps as [number, number, number]
    expect(atTheEnd - afterOneDay, `${heaps.join(' ')} bytes`).toBeLessThan(SLACK_BYTES)

    await time.pass(9 * DAY, 10 * MINUTE)
    for (const table of ['tokens', 'ledger', 'holds', 'approval_requests', 'approval_grants', 'idempotency', 'bindings', 'rates', 'event_deliveries'])
      expect([table, await world.count(`select count(*) as n from ${table}`)]).toEqual([table, 0])
    await world.rest()
    const verdict = await verdictOf(world)
    expect(verdict.findings).toEqual([])
    expect(verdict.entries).toBe(await storage.audit.size())
    expect([verdict.erased > erased, verdict.erasures > HOURS - 8]).toEqual([true, true])
    console.log(`${name}: ${verdict.entries} entries, ${verdict.erased} of them erased, ${verdict.checkpoints.length} checkpoints, heap ${heaps.map((bytes) => (bytes / 1e6).toFixed(1)).join(', ')} MB after 24, 48 and 72 h; ${Math.round((Date.now() - began) / 1000)} s`)
  }) // prettier-ignore
})
