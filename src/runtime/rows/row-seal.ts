/**
 * Authenticates rows of the database (decisions, section 20): HMAC-SHA-256 (RFC 2104) by the `rows` key over table,
 * service, key and fixed part of a row, so that whoever can only write to the database can make none and change none.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { decodeBase64url } from '../../crypto/json/base64url.js'
import { canonicalText } from '../../crypto/json/canonical.js'
import type { RingSecret } from '../../crypto/keys/secret-key.js'
import type { SealedTable } from '../storage/row-texts.js'
import { StartUpError } from '../errors/start-up-error.js'

export interface RowSeal {
  /** Returns the MAC of the fixed part of a row: `<kid>.<base64url>`. */
  seal(table: SealedTable, key: readonly string[], part: unknown): string
  /** Holds where a secret of the ring made this MAC of this row. */
  holds(table: SealedTable, key: readonly string[], part: unknown, mac: unknown): boolean
}

/** The form of what a MAC covers; another form gets another number. */
const FORM = 1

/** Makes the seal of a service from its secrets, as they are at each use. */
export function rowSeal(serviceId: string, secrets: () => readonly RingSecret[]): RowSeal {
  const macBy = (secret: Uint8Array, table: SealedTable, key: readonly string[], part: unknown): Buffer =>
    createHmac('sha256', secret)
      .update(canonicalText([FORM, serviceId, table, key, part]))
      .digest()
  return {
    seal: (table, key, part) => {
      const active = secrets().find(({ role, state }) => role === 'rows' && state === 'active')
      if (active?.secret === undefined) throw new StartUpError(NO_ROWS_KEY)
      return `${active.kid}.${macBy(active.secret, table, key, part).toString('base64url')}`
    },
    holds: (table, key, part, mac) => {
      const [kid, text] = typeof mac === 'string' ? mac.split('.') : []
      const found = secrets().find((each) => each.role === 'rows' && each.kid === kid)
      if (found?.secret === undefined || text === undefined) return false
      const [given, right] = [decodeBase64url(text), macBy(found.secret, table, key, part)]
      return given !== undefined && given.length === right.length && timingSafeEqual(given, right)
    },
  }
}

export const NO_ROWS_KEY = 'There is no active key for the role rows. Make one with: svc keys generate --role rows'
