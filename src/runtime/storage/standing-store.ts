/** What a storage back end promises of rows that take authority away, for whoever compares them with the trail (N31). */
import type { Account } from '../../protocol/credential.js'
import type { Block, PausedCapability } from '../../protocol/operator.js'
import type { Principal } from '../../protocol/principals.js'
import type { RequestDecision } from './approval-contract.js'
import type { Sealed } from './operator-store.js'
import type { StoredRequest } from './stored-request.js'

export interface NamedAccount {
  readonly account: Account
  readonly principal: Principal
}

export interface FoundRequest {
  readonly request: StoredRequest
  /** The columns that find it say otherwise than the request itself. */
  readonly isMoved?: true
  /** The service found that it wrote neither the request nor its decision so (`runtime/rows`). */
  readonly isForged?: true
}

export interface LiveConnection {
  readonly connection_id: string
  readonly person: Principal
  readonly upstream: string
}

export interface StandingStore {
  /** Blocks that are in force. */
  blocks(): Promise<readonly Sealed<Block>[]>
  pauses(): Promise<readonly Sealed<PausedCapability>[]>
  /** Those requests of a list that are stored. */
  requests(ids: readonly string[]): Promise<ReadonlyMap<string, FoundRequest>>
  /** Those invocations of a list that are resolved. */
  resolutions(ids: readonly string[]): Promise<ReadonlySet<string>>
  /** Those accounts of a list that are not stored under their names. */
  missingAccounts(accounts: readonly NamedAccount[]): Promise<readonly NamedAccount[]>
  /** Connections of some people that have not ended, by their columns. */
  liveConnections(people: readonly string[]): Promise<readonly LiveConnection[]>
  /** Puts a block in force again; false where there is one in force for the same. */
  restoreBlock(block: Sealed<Block>): Promise<boolean>
  /** Closes a request again, or stores one that is missing. */
  restoreRequest(request: StoredRequest, decision: RequestDecision): Promise<boolean>
  /** False where it is resolved. */
  restoreResolution(invocationId: string, mac?: string): Promise<boolean>
}
