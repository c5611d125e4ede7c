import type { Account } from '../../protocol/credential.js'
import type { Principal } from '../../protocol/principals.js'
import { recent } from '../rates/recent.js'
import type { AccountStore } from '../storage/contract.js'

/**
 * Notes by which names accounts are known, before anything is done in such a name: separation of duties rests on it.
 */
export interface KnownAccounts {
  note(account: Account, principal: Principal): Promise<void>
}

const MOST_PAIRS = 10_000

/** ms after which a name is stored again, in case that somebody deleted the row. */
const BELIEVED_MS = 10_000

/** Remembers accounts that this process has just stored. Reports rows that were deleted since. */
export function knownAccounts(store: AccountStore, now: () => number, deleted: () => void): KnownAccounts {
  const stored = recent<number>(MOST_PAIRS)
  return {
    note: async (account, principal) => {
      const pair = JSON.stringify([account.issuer, account.subject, principal])
      const at = stored.get(pair)
      if (at !== undefined && now() - at < BELIEVED_MS) return
      const isNew = await store.remember(account, principal)
      if (isNew && at !== undefined) deleted()
      stored.set(pair, now())
    },
  }
}
