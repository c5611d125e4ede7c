/** N08: counters of the database that somebody set back are not believed, at a start and while a service runs. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sha256Hex } from '../../src/crypto/json/digest.js'
import type { ApiKey } from '../../src/runtime/index.js'
import type { Storage } from '../../src/runtime/storage/contract.js'
import { openPostgres } from '../../src/runtime/storage/postgres/index.js'
import { openSqlite } from '../../src/runtime/storage/sqlite/index.js'
import { capability } from '../runtime/fixture/manifest.js'
import { startFixture, type Fixture, type Reply } from '../runtime/fixture/service.js'
import { startPostgres, type PostgresServer } from '../runtime/storage/postgres-server.js'

const financial = { currency: 'EUR', amount: 10 }
const grant_policy = {
  allowed_grant_types: ['one_time', 'session_bound'],
  default_grant_type: 'one_time',
  expires_in_seconds: 3600,
  max_uses: 3,
} as const
const capabilities = {
  act: capability({ cost: { certainty: 'fixed', financial }, side_effect: { type: 'write' } }),
  look: capability(),
  trip: capability({
    kind: 'composed',
    side_effect: { type: 'write' },
    composition: {
      authority_boundary: 'same_service',
      steps: [{ id: 'one', capability: 'act' }, { id: 'two', capability: 'act' }],
      input_mapping: {}, output_mapping: {}, empty_result_policy: 'fail',
      failure_policy: { child_clarification: 'propagate', child_denial: 'propagate', child_approval_required: 'propagate', child_error: 'fail_parent' },
      audit_policy: { record_child_invocations: true, parent_task_lineage: true },
    },
  } as never),
  book: capability({
    minimum_scope: ['travel.book'],
    side_effect: { type: 'irreversible' },
    approval: { required: 'always', grant_policy },
  }),
  rent: capability({
    minimum_scope: ['travel.book'],
    side_effect: { type: 'irreversible' },
    approval: { required: 'always', grant_policy: { ...grant_policy, expires_in_seconds: 30 * 24 * 3600 } },
  }),
} // prettier-ignore

const apiKeys: readonly ApiKey[] = [
  { id: 'ana', principal: 'human:ana', sha256: sha256Hex('ana-key') },
  { id: 'bob', principal: 'human:bob', sha256: sha256Hex('bob-key'), scopes: ['approver:book', 'approver:rent'] },
]
const POOL = { budget: { currency: 'EUR', max_amount: 45, mode: 'cumulative' } }
const SCOPES = { scope: ['travel.search', 'travel.book'] }

interface Subject {
  readonly open: () => Promise<Storage>
  /** What a writer of the database does. */
  readonly force: (sql: string) => Promise<void>
  /** What its owner does first, where a trigger is in the way. */
  readonly unguard: (trigger: string, table: string) => Promise<void>
}

let server: PostgresServer
let folder = ''
let made = 0
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-counters-'))
  server = await startPostgres(['fsync=off'])
}, 60_000)
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true })
})

const sqlite = async (): Promise<Subject> => {
  const file = join(folder, `${++made}.db`)
  const force = async (sql: string) => {
    const driver = new Database(file)
    driver.exec(sql)
    driver.close()
  }
  return { open: () => openSqlite({ file }), force, unguard: (trigger) => force(`drop trigger ${trigger}`) }
}
const postgres = async (): Promise<Subject> => {
  const connectionString = await server.database(`counters_${++made}`)
  const force = async (sql: string) => {
    const client = new pg.Client({ connectionString })
    await client.connect()
    await client.query(sql).finally(() => client.end())
  }
  const unguard = (trigger: string, table: string) => force(`drop trigger ${trigger} on ${table}`)
  return { open: () => openPostgres({ connectionString, schema: 'migrate' }), force, unguard }
}

const outcome = ({ status, body }: Reply) => `${status} ${String(body?.['failure']?.['type'] ?? '')}`.trim()

describe.each([
  ['SQLite', sqlite],
  ['PostgreSQL', postgres],
] as const)('N08 on %s', (_, create) => {
  let subject: Subject
  let opened: Storage[] = []
  beforeEach(async () => void (subject = await create()))
  afterEach(async () => {
    await Promise.all(opened.map((each) => each.close()))
    opened = []
  })
  const start = async (clock = Date.now) => {
    const storage = await subject.open()
    opened.push(storage)
    return startFixture({ capabilities, storage, apiKeys, clock })
  }
  const again = async (service: Fixture) => {
    await service.service.close()
    await opened.pop()!.close()
    return start()
  }
  const alarms = async ({ call }: Fixture) => (await call('GET', '/-/ready')).body['alarms']
  const failures = async ({ call, issued }: Fixture) => {
    const { token } = await issued('ana-key', { scope: ['travel.search'] })
    const reply = await call('POST', '/svc/audit', { bearer: token, body: {} })
    return (reply.body['entries'] as unknown as { entry_type: string; detail: string }[])
      .filter(({ entry_type }) => entry_type === 'integrity_failure')
      .map(({ detail }) => detail.replaceAll(/(tok|grt)_[\w-]+/gu, '$1_x'))
  }
  const approved = async (service: Fixture, terms: object, capability = 'book') => {
    const { token } = await service.issued('ana-key', { ...SCOPES, session_id: 's1' })
    const asked = await service.invoke(capability, token)
    const approval_request_id = asked.body['failure']!['approval_request_id']
    const granted = await service.post('/svc/approval_grants', 'bob-key', { approval_request_id, ...terms })
    const approval_grant = String(granted.body['grant_id'])
    return {
      token,
      book: (on: Fixture) => on.invoke(capability, token, { parameters: {}, approval_grant }),
      approval_grant,
    }
  }

  it.each([
    ['set to nothing', 'update ledger set spent = 0'],
    ['set below what was spent', 'update ledger set spent = 1999'],
    ['deleted', 'delete from ledger'],
  ])('the spending of a budget that was %s ends its token', async (__, sql) => {
    const first = await start()
    const { token } = await first.root(POOL)
    expect(outcome(await first.invoke('act', token))).toBe('200')
    expect(outcome(await first.invoke('trip', token))).toBe('200')
    expect(outcome(await first.invoke('trip', token))).toBe('403 budget_exceeded')
    await subject.force(sql)
    const next = await again(first)
    expect(outcome(await next.invoke('act', token))).toBe('401 token_revoked')
    expect(await alarms(next)).toEqual(['counters_altered'])
    expect(await failures(next)).toEqual([
      `Under the token tok_x 30 EUR were spent, and the database says ${sql.includes('1999') ? '19.99' : '0'}. It has ended.`,
    ])
  })

  it.each([
    ['every row', 'true'],
    ['the row in the middle', 'sequence = (select 1 + size / 2 from audit_head)'],
    ['the first row', 'sequence = 1'],
    ['the last row', 'sequence = (select size from audit_head)'],
  ])('the spending of a budget that was set back is found whole, also without %s of the index', async (__, rows) => {
    const first = await start()
    const { token } = await first.root(POOL)
    for (let call = 0; call < 4; call++) expect(outcome(await first.invoke('act', token))).toBe('200')
    await subject.force('update ledger set spent = 0')
    await subject.unguard('audit_index_is_kept', 'audit_index')
    await subject.force(`delete from audit_index where ${rows}`)
    expect(await failures(await again(first))).toEqual([
      'Under the token tok_x 40 EUR were spent, and the database says 0. It has ended.',
    ])
  })

  it('a service that runs finds it, too, and a later start knows it for ever', async () => {
    const first = await start()
    const { token } = await first.root(POOL)
    await first.invoke('act', token)
    expect(await first.service.counters.compare()).toBe(0)
    await subject.force('update ledger set spent = 0')
    expect(await first.service.counters.compare()).toBe(1)
    expect(await first.service.counters.compare()).toBe(0)
    expect(outcome(await first.invoke('act', token))).toBe('401 token_revoked')
    await subject.force('update tokens set revoked_at = null')
    const next = await again(first)
    expect(outcome(await next.invoke('act', token))).toBe('401 token_revoked')
    expect(await failures(next)).toEqual([
      'The token tok_x was revoked, and the database says that it stands. It has ended.',
      'Under the token tok_x 10 EUR were spent, and the database says 0. It has ended.',
    ])
  })

  it('a revocation that was taken back still holds, for what is below the token, too', async () => {
    const first = await start()
    const parent = await first.root()
    const child = await first.issued(parent.token, {
      scope: ['travel.search'],
      subject: 'agent:a',
      parent_token: parent.token_id,
    })
    expect(outcome(await first.invoke('look', child.token))).toBe('200')
    await first.post('/svc/tokens/revoke', 'ana-key', { token_id: parent.token_id })
    await subject.force('update tokens set revoked_at = null')
    const next = await again(first)
    expect(outcome(await next.invoke('look', child.token))).toBe('401 token_revoked')
    expect(await alarms(next)).toEqual(['counters_altered'])
  })

  it('a grant that lasts for a month is compared with the trail of a month', async () => {
    const first = await start()
    const { book } = await approved(first, { grant_type: 'session_bound', session_id: 's1', max_uses: 2 }, 'rent')
    expect(outcome(await book(first))).toBe('200')
    await subject.force('update approval_grants set uses = 0')
    await first.service.close()
    await opened.pop()!.close()
    const later = await start(() => Date.now() + 10 * 24 * 3600_000)
    expect(await alarms(later)).toContain('counters_altered')
  })

  it.each([
    ['one_time', { grant_type: 'one_time' }, 1],
    ['session_bound', { grant_type: 'session_bound', session_id: 's1', max_uses: 2 }, 2],
  ])('the uses of a %s grant that were set back end it', async (__, terms, uses) => {
    const first = await start()
    const { book } = await approved(first, terms)
    for (let use = 0; use < uses; use++) expect(outcome(await book(first))).toBe('200')
    await subject.force('update approval_grants set uses = 0, spent_by = null')
    const next = await again(first)
    expect(outcome(await book(next))).toBe('403 approval_grant_invalid')
    expect(await alarms(next)).toEqual(['counters_altered'])
    expect(await failures(next)).toEqual([
      `The grant grt_x was used ${uses} times, and the database says 0. It has ended.`,
    ])
    await subject.force('update approval_grants set uses = 0, revoked_at = null')
    const last = await again(next)
    expect(outcome(await book(last))).toBe('403 approval_grant_invalid')
  })

  it('a grant does not allow more uses than its signed text says, whatever its row does', async () => {
    const first = await start()
    const { book } = await approved(first, { grant_type: 'one_time' })
    expect(outcome(await book(first))).toBe('200')
    await subject.force('update approval_grants set max_uses = 9')
    expect(outcome(await book(first))).toBe('403 approval_grant_invalid')
  })

  it.each([
    ['taken back by its giver', async ({ post }: Fixture, id: string) => post(`/-/approval_grants/${id}/revoke`, 'bob-key')],
    ['withdrawn by its requester', async ({ post, storage }: Fixture, id: string) => {
      const { grant } = (await storage.approvals.grant(id))!
      return post(`/svc/approval_requests/${grant.approval_request_id}/withdraw`, 'ana-key')
    }],
  ] as const)('a grant that was %s stays so', async (__, end) => {
    const first = await start()
    const { book, approval_grant } = await approved(first, { grant_type: 'one_time' })
    expect((await end(first, approval_grant)).status).toBe(200)
    await subject.force('update approval_grants set revoked_at = null')
    const next = await again(first)
    expect(outcome(await book(next))).toBe('403 approval_grant_invalid')
    expect(await alarms(next)).toEqual(['counters_altered'])
  }) // prettier-ignore

  it('nothing is found where nobody set anything back', async () => {
    const first = await start()
    const { token } = await first.root(POOL)
    const { book } = await approved(first, { grant_type: 'one_time' })
    for (const name of ['act', 'trip', 'trip', 'look']) await first.invoke(name, token)
    await book(first)
    await book(first)
    const gone = await first.root()
    await first.post('/svc/tokens/revoke', 'ana-key', { token_id: gone.token_id })
    expect(await first.service.counters.compare()).toBe(0)
    const next = await again(first)
    expect(await alarms(next)).toEqual([])
    expect(outcome(await next.invoke('act', token))).toBe('200')
    expect(await next.service.counters.compare()).toBe(0)
  })
})
