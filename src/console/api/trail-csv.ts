import type { AnsweredEntry } from '../../protocol/audit.js'

type Column = readonly [name: string, value: (entry: AnsweredEntry) => unknown]

const COLUMNS: readonly Column[] = [
  ...(['sequence', 'timestamp', 'entry_type', 'capability', 'success', 'failure_type', 'actor_key', 'root_principal', 'task_id', 'client_reference_id', 'invocation_id', 'parent_invocation_id', 'approval_request_id', 'token_id'] as const)
    .map((name): Column => [name, (entry) => entry[name]]),
  ['cost', (entry) => entry.cost_actual?.amount],
  ['currency', (entry) => entry.cost_actual?.currency],
  ['detail', (entry) => entry.detail],
  ['reason', (entry) => entry.approval?.reason ?? entry.operated?.reason],
  ['parameters', (entry) => JSON.stringify(entry.parameters)],
] // prettier-ignore

export const CSV_HEAD = `${COLUMNS.map(([name]) => name).join()}\r\n`

/** An entry as a line of a table (RFC 4180). */
export const csvLine = (entry: AnsweredEntry): string => `${COLUMNS.map(([, value]) => cell(value(entry))).join()}\r\n`

/** Formats a cell. Untrusted text that a spreadsheet would take for a formula begins with an apostrophe (N17). */
function cell(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = String(value)
  const harmless = /^[\s\p{Cc}\p{Cf}]*[=+\-@|%＝＋－＠｜％\t\r\n]/u.test(text) ? `'${text}` : text
  return /[",\r\n;\t']/u.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
