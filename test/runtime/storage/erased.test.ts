/** What is left of entries that were erased, in what is read and in other tables; and an entry in the place of another. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { expect, it, onTestFinished } from 'vitest'
import { erasureDraft } from '../../../src/crypto/trail/erasure.js'
import { sealEntry, sealFor } from '../../../src/runtime/storage/seal.js'
import type { ErasureAccount, Settlement, StoredRequest } from '../../../src/runtime/storage/contract.js'
import { openSqlite, openSqliteSchema } from '../../../src/runtime/storage/sqlite/index.js'
import { atMost, decision, draft, iso, request } from './examples.js'

const NOW = Date.parse('2026-03-01T12:00:00.000Z')
const ACCOUNT: ErasureAccount = { draft: (erased) => erasureDraft('service:schema-owner', erased, 'The law.', iso(NOW)), seal: sealEntry } // prettier-ignore
const TERMS = { grant_type: 'one_time', session_id: null, expires_in_seconds: 900, max_uses: 1 } as const

async function opened() {
  const folder = mkdtempSync(join(tmpdir(), 'svc-erased-'))
  const file = join(folder, 'service.db')
  const storage = await openSqlite({ file, clock: () => NOW })
  onTestFinished(async () => {
    await storage.close()
    rmSync(folder, { recursive: true })
  })
  const append = (...settlements: readonly Settlement[]) => storage.audit.append(() => settlements, sealFor(() => undefined)) // prettier-ignore
  const sql = (text: string): readonly { readonly [column: string]: unknown }[] => {
    const driver = new Database(file)
    const statement = driver.prepare(text)
    const found = text.startsWith('select') ? statement.all() : (statement.run(), [])
    driver.close()
    return found as never
  }
  const erase = async (...sequences: readonly number[]) => {
    const schema = await openSqliteSchema({ file })
    await schema.erase(sequences, ACCOUNT).finally(() => schema.close())
  }
  const at = (ms: number, invocation_id: string) => draft({ timestamp: iso(NOW + ms), invocation_id })
  return { storage, append, sql, erase, at }
}

it('of more entries than are erased at a time those go first whose time passed first', async () => {
  const { storage, append, at } = await opened()
  await append(
    { draft: at(0, 'inv-1'), retentionMs: 3_000 },
    { draft: at(0, 'inv-2'), retentionMs: 1_000 },
    { draft: at(0, 'inv-3'), retentionMs: 2_000 },
    { draft: at(9_000, 'inv-4') },
  )
  expect(await storage.audit.erase({ due: NOW + 9_000, limit: 2, account: ACCOUNT })).toBe(2)
  expect((await storage.audit.texts(1, 4)).map(({ text }) => text === null)).toEqual([false, true, true, false])
})

it('what somebody found out of a call is erased with the call, or after it', async () => {
  const { append, erase, at } = await opened()
  const operated = { name: 'invocation_resolved', target: { invocation_id: 'inv-1' }, happened: false } as const
  await append({ draft: at(0, 'inv-1') }, { draft: draft({ entry_type: 'operator_action', invocation_id: null, operated, timestamp: iso(NOW) }) }) // prettier-ignore
  await expect(erase(2)).rejects.toThrow(
    'Entry 2 says what became of inv-1. Erase it with entry 1, which is that call.',
  )
  await erase(1)
  await erase(2)
})

it('an erased entry is in no answer, by whatever it is asked for', async () => {
  const { storage, append, erase, at } = await opened()
  await append({ draft: at(0, 'inv-1') }, { draft: at(0, 'inv-2') })
  await erase(1)
  const sequences = (found: readonly { readonly sequence: number }[]) => found.map(({ sequence }) => sequence)
  expect(sequences(await storage.audit.newest(undefined, 9))).toEqual([3, 2])
  expect(sequences(await storage.audit.query({ invocation_id: 'inv-1', limit: 9 }))).toEqual([])
  expect(sequences(await storage.audit.query({ limit: 9, since: iso(NOW - 1), until: iso(NOW) }))).toEqual([3, 2])
})

it('an entry that stands in the place of another is nobody’s to read', async () => {
  const { storage, append, sql, at } = await opened()
  await append({ draft: at(0, 'inv-1') }, { draft: at(0, 'inv-2') }, { draft: at(0, 'inv-3') })
  for (const name of ['audit_entries_are_fixed', 'audit_entries_are_kept']) sql(`drop trigger ${name}`)
  sql(`update audit_entries set (text, hashes) = (select text, hashes from audit_entries where sequence = 1) where sequence = 3`) // prettier-ignore
  await expect(storage.audit.query({ invocation_id: 'inv-3', limit: 1 })).rejects.toThrow('Entry 3 stands in the place of another.') // prettier-ignore
  await expect(storage.audit.newest(undefined, 1)).rejects.toThrow('Entry 3 stands in the place of another.')
})

it('of an approval request of an erased entry it is left that it was, and by whom', async () => {
  const { storage, append, sql, erase } = await opened()
  const step = { id: 'pay', capability: 'pay', parameters: { to: 'Miriam' }, parameters_digest: 'sha256:p', progress_digest: 'sha256:q' } // prettier-ignore
  const more = { approvals_needed: 2, preview: { to: 'Miriam' }, preview_digest: 'sha256:v', approved_before: { approval_request_id: 'apr_0', preview: { to: 'Miriam' } }, step, progress: [{ id: 'find', capability: 'find', output: { who: 'Miriam' } }] } // prettier-ignore
  const asked: StoredRequest = await request(storage, 'who', 60_000, more)
  const id = asked.approval_request_id
  await storage.approvals.open(asked, atMost(9))
  await storage.approvals.give(id, { ...decision, reason: 'Miriam asked.', terms: TERMS }, { counted: [], lapsed: [] })
  await append({ draft: draft({ approval_request_id: id, timestamp: iso(NOW) }) })
  await erase(1)
  const [row] = sql(`select body, status, reason from approval_requests`)
  const { preview: _, progress: __, approved_before: ___, ...kept } = asked
  expect(JSON.parse(String(row!['body']))).toEqual({ ...kept, requested_parameters: {}, step: { ...step, parameters: {} }, isErased: true }) // prettier-ignore
  expect([row!['status'], row!['reason'], sql('select * from approvals_given')]).toEqual(['withdrawn', null, []])
})
