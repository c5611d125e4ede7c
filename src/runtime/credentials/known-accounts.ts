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

/** What this process has stored already is not stored again. */
export function knownAccounts(store: AccountStore): KnownAccounts {
  const stored = recent<true>(MOST_PAIRS)
  return {
    note: async (account, principal) => {
      const pair = JSON.stringify([account.issuer, account.subject, principal])
      if (stored.get(pair) !== undefined) return
      await store.remember(account, principal)
      stored.set(pair, true)
    },
  }
}
