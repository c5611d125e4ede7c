/**
 * A numbered, forward-only change of the schema. Once released it never changes: its checksum is kept in the database.
 */
export interface Migration {
  readonly version: number
  readonly name: string
  /** For every engine. */
  readonly statements: readonly string[]
  readonly sqlite: readonly string[]
  readonly postgres: readonly string[]
  /**
   * The oldest version of the schema whose code does no wrong beside it, so that a release can be taken back (stored
   * with the migration, from 14 on). Without it older versions do not start: they might count one approval where two
   * are asked for, or leave a copy of what is erased.
   */
  readonly readableFrom?: number
  /** What SQL alone cannot do. It is done when every migration is applied, in the same transaction. */
  readonly completion?: Completion
}

export type Completion = 'account for what was erased before'

export type EngineName = 'sqlite' | 'postgres'

export const statementsFor = (migration: Migration, engine: EngineName): readonly string[] => [
  ...migration.statements,
  ...migration[engine],
]
