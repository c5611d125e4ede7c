/**
 * N31: a writer of the database changes, empties and copies each column of each table, and deletes the rows of each
 * table. The list says what comes of it on SQLite; `npm test -- postgres` runs the same on PostgreSQL. The short form attacks each column and each table once; `FULL=1` in every way.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { attacked, attacksOn, foundIn, prepare, type Attack, type Plant, type Verdict } from './database-writer.js'
import { engineOf, type Schema } from './written-stores.js'

/**
 * Table -> column -> what comes of it when it is changed, emptied, and copied from another row: `r` refused, `n`
 * noticed, `-` without effect on what anybody may do or is shown. `deleted` is about the rows of the table.
 */
const LIST: { readonly [table: string]: { readonly [column: string]: string } } = {
  accounts: { deleted: 'n', returned: 'n', issuer: 'nn-', subject: 'nn-', principal: 'nrr', mac: 'nnn' },
  approval_grants: { deleted: 'r', returned: 'n', grant_id: 'rrr', approval_request_id: 'rrr', body: 'nrn', max_uses: '-r-', uses: 'rnn', expires_at: '-r-', spent_by: '---', spent_at: '---', revoked_at: 'rnr' },
  approval_requesters: { deleted: '-', returned: '-', subject: '---', root_principal: '---', opened: '---', touched_at: '---' },
  approval_requests: { deleted: 'n', returned: 'n', approval_request_id: 'nnr', capability: 'nn-', subject: 'nn-', root_principal: 'nn-', digest: 'nnn', body: 'nnn', created_at: '---', expires_at: '-r-', status: 'nnn', approver: 'nnn', answered_at: '---', decided_at: 'nnn', reason: 'nnn', session_id: 'r--', task_id: 'r--', credential: 'nnn', root_token_id: '---', decided_by: 'nnn', approvals: '---', approver_scope: '---', decided_mac: 'nnn' },
  approvals_given: { deleted: 'r', returned: '-', approval_request_id: 'rr-', approver: 'rr-', body: 'nr-', given_at: '---' },
  audit_entries: { deleted: 'r', returned: 'r', sequence: 'rrr', text: 'rrr', hashes: 'rrr', erasable_from: 'rrr' },
  audit_head: { deleted: 'n', returned: 'n', id: 'nn-', size: '-n-', frontier: 'nn-' },
  audit_index: { deleted: 'r', returned: 'r', sequence: 'rrr', invocation_id: 'rrr', recorded_at: 'rrr', root_principal: 'rrr', capability: 'rrr', event_class: 'rrr', success: 'rrr', client_reference_id: 'rrr', task_id: 'rrr', parent_invocation_id: 'rrr', approval_request_id: 'rrr' },
  bindings: { deleted: 'r', returned: 'r', binding_id: 'rrr', body: 'nrn', expires_at: '---' },
  blocks: { deleted: 'n', returned: 'n', block_id: 'nnr', kind: 'nnn', value: 'nnn', reason: 'nn-', created_by: 'nn-', created_at: 'nn-', lifted_by: '---', lifted_at: 'n--', mac: 'nnn' },
  checkpoints: { deleted: 'r', returned: 'r', sequence: 'rrr', checkpoint_id: 'rrr', entry_count: 'rrr', body: 'rrr' },
  connections: { deleted: 'r', returned: 'n', connection_id: 'nnr', person: 'rrr', upstream: 'rr-', revision: 'nn-', body: 'nrn', state: 'nnn', ended_because: '---', renewing_by: '---', renewing_at: '---', wanted: '---', last_used_at: '---', last_used_by: '---' },
  console_sessions: { deleted: 'r', returned: 'r', hash: 'rrr', principal: 'nn-', api_key: 'r--', credential: 'nr-', entitled: 'nrn', began_at: '---', idle_at: '-r-', expires_at: '-r-' },
  event_deliveries: { deleted: '-', returned: '-', sequence: '-rr', event_id: 'nrr', target: '---', type: '---', subject: '---', body: 'nnn', state: '---', attempts: '---', queued_at: '---', due_at: '---', ended_at: '---', expires_at: '---', last_error: '---' },
  holds: { deleted: '-', returned: '-', hold_id: '---', token_id: '---', position: '---', units: '---' },
  idempotency: { deleted: '-', returned: '-', subject: '---', capability: '---', idempotency_key: '---', digest: 'rr-', invocation_id: '---', expires_at: '---', claimed_at: '---', status: 'nr-', body: 'nr-' },
  intents: { deleted: '-', returned: '-', invocation_id: '---', owner: '---', body: '---', started_at: '---' },
  invocation_blocks: { deleted: '-', returned: '-', id: '---', given: '---' },
  leases: { deleted: '-', returned: '-', lease_key: '--r', owner: '---', expires_at: '---' },
  ledger: { deleted: 'n', returned: 'n', token_id: 'nnr', spent: '-nn' },
  paused_capabilities: { deleted: 'n', returned: 'n', capability: 'nnr', reason: 'nn-', paused_by: 'nn-', paused_at: 'nn-', mac: 'nnn' },
  rates: { deleted: '-', returned: '-', name: '--r', spacing: '---', asked_at: '---', given: '---', full_at: '---' },
  readiness: { deleted: '-', returned: '-', id: '--r', touched_at: '---', service_id: '---' },
  resolutions: { deleted: 'n', returned: 'n', invocation_id: 'nn-', resolved_at: '---', mac: 'nn-' },
  schema_migrations: { deleted: '-', returned: '-', version: '--r', name: '---', checksum: '---', applied_at: '---', readable_from: '---' },
  secrets: { deleted: 'r', returned: 'r', name: 'rrr', value: 'nnn', made_at: '---' },
  tokens: { deleted: 'r', returned: 'n', token_id: 'rrr', parent_token_id: 'nnn', depth: 'nnn', claims: 'nrn', expires_at: 'nn-', revoked_at: 'rnn', credential: '---' },
} // prettier-ignore

const LETTERS = { refused: 'r', noticed: 'n', 'without effect': '-' } as const
const WAYS = ['changed', 'emptied', 'copied'] as const
const IS_WHOLE = process.env['FULL'] === '1'

/** What the list says of an attack; undefined where it has no such row. */
function listed({ at, how }: Attack): string | undefined {
  const [table = '', column] = at.split('.')
  const row = Object.hasOwn(LIST, table) ? LIST[table]! : {}
  if (column === undefined) return row[how]
  return Object.hasOwn(row, column) ? row[column]![WAYS.indexOf(how as 'changed')] : undefined
}

/** Columns and tables that the list lacks, or has too many. */
function unlisted(schema: Schema): readonly string[] {
  const attacks = attacksOn(schema, engine.sql)
  const known = new Set(attacks.map(({ at }) => at))
  const rows = Object.entries(LIST).flatMap(([table, columns]) =>
    Object.keys(columns).map((column) =>
      column === 'deleted' || column === 'returned' ? table : `${table}.${column}`,
    ),
  )
  return [
    ...new Set(
      attacks.filter((each) => listed(each) === undefined).map(({ at }) => `${at} has no attack in the list.`),
    ),
    ...rows.filter((at) => !known.has(at)).map((at) => `${at} is not in the schema.`),
  ]
}

/** Each column and each table once, in turns of the ways. */
const oncePerRow = (attacks: readonly Attack[]): readonly Attack[] =>
  [...new Set(attacks.map(({ at }) => at))].map((row, index) => {
    const ways = attacks.filter(({ at }) => at === row)
    return ways[index % ways.length]!
  })

const engine = engineOf()
let given: Parameters<typeof attacked>[0]
let schema: Schema
beforeAll(async () => {
  const facts = await prepare(await engine.open(), engine.remember)
  schema = await engine.schema()
  const prepared = { copied: engine.copied, facts }
  given = { ...prepared, right: await foundIn(prepared) }
}, 60_000)
afterAll(() => engine.end())

describe('N31: a writer of the database', () => {
  it('meets an attack in each column of each table', () => {
    expect(unlisted(schema)).toEqual([])
  })

  it('gets nothing by any of them', { timeout: IS_WHOLE ? 3_600_000 : 600_000 }, async () => {
    const attacks = attacksOn(schema, engine.sql)
    const counts: { [verdict: string]: number } = {}
    const wrong: string[] = []
    for (const attack of IS_WHOLE ? attacks : oncePerRow(attacks)) {
      const verdict = await attacked(given, attack)
      counts[verdict] = (counts[verdict] ?? 0) + 1
      if (!isExpected(verdict, attack)) wrong.push(`${attack.at} ${attack.how}: ${verdict}`)
    }
    process.stdout.write(`database writer on ${engine.name}: ${Object.entries(counts).map(([verdict, count]) => `${count} ${verdict}`).join(', ')}\n`) // prettier-ignore
    expect(wrong).toEqual([])
  })
})

/** The list is of SQLite. PostgreSQL has types that refuse some of it, and so is held to no hole. */
const isExpected = (verdict: Verdict, attack: Attack): boolean =>
  engine.name === 'SQLite' ? letterOf(verdict) === listed(attack) : letterOf(verdict) !== undefined

const letterOf = (verdict: Verdict): string | undefined =>
  verdict.startsWith('hole') ? undefined : LETTERS[verdict as keyof typeof LETTERS]

describe('the harness finds a planted hole', () => {
  const found = (at: string, way: Attack['how'], plant: Plant): Promise<Verdict> =>
    attacked(
      given,
      attacksOn(schema, engine.sql).find((each) => each.at === at && each.how === way)!,
      plant,
    )

  it('sessions that are believed', async () => {
    const plant: Plant = ({ storage }, beneath) => Object.assign(storage.sessions, { look: beneath.sessions.look })
    expect(await found('console_sessions.principal', 'changed', plant)).toBe('hole: a session: ["xhuman:ana",[],null]')
  })

  it('requests that are believed', async () => {
    const plant: Plant = ({ storage }, beneath) => Object.assign(storage.approvals, { get: beneath.approvals.get })
    const sql = `update approval_requests set body = replace(body, '"amount":230', '"amount":101')`
    const attack = { at: 'approval_requests.body', how: 'changed', sql } as const
    expect(await attacked(given, attack, plant)).toBe(
      'hole: the approver reads what was asked: 200 {"amount":101} human:ana',
    )
    expect(await attacked(given, attack)).toBe('noticed')
  })

  it('blocks that are not compared with the trail', async () => {
    const plant: Plant = ({ counters }) => Object.assign(counters, { compare: async () => 0 })
    expect(await found('blocks', 'deleted', plant)).toBe('hole: the blocked principal buys: 200')
  })

  it('a column and a table that nobody thought of', () => {
    const wider = new Map([
      ...schema,
      ['tokens', [{ name: 'trusted', type: 'text', isRequired: false }]],
      ['friends', []],
    ])
    expect(unlisted(wider).slice(0, 2)).toEqual(['friends has no attack in the list.', 'tokens.trusted has no attack in the list.'].toReversed()) // prettier-ignore
  })
})
