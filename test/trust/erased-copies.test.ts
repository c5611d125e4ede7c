/**
 * `svc audit erase` takes away what other tables hold of the entries (decisions, section 14: Erasure), on both stores.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Storage } from '../../src/runtime/storage/contract.js'
import { openPostgres } from '../../src/runtime/storage/postgres/index.js'
import { openSqlite } from '../../src/runtime/storage/sqlite/index.js'
import { capability, input } from '../runtime/fixture/manifest.js'
import { startFixture, type Fixture } from '../runtime/fixture/service.js'
import { startPostgres, type PostgresServer } from '../runtime/storage/postgres-server.js'
import { svc } from './command.js'

const SECRET = 'Miriam Okafor'
const grant_policy = {
  allowed_grant_types: ['one_time'],
  default_grant_type: 'one_time',
  expires_in_seconds: 3600,
  max_uses: 1,
} as const
const name = input('name')
const capabilities = {
  note: capability({ inputs: [name], output: { type: 'o', fields: [{ name: 'said', type: 'string' }] }, side_effect: { type: 'write' } }),
  book: capability({ inputs: [name], side_effect: { type: 'irreversible' }, approval: { required: 'always', grant_policy } }),
  trip: capability({
    kind: 'composed',
    inputs: [name],
    side_effect: { type: 'irreversible' },
    composition: {
      authority_boundary: 'same_service',
      steps: [{ id: 'first', capability: 'note' }, { id: 'then', capability: 'book' }],
      input_mapping: { first: { name: '$.input.name' }, then: { name: '$.input.name' } },
      output_mapping: {},
      failure_policy: { child_clarification: 'propagate', child_denial: 'propagate', child_approval_required: 'propagate', child_error: 'fail_parent' },
      empty_result_policy: 'deny',
      audit_policy: { record_child_invocations: true, parent_task_lineage: true },
    },
  }),
} // prettier-ignore

let server: PostgresServer
let folder = ''
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-copies-'))
  server = await startPostgres(['fsync=off'])
}, 60_000)
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true })
})

interface Subject {
  readonly database: string
  readonly open: () => Promise<Storage>
  /** Everything that the tables hold outside of tokens, as one text. */
  readonly dump: () => Promise<string>
}
const TABLES = ['approval_requests', 'approval_grants', 'idempotency', 'audit_entries', 'intents']

const sqlite = async (): Promise<Subject> => {
  const file = join(folder, 'trail.db')
  const dump = async () => {
    const driver = new Database(file)
    const all = TABLES.map((table) => driver.prepare(`select * from ${table}`).all())
    driver.close()
    return JSON.stringify(all)
  }
  return { database: file, open: () => openSqlite({ file }), dump }
}
const postgres = async (): Promise<Subject> => {
  const connectionString = await server.database('copies')
  const dump = async () => {
    const client = new pg.Client({ connectionString })
    await client.connect()
    const all = []
    for (const table of TABLES) all.push((await client.query(`select * from ${table}`)).rows)
    await client.end()
    return JSON.stringify(all)
  }
  return { database: connectionString, open: () => openPostgres({ connectionString, schema: 'migrate' }), dump }
}

it.each([
  ['SQLite', sqlite],
  ['PostgreSQL', postgres],
] as const)('what is erased on %s is erased in approval requests and in kept answers, and ends what was open', async (_, create) => {
  const subject = await create()
  const storage = await subject.open()
  const calls: string[] = []
  const handlers = {
    note: ({ name: said }: { name: string }) => (calls.push('note'), { said }),
    book: () => (calls.push('book'), {}),
  }
  const implementation = { previews: { book: ({ name: of }: { name: string }) => ({ shown: of }) } }
  const fixture: Fixture = await startFixture({ capabilities, storage, handlers, implementation, clock: Date.now })
  const { token } = await fixture.root()
  const parameters = { name: SECRET }
  const keyed = () => fixture.invoke('note', token, { parameters }, { 'Idempotency-Key': 'k-1' })
  expect((await keyed()).body['result']).toEqual({ said: SECRET })
  const ask = async (who: string) => {
    const reply = await fixture.invoke('book', token, { parameters: { name: `${SECRET} ${who}` } })
    return String(reply.body['failure']!['approval_request_id'])
  }
  const [open, given, denied] = [await ask('open'), await ask('given'), await ask('denied')]
  const granted = await fixture.post('/svc/approval_grants', 'bob-key', { approval_request_id: given, reason: `For ${SECRET}.` })
  await fixture.post(`/svc/approval_requests/${denied}/deny`, 'bob-key', { reason: `Not ${SECRET}.` })
  const halfway = await fixture.invoke('trip', token, { parameters: { name: `${SECRET} halfway` } })
  const asked = await storage.approvals.get(String(halfway.body['failure']!['approval_request_id']))
  expect([asked?.preview, asked?.progress]).toMatchObject([{ shown: `${SECRET} halfway` }, [{ output: { said: `${SECRET} halfway` } }]])
  expect(await subject.dump()).toContain(SECRET)

  const erased = await svc('audit', 'erase', '--database', subject.database, '--entries', `1-${await storage.audit.size()}`, '--reason', 'request DSR-7') // prettier-ignore
  expect(erased).toMatchObject({ code: 0 })
  expect(await subject.dump()).not.toContain(SECRET)
  expect((await keyed()).body['failure']).toMatchObject({ type: 'outcome_unknown', detail: expect.stringContaining('was erased') })
  expect((await fixture.invoke('note', token, { parameters: { name: 'x' } }, { 'Idempotency-Key': 'k-1' })).status).toBe(409)
  const book = await fixture.invoke('book', token, { parameters: { name: `${SECRET} given` }, approval_grant: granted.body['grant_id'] })
  expect(book.body['failure']).toMatchObject({ type: 'approval_grant_invalid', reason: 'revoked' })
  expect(calls).toEqual(['note', 'note'])
  const statuses = await Promise.all([open, given, denied].map(async (id) => (await storage.approvals.get(id))?.status))
  expect(statuses).toEqual(['withdrawn', 'approved', 'denied'])
  expect((await fixture.call('GET', `/svc/approval_requests/${open}`, { bearer: token })).body).toMatchObject({ requested_parameters: {} })
  expect((await fixture.call('GET', '/-/ready')).body['alarms']).toEqual([])
  await storage.close()
}) // prettier-ignore
