/** What a storage back end promises of connections: accounts of people at upstream systems (decisions, section 19). */
import type { ConnectionEnd, ConnectionState } from '../../protocol/connections.js'
import type { Principal } from '../../protocol/principals.js'

/** A connection as one renewal, or the person, left it. All of it is authenticated (`runtime/rows`). */
export interface StoredConnection {
  readonly connection_id: string
  readonly person: Principal
  readonly upstream: string
  /** Rises by one with each renewal, so that no refresh token is used twice. */
  readonly revision: number
  /** Name of the account at the upstream system, if it gave one. */
  readonly account?: string
  readonly scopes: readonly string[]
  readonly issuer: string
  /** ms since the epoch. */
  readonly connected_at: number
  /** Encrypted tokens; none once the connection has ended. */
  readonly sealed?: string
  readonly mac?: string
}

/** A connection with what changes beside it. Times in ms since the epoch. */
export interface KeptConnection extends StoredConnection {
  readonly state: ConnectionState
  readonly ended_because?: ConnectionEnd
  /** Age of a renewal that is under way, by the back end's clock. */
  readonly renewing_ms?: number
  /** Scopes that the upstream system asked for beyond those given. */
  readonly wanted: readonly string[]
  readonly last_used_at?: number
  readonly last_used_by?: Principal
}

export interface ConnectionFilter {
  readonly person?: Principal
  readonly upstream?: string
  readonly after?: string
  readonly limit: number
}

export interface ConnectionStore {
  /** Puts a connection in the place of the one that its person had at that upstream. Durable when it returns. */
  put(connection: StoredConnection): Promise<void>
  get(connectionId: string): Promise<KeptConnection | undefined>
  of(person: Principal, upstream: string): Promise<KeptConnection | undefined>
  /** In the order of their ids. */
  list(filter: ConnectionFilter): Promise<readonly KeptConnection[]>
  /** True for the one caller who may renew this revision: durable, before its refresh token is sent. */
  beginRenewal(connectionId: string, revision: number, owner: string): Promise<boolean>
  /** Stores what a renewal brought, if the owner still renews the revision before. */
  endRenewal(connection: StoredConnection, owner: string): Promise<boolean>
  /** Stores the same tokens encrypted again, unless the revision before is renewed, or gone. */
  reencrypt(connection: StoredConnection): Promise<boolean>
  /** Gives a renewal back that sent nothing. */
  abandonRenewal(connectionId: string, owner: string): Promise<void>
  /**
   * Ends a connection that is not ended: its tokens are gone with this write. `renewingMs` ends only one whose renewal
   * began so long ago, by the back end's clock. False where there is none such.
   */
  end(connection: StoredConnection, because: ConnectionEnd, renewingMs?: number): Promise<boolean>
  /** Notes scopes that the upstream system asked for. */
  want(connectionId: string, scopes: readonly string[]): Promise<void>
  used(connectionId: string, by: Principal, at: number): Promise<void>
}
