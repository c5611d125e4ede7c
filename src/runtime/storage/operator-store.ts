/** What a storage back end promises of what operators do (decisions, section 13). */
import type { Block, PausedCapability, TokenTarget } from '../../protocol/operator.js'
import type { Principal } from '../../protocol/principals.js'
import type { TokenRecord } from '../../protocol/token.js'
import type { OutgoingEvent } from './outbox-store.js'

export interface TokenFilter {
  readonly principal?: string
  readonly subject?: string
  readonly api_key?: string
  readonly capability?: string
  readonly after?: string
  readonly limit: number
}

/** Who would do something, by what credential. */
export interface Blockable {
  readonly principal: Principal
  readonly apiKey?: string | undefined
  readonly subject?: Principal | undefined
}

/** A row with its MAC (`runtime/rows`), where it has one. `isForged`: the service found that the MAC is wrong. */
export type Sealed<Row> = Row & { readonly mac?: string; readonly isForged?: true }

export interface OperatorStore {
  /** Tokens, in the order of their ids. */
  tokens(filter: TokenFilter): Promise<readonly TokenRecord[]>
  /**
   * Ends tokens that stand, in one write, and gives their ids; those below them end with them, as chains are checked at
   * use. Where one ended, the event is written in the same transaction.
   */
  endTokens(
    target: TokenTarget,
    values: readonly string[],
    at: number,
    event?: OutgoingEvent,
  ): Promise<readonly string[]>
  /** Keys that bought tokens which have not ended. */
  buyingApiKeys(now: number): Promise<readonly string[]>
  /** Makes a block, or gives the one that there is. */
  block(block: Sealed<Block>): Promise<Sealed<Block>>
  /** Newest first; lifted ones, too. */
  blocks(limit: number): Promise<readonly Sealed<Block>[]>
  /** The active block that it would meet, by any name of the principal. */
  blockOf(who: Blockable): Promise<Sealed<Block> | undefined>
  /** Undefined for one that is unknown or lifted already. */
  lift(blockId: string, by: Principal, at: number): Promise<Sealed<Block> | undefined>
  /** False where it was paused. */
  pause(paused: Sealed<PausedCapability>): Promise<boolean>
  /** False for a capability that was not paused. */
  resume(capability: string): Promise<boolean>
  paused(): Promise<readonly Sealed<PausedCapability>[]>
}
