import type { Account } from '../../protocol/credential.js'
import type { Principal } from '../../protocol/principals.js'

/** Names by which accounts at identity providers were known (section 5.6). */
export interface AccountStore {
  /** Notes that an account was known by a name, with the MAC of the row; durable when it returns. False where that was noted. */
  remember(account: Account, principal: Principal, mac?: string): Promise<boolean>
  /**
   * Every name of those who were ever known by one of the given names: names that share an account are one person's.
   */
  namesOf(principals: readonly Principal[]): Promise<readonly Principal[]>
  /** The same, from names that are like the given ones, however they are written: to end what is theirs. */
  everyNameOf(principals: readonly Principal[]): Promise<readonly Principal[]>
}
