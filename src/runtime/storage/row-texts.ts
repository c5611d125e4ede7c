/** What a storage back end promises of the texts of rows that carry a MAC (`runtime/rows`). */

/** Tables whose rows give authority; each holds its MAC in the column of its text. */
export type SealedTable =
  | 'approval_requests'
  | 'approvals_given'
  | 'bindings'
  | 'event_deliveries'
  | 'idempotency'
  | 'secrets'
  | 'console_sessions'

export interface RowText {
  readonly key: readonly string[]
  readonly text: string
}

export interface RowTexts {
  /** Rows of a table that come after a key, in the order of their keys. Rows without a text are left out. */
  page(table: SealedTable, after: readonly string[] | undefined, limit: number): Promise<readonly RowText[]>
  /** Puts texts in the place of those that were read, where they are still these. */
  replace(table: SealedTable, changes: readonly (RowText & { readonly before: string })[]): Promise<void>
  /** Ends the sessions of everybody. Gives how many that were. */
  endSessions(): Promise<number>
}
