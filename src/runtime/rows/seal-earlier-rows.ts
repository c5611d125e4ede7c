import type { Storage } from '../storage/contract.js'
import { rewriteRows, type RewrittenRows } from './row-forms.js'
import type { RowSeal } from './row-seal.js'

/** Authenticates the rows of a database that is older than its `rows` key (decisions, section 20: Upgrade). */
export async function sealEarlierRows({ rowTexts }: Storage, seal: RowSeal): Promise<RewrittenRows> {
  const console_sessions = await rowTexts.endSessions()
  const sealed = await rewriteRows(rowTexts, (table, { mac, key, part, with: withMac }) =>
    mac === undefined ? withMac(seal.seal(table, key, part)) : undefined,
  )
  return { console_sessions, ...sealed }
}
