/** What a storage back end promises of the texts of rows that carry a MAC (`runtime/rows`). */

/** Tables whose rows carry a MAC: most in the column of their text. */
export type SealedTable =
  | 'approval_requests'
  | 'approvals_given'
  | 'bindings'
  | 'event_deliveries'
  | 'idempotency'
  | 'secrets'
  | 'console_sessions'
  | 'connections'
  | ColumnTable

/** Tables whose MAC has a column of its own; `decisions` are those about approval requests. */
export type ColumnTable = 'blocks' | 'paused_capabilities' | 'accounts' | 'resolutions' | 'decisions'

export interface RowText {
  readonly key: readonly string[]
  /** Where the MAC has a column of its own, that one; empty where there is none. */
  readonly text: string
  /** Of such a table, the columns that the MAC covers beside the key. */
  readonly part?: readonly (string | number | null)[]
}

export interface RowTexts {
  /** Rows of a table that come after a key, in the order of their keys. Rows without a text are left out. */
  page(table: SealedTable, after: readonly string[] | undefined, limit: number): Promise<readonly RowText[]>
  /** Puts texts in the place of those that were read, where they are still these. */
  replace(table: SealedTable, changes: readonly (RowText & { readonly before: string })[]): Promise<void>
  /** Ends the sessions of everybody. Gives how many that were. */
  endSessions(): Promise<number>
}
