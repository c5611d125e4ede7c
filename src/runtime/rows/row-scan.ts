import type { ColumnTable, RowTexts } from '../storage/row-texts.js'
import type { RowGuard } from './row-guard.js'

/** Tables whose rows take authority away, and are read by their keys alone. */
const SCANNED: readonly ColumnTable[] = ['accounts', 'resolutions']

const AT_ONCE = 500

/** Returns what judges the next rows of these tables at each call, and begins anew at their end (threat N31). */
export function rowScan(rowTexts: RowTexts, guard: RowGuard): () => Promise<void> {
  const reached = new Map<ColumnTable, readonly string[]>()
  return async () => {
    for (const table of SCANNED) {
      const page = await rowTexts.page(table, reached.get(table), AT_ONCE)
      for (const { key, text, part } of page) if (!guard.holds(table, key, part, text)) guard.inForce(table, key)
      if (page.length < AT_ONCE) reached.delete(table)
      else reached.set(table, page.at(-1)!.key)
    }
  }
}
