/** Where each table has its MAC, and what that covers: for whoever writes rows anew, table by table. */
import { present } from '../json/present.js'
import type { ApprovalGiven, StoredBinding, StoredConnection, StoredRequest } from '../storage/contract.js'
import type { ColumnTable, RowText, RowTexts, SealedTable } from '../storage/row-texts.js'
import { StartUpError } from '../errors/start-up-error.js'
import { givenPart } from './guarded-approvals.js'
import { connectionPart } from './guarded-connections.js'
import { requestPart } from './guarded-decisions.js'

/** A row as its MAC sees it. */
export interface SealedRow {
  readonly mac: string | undefined
  readonly key: readonly string[]
  readonly part: unknown
  /** Text of the row with another MAC. */
  readonly with: (mac: string) => string
}

type Form = (row: RowText) => SealedRow

const MAC = /^[\w-]{8,64}\.[\w-]{43}$/u

/** A JSON text has its MAC as a member. */
const member =
  <Value extends { readonly mac?: string }>(partOf: (value: Value) => unknown, keyOf: KeyOf<Value>): Form =>
  ({ key, text }) => {
    const value = JSON.parse(text) as Value
    return {
      mac: value.mac,
      key: keyOf(value, key),
      part: partOf(value),
      with: (mac) => JSON.stringify({ ...value, mac }),
    }
  }

type KeyOf<Value> = (value: Value, key: readonly string[]) => readonly string[]

/** A MAC has a column of its own. */
const column: Form = ({ key, text, part }) => ({ mac: text === '' ? undefined : text, key, part, with: (mac) => mac })

/** Any other text has it in front. */
const front =
  (keyOf: (key: readonly string[]) => readonly string[] = (key) => key): Form =>
  ({ key, text }) => {
    const end = Math.max(text.indexOf('\n'), 0)
    const mac = MAC.test(text.slice(0, end)) ? text.slice(0, end) : undefined
    const part = mac === undefined ? text : text.slice(end + 1)
    return { mac, key: keyOf(key), part, with: (other) => `${other}\n${part}` }
  }

/** Sessions are not among them: they end, and people sign in again. */
const FORMS: { readonly [table in Exclude<SealedTable, 'console_sessions'>]: Form } = {
  approval_requests: member<StoredRequest>(requestPart, ({ approval_request_id }) => [approval_request_id]),
  approvals_given: member<ApprovalGiven>(givenPart, ({ approver }, [id]) => [id!, approver]),
  bindings: member<StoredBinding>(({ mac: _, ...binding }) => present(binding), ({ binding_id }) => [binding_id]),
  connections: member<StoredConnection>(connectionPart, ({ connection_id }) => [connection_id]),
  event_deliveries: front(([eventId]) => [eventId!]),
  idempotency: front(),
  secrets: front(),
  ...({ blocks: column, paused_capabilities: column, accounts: column, resolutions: column, decisions: column } satisfies {
    readonly [table in ColumnTable]: Form
  }),
} // prettier-ignore

/** A writer of the database may have left anything in a row: one that does not read stays as it is. */
function ifReadable(textOf: () => string | undefined): string | undefined {
  try {
    return textOf()
  } catch (error) {
    if (error instanceof StartUpError) throw error
    return undefined
  }
}

export type RewrittenRows = { readonly [table in SealedTable]?: number }

const AT_ONCE = 200

/** Writes rows anew, in batches, where another text is given for one; returns how many rows that were. */
export async function rewriteRows(
  rowTexts: RowTexts,
  textOf: (table: SealedTable, row: SealedRow) => string | undefined,
): Promise<RewrittenRows> {
  const written: { [table in SealedTable]?: number } = {}
  for (const [table, form] of Object.entries(FORMS) as readonly [SealedTable, Form][]) {
    written[table] = 0
    for (let after: readonly string[] | undefined; ;) {
      const page = await rowTexts.page(table, after, AT_ONCE)
      const changes = page.flatMap((row) => {
        const text = ifReadable(() => textOf(table, form(row)))
        return text === undefined ? [] : [{ ...row, before: row.text, text }]
      })
      if (changes.length > 0) await rowTexts.replace(table, changes)
      written[table] += changes.length
      after = page.at(-1)?.key
      if (page.length < AT_ONCE) break
    }
  }
  return written
}
