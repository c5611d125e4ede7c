import type { ProvenBy } from '../../protocol/credential.js'
import type { Principal } from '../../protocol/principals.js'
import type { Role } from '../../protocol/roles.js'

/** A person who has signed in to the console. The cookie is not stored, only its hash. */
export interface ConsoleSession {
  /** Lower-case hex SHA-256 of the cookie. */
  readonly hash: string
  readonly principal: Principal
  readonly credential: ProvenBy
  /** What the provider entitled to when the person signed in; of an API key, the key itself says so at each use. */
  readonly scopes?: readonly string[]
  readonly caller_classes?: readonly string[]
  readonly roles?: readonly Role[]
  /** ms since the epoch by the clock of the service: the session never goes on beyond. */
  readonly ends_at?: number
  /** Authenticates all of the above (`runtime/rows`). */
  readonly mac?: string
}

/** A session that goes on. All in ms. */
export interface LiveSession extends ConsoleSession {
  /** Since it began. */
  readonly age: number
  /** Until it ends, unless it is used. */
  readonly idleLeft: number
}

/** Of whom sessions end: a principal, or whoever signed in with one API key. */
export type SessionsOf = { readonly principal: Principal } | { readonly api_key: string }

/** Sessions of the console; all replicas share them, and the back end's clock decides when they are over. */
export interface SessionStore {
  /** Begins a session that ends after `lifetimeMs`, or `idleMs` after its last use. Durable when it returns. */
  begin(session: ConsoleSession, lifetimeMs: number, idleMs: number): Promise<void>
  /** The session, unless it has ended; it is not a use. */
  look(hash: string): Promise<LiveSession | undefined>
  /** Counts as a use: the idle time begins anew, unless the session has ended meanwhile. */
  touch(hash: string, idleMs: number): Promise<void>
  end(hash: string): Promise<void>
  /** Ends the sessions of a person or a key, on every replica, and gives their hashes. */
  endAll(of: SessionsOf): Promise<readonly string[]>
}
