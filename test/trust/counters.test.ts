import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { expect, it } from 'vitest'
import { judgeExport } from '../../src/crypto/trail/audit-export-judge.js'
import { counters } from '../../src/crypto/trail/counters.js'
import { exportLines } from '../../src/runtime/checkpoints/export.js'
import { makeCheckpoint } from '../../src/runtime/checkpoints/make.js'
import type { JsonObject } from '../../src/protocol/manifest.js'
import { capability } from '../runtime/fixture/manifest.js'
import { KEYS, startFixture } from '../runtime/fixture/service.js'

const AUDIT = KEYS.keys[2]!

it('N08, M6: a counter that was set back in the database shows in the trail, and nothing else does', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-counters-'))
  const file = join(folder, 'service.db')
  const cost = { certainty: 'fixed', financial: { currency: 'EUR', amount: 10 } } as const
  const { root, invoke, storage, time } = await startFixture({ file, capabilities: { act: capability({ cost, side_effect: { type: 'write' } }) } })
  const { token } = await root({ budget: { currency: 'EUR', max_amount: 25, mode: 'cumulative' } })
  const call = async () => (await invoke('act', token)).status
  expect([await call(), await call(), await call()]).toEqual([200, 200, 403])
  const verdict = async () => {
    await makeCheckpoint({ storage, signer: () => AUDIT.signer!, keys: () => [AUDIT], clock: () => time.now, newId: () => `ckp_${Math.random()}` })
    const judging = judgeExport([AUDIT])
    const request = { storage, signer: AUDIT.signer!, keys: [AUDIT.publicJwk], serviceId: 'flights', exportedAt: '2026-03-01T12:00:00.000Z', from: 1 }
    for await (const line of exportLines(request)) judging.line(Buffer.from(line.trimEnd()))
    return judging.verdict(true).findings
  }
  expect(await verdict()).toEqual([])
  const driver = new Database(file)
  driver.exec('update ledger set spent = 0')
  driver.close()
  expect(await call()).toBe(200)
  const [{ sequence, message } = {}] = await verdict()
  expect(sequence).toBe((await storage.audit.size()))
  expect(message).toMatch(/^Entry \d+ should not be: the cumulative budget of the token tok_\S+ was exceeded\.$/u)
  rmSync(folder, { recursive: true })
}) // prettier-ignore

const call = (more: JsonObject = {}): JsonObject => ({
  entry_type: 'invocation', invocation_id: 'inv-1', capability: 'book', success: true, failure_type: null, delegation_chain: ['tok_r', 'tok_c'],
  approval_grant_id: null, parent_invocation_id: null, cost_actual: null, timestamp: '2026-01-01T13:00:00.000Z', ...more,
}) // prettier-ignore
const granted = (grant_type: string): JsonObject => ({
  entry_type: 'approval_granted',
  capability: 'book',
  approval_grant_id: 'grt_1',
  approval: { grant_type, ...(grant_type === 'session_bound' && { max_uses: 2 }) },
})
const used = (more: JsonObject = {}) => call({ approval_grant_id: 'grt_1', ...more })
const revoked = (token_id: string): JsonObject => ({
  entry_type: 'token_revoked',
  token_id,
  timestamp: '2026-01-01T12:00:00.000Z',
})
const ended = (...token_ids: readonly string[]): JsonObject => ({
  entry_type: 'operator_action',
  operated: { name: 'tokens_revoked', target: { subject: 'agent:a' }, token_ids },
  timestamp: '2026-01-01T12:00:00.000Z',
})
const held = (amount: number, more: JsonObject = {}) =>
  call({ success: false, failure_type: 'outcome_unknown', cost_held: { currency: 'EUR', amount }, ...more })
const issued = (budget: JsonObject): JsonObject => ({
  entry_type: 'token_issued',
  token_id: 'tok_r',
  issued: { budget },
})
const pool = issued({ currency: 'EUR', max_amount: 0.3, mode: 'cumulative' })
const costs = (amount: number, more: JsonObject = {}) => call({ cost_charged: { currency: 'EUR', amount }, ...more })
const resolved = (amount: number, more: JsonObject = {}): JsonObject => ({
  entry_type: 'operator_action',
  delegation_chain: ['tok_r', 'tok_c'],
  operated: { name: 'invocation_resolved', target: { invocation_id: 'inv-1' } },
  cost_charged: { currency: 'EUR', amount },
  cost_held: { currency: 'EUR', amount: 0.3 },
  ...more,
})

it.each<[string, readonly JsonObject[], string | undefined]>([
  ['a one-time grant used once', [granted('one_time'), used()], undefined],
  ['a one-time grant used twice', [granted('one_time'), used(), used()], 'the one-time grant grt_1 was used again'],
  ['a second use whose outcome is unknown', [granted('one_time'), used(), used({ success: false, failure_type: 'outcome_unknown' })], 'the one-time grant grt_1 was used again'],
  ['an attempt that was refused', [granted('one_time'), used(), used({ success: false, failure_type: 'approval_grant_invalid' })], undefined],
  ['the step of a composition under its grant', [granted('one_time'), used(), used({ capability: 'trip' })], undefined],
  ['a grant for a session', [granted('session_bound'), used(), used()], undefined],
  ['a grant for two uses used three times', [granted('session_bound'), used(), used(), used()], 'the grant grt_1 was used more than 2 times'],
  ['a step of that name twice in a composition under a grant', [granted('one_time'), used({ capability: 'pay' }), used({ capability: 'pay' }), used()], undefined],
  ['a call by a token that ended because its counters were set back', [{ ...revoked('tok_c'), entry_type: 'integrity_failure', failure_type: 'token_revoked' }, call()], 'the token tok_c had been revoked at 2026-01-01T12:00:00.000Z'],
  ['a call by a token whose row was altered', [{ ...revoked('tok_c'), entry_type: 'integrity_failure', failure_type: 'invalid_token' }, call()], undefined],
  ['a call after a revocation', [revoked('tok_c'), call()], 'the token tok_c had been revoked at 2026-01-01T12:00:00.000Z'],
  ['a call after the first of two revocations', [revoked('tok_c'), { ...revoked('tok_c'), timestamp: '2026-01-01T12:59:00.000Z' }, call()], 'the token tok_c had been revoked at 2026-01-01T12:00:00.000Z'],
  ['a call below a revoked token', [revoked('tok_r'), call()], 'the token tok_r had been revoked at 2026-01-01T12:00:00.000Z'],
  ['one that was under way', [revoked('tok_r'), call({ timestamp: '2026-01-01T12:10:00.000Z' })], undefined],
  ['one that was under way for a quarter of an hour', [revoked('tok_r'), call({ timestamp: '2026-01-01T12:15:00.000Z' })], undefined],
  ['one that began a moment later', [revoked('tok_r'), call({ timestamp: '2026-01-01T12:15:00.001Z' })], 'the token tok_r had been revoked at 2026-01-01T12:00:00.000Z'],
  ['one that was refused after a revocation', [revoked('tok_c'), call({ success: false, failure_type: 'token_revoked' })], undefined],
  ['one of another token', [revoked('tok_x'), call()], undefined],
  ['exactly the budget', [pool, costs(0.1), costs(0.2)], undefined],
  ['more than the budget', [pool, costs(0.1), costs(0.2), costs(0.01)], 'the cumulative budget of the token tok_r was exceeded'],
  ['more by each call', [issued({ currency: 'EUR', max_amount: 0.3, mode: 'per_invocation' }), costs(0.3), costs(0.3)], undefined],
  ['more than was checked', [pool, costs(9, { cost_exceeded: true, cost_checked: { currency: 'EUR', amount: 0.3 } })], undefined],
  ['more than the budget by what was checked of what was exceeded', [pool, costs(9, { cost_exceeded: true, cost_checked: { currency: 'EUR', amount: 0.31 } })], 'the cumulative budget of the token tok_r was exceeded'],
  ['more than the budget, flagged as more than nothing that was checked', [pool, costs(0.31, { cost_exceeded: true })], 'the cumulative budget of the token tok_r was exceeded'],
  ['more than the budget, flagged as more than was checked in another currency', [pool, costs(0.31, { cost_exceeded: true, cost_checked: { currency: 'USD', amount: 0.1 } })], 'the cumulative budget of the token tok_r was exceeded'],
  ['more than the budget, and more than was checked, without a flag', [pool, costs(0.31, { cost_checked: { currency: 'EUR', amount: 0.1 } })], 'the cumulative budget of the token tok_r was exceeded'],
  ['the budget, flagged as more than a larger amount', [pool, costs(0.1, { cost_exceeded: true, cost_checked: { currency: 'EUR', amount: 9 } }), costs(0.2)], undefined],
  ['more than the budget, flagged as more than a larger amount', [pool, costs(0.2, { cost_exceeded: true, cost_checked: { currency: 'EUR', amount: 9 } }), costs(0.11)], 'the cumulative budget of the token tok_r was exceeded'],
  ['another currency', [pool, call({ cost_charged: { currency: 'USD', amount: 9 } })], undefined],
  ['more than the budget of a token below one in another currency', [pool, { ...issued({ currency: 'USD', max_amount: 5, mode: 'cumulative' }), token_id: 'tok_c' }, call({ cost_charged: { currency: 'USD', amount: 9 } })], 'the cumulative budget of the token tok_c was exceeded'],
  ['more than the budget of a token below one that has none', [{ ...pool, token_id: 'tok_c' }, costs(0.4)], 'the cumulative budget of the token tok_c was exceeded'],
  ['a composition that was charged for its steps', [pool, call({ cost_actual: { currency: 'EUR', amount: 0.3 } }), costs(0.3, { invocation_id: 'inv-9' })], undefined],
  ['a step that was charged beside its composition', [pool, costs(0.2, { parent_invocation_id: 'inv-9' }), costs(0.2, { invocation_id: 'inv-9' })], 'the cumulative budget of the token tok_r was exceeded'],
  ['more than the budget by what was charged for a call that failed', [pool, costs(0.31, { success: false, failure_type: 'internal_error' })], 'the cumulative budget of the token tok_r was exceeded'],
  ['more than the budget by an outcome that somebody found out', [pool, held(0.3), resolved(0.31)], 'the cumulative budget of the token tok_r was exceeded'],
  ['the budget by an outcome that somebody found out', [pool, held(0.3), resolved(0.2), costs(0.1)], undefined],
  ['more than was checked by an outcome that somebody found out', [pool, held(0.3), resolved(0.31, { cost_exceeded: true })], undefined],
  ['more than the budget by what is kept, whatever was reported', [pool, held(0.31, { cost_exceeded: true })], 'the cumulative budget of the token tok_r was exceeded'],
  ['a call by a token that an operator ended', [ended('tok_x', 'tok_r'), call()], 'the token tok_r had been revoked at 2026-01-01T12:00:00.000Z'],
  ['a call by a token that an operator did not end', [ended('tok_x'), call()], undefined],
  ['a call beside what an operator did otherwise', [{ ...ended('tok_r'), operated: { name: 'capability_paused' } }, call()], undefined],
  ['more than the budget by what is kept for an outcome that nobody knows', [pool, held(0.1), held(0.21)], 'the cumulative budget of the token tok_r was exceeded'],
  ['more than the budget by what is kept for a composition that ended in its step', [pool, costs(0.1), held(0.21, { failure_type: 'composition_child_failed' })], 'the cumulative budget of the token tok_r was exceeded'],
  ['the budget by what is kept for an outcome that nobody knows', [pool, held(0.1), held(0.2)], undefined],
  ['a grant used again after a revocation', [granted('one_time'), revoked('tok_c'), used(), used()], 'the one-time grant grt_1 was used again'],
  ['what is no entry', [{}, { entry_type: 'constructor' }, { entry_type: 'invocation' }, issued({ mode: 'cumulative' })], undefined],
])('%s', (_, entries, trouble) => {
  const { note } = counters()
  expect(entries.map((entry) => note(entry)).at(-1)).toBe(trouble)
}) // prettier-ignore
