/** Authenticates the rows of a database that is older than its `rows` key, once (decisions, section 20: Upgrade). */
import type { StoredBinding, StoredRequest, ApprovalGiven, Storage } from '../storage/contract.js'
import type { ColumnTable, RowText, SealedTable } from '../storage/row-texts.js'
import { sealedGiven, sealedRequest } from './guarded-approvals.js'
import { sealedBinding } from './guarded-storage.js'
import { sealedText } from './row-guard.js'
import type { RowSeal } from './row-seal.js'

/** How many rows of each table were authenticated. */
export type SealedRows = { readonly [table in SealedTable]?: number }

const AT_ONCE = 200
const MAC = /^[\w-]{8,64}\.[\w-]{43}$/u

const hasMac = (text: string): boolean => MAC.test(text.slice(0, Math.max(text.indexOf('\n'), 0)))

type SealOf = (seal: RowSeal, row: RowText) => string

/** A JSON text gets its MAC as a member. */
const member =
  <Value extends { readonly mac?: string }>(add: (seal: RowSeal, key: readonly string[], value: Value) => Value) =>
  (seal: RowSeal, { key, text }: RowText): string => {
    const value = JSON.parse(text) as Value
    return value.mac === undefined ? JSON.stringify(add(seal, key, value)) : text
  }

/** A MAC in a column of its own is put there. */
const column =
  (table: ColumnTable): SealOf =>
  (seal, { key, text, part }) =>
    text === '' ? seal.seal(table, key, part) : text

/** A text gets it in front. */
const front =
  (table: SealedTable, keyOf: (key: readonly string[]) => readonly string[] = (key) => key): SealOf =>
  (seal, { key, text }) =>
    hasMac(text) ? text : sealedText(seal, table, keyOf(key), text)

/** Sessions are not among them: they end, and people sign in again. */
const SEALS: { readonly [table in Exclude<SealedTable, 'console_sessions'>]: SealOf } = {
  approval_requests: member<StoredRequest>((seal, _, request) => sealedRequest(seal, request)),
  approvals_given: member<ApprovalGiven>((seal, [id], given) => sealedGiven(seal, id!, given)),
  bindings: member<StoredBinding>((seal, _, binding) => sealedBinding(seal, binding)),
  event_deliveries: front('event_deliveries', ([eventId]) => [eventId!]),
  idempotency: front('idempotency'),
  secrets: front('secrets'),
  blocks: column('blocks'),
  paused_capabilities: column('paused_capabilities'),
  accounts: column('accounts'),
  resolutions: column('resolutions'),
  decisions: column('decisions'),
}

/** Seals what is there, in batches; returns how many rows that were. */
export async function sealEarlierRows({ rowTexts }: Storage, seal: RowSeal): Promise<SealedRows> {
  const sealed: { [table in SealedTable]?: number } = { console_sessions: await rowTexts.endSessions() }
  for (const [table, sealOf] of Object.entries(SEALS) as readonly [SealedTable, SealOf][]) {
    let after: readonly string[] | undefined
    for (;;) {
      const page = await rowTexts.page(table, after, AT_ONCE)
      const changes = page
        .map((row) => ({ ...row, before: row.text, text: sealOf(seal, row) }))
        .filter(({ before, text }) => text !== before)
      if (changes.length > 0) await rowTexts.replace(table, changes)
      sealed[table] = (sealed[table] ?? 0) + changes.length
      after = page.at(-1)?.key
      if (page.length < AT_ONCE) break
    }
  }
  return sealed
}
