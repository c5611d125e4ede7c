import type { SealedTable } from '../storage/row-texts.js'
import type { RowSeal } from './row-seal.js'

/** Judges rows where they are read. */
export interface RowGuard extends RowSeal {
  /** ms since the epoch. */
  readonly now: () => number
  /** Reports a row that failed: it counts as absent. */
  readonly failed: (table: SealedTable, key: readonly string[]) => void
  /** Reports a row that failed and takes authority away: it stays in force. */
  readonly inForce: (table: SealedTable, key: readonly string[]) => void
}

/** Holds for a row that is genuine; one that is not is reported. */
export function isGenuine(
  guard: RowGuard,
  table: SealedTable,
  key: readonly string[],
  part: unknown,
  mac: unknown,
): boolean {
  const holds = guard.holds(table, key, part, mac)
  if (!holds) guard.failed(table, key)
  return holds
}

/** Puts the MAC of a text in front of it, in the column that holds the text. */
export const sealedText = (guard: RowSeal, table: SealedTable, key: readonly string[], text: string): string =>
  `${guard.seal(table, key, text)}\n${text}`

/** Returns the text behind its MAC; undefined, and reported, where the MAC is not of this text and row. */
export function openedText(
  guard: RowGuard,
  table: SealedTable,
  key: readonly string[],
  sealed: string,
): string | undefined {
  const end = sealed.indexOf('\n')
  const text = sealed.slice(end + 1)
  return isGenuine(guard, table, key, text, sealed.slice(0, Math.max(end, 0))) ? text : undefined
}
