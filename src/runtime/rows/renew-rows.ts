/** Rotation of the `rows` key writes rows anew under the newest one, so that the old one can be retired (section 20). */
import type { Log } from '../definition.js'
import type { RingSecret } from '../../crypto/keys/secret-key.js'
import type { RowTexts } from '../storage/row-texts.js'
import { rewriteRows } from './row-forms.js'
import type { RowSeal } from './row-seal.js'

/** Returns what looks for rows under an older key, until there are none; a row that fails stays as it is. */
export function renewal(
  rowTexts: RowTexts,
  seal: RowSeal,
  secrets: () => readonly RingSecret[],
  log: Pick<Log, 'info'>,
): () => Promise<void> {
  let done: string | undefined
  return async () => {
    const kept = secrets().filter(({ role, secret }) => role === 'rows' && secret !== undefined)
    const active = kept.find(({ state }) => state === 'active')
    if (kept.length < 2 || active === undefined || done === active.kid) return
    const written = await rewriteRows(rowTexts, (table, { mac, key, part, with: withMac }) =>
      isUnder(active.kid, mac) || !seal.holds(table, key, part, mac) ? undefined : withMac(seal.seal(table, key, part)),
    )
    const rows = Object.values(written).reduce((sum, count) => sum + count, 0)
    if (rows === 0) done = active.kid
    else log.info('Rows were written anew under the newest key.', { kid: active.kid, ...written })
  }
}

const isUnder = (kid: string, mac: string | undefined): boolean => mac?.startsWith(`${kid}.`) === true
