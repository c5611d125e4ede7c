/**
 * What a storage back end promises, in the words of the protocol. Every verb is atomic. Races are settled by one
 * conditional statement, never by read-then-write. `test/runtime/storage/contract.ts` is the definition that each back
 * end must pass. Times are ms since the epoch and are given by the caller; where replicas could differ, the back end
 * uses its own clock.
 */
import type { AuditDraft, Checkpoint } from '../../protocol/audit.js'
import type { TokenChain, TokenRecord } from '../../protocol/token.js'
import type { AccountStore } from './account-store.js'
import type { AllowanceStore } from './allowance-store.js'
import type { ApprovalStore } from './approval-contract.js'
import type { AuditLog, IdempotencyKey } from './audit-contract.js'
import type { OperatorStore } from './operator-store.js'
import type { BindingStore } from './binding-store.js'
import type { ConnectionStore } from './connection-store.js'
import type { OutboxStore, OutgoingEvent } from './outbox-store.js'
import type { RowTexts } from './row-texts.js'
import type { StandingStore } from './standing-store.js'
import type { SessionStore } from './session-store.js'

export type * from './operator-store.js'
export type * from './outbox-store.js'
export type { AccountStore } from './account-store.js'
export type { AllowanceStore } from './allowance-store.js'
export type * from './approval-contract.js'
export type * from './audit-contract.js'
export type { BindingStore, StoredBinding } from './binding-store.js'
export type * from './connection-store.js'
export type { ConsoleSession, LiveSession, SessionsOf, SessionStore } from './session-store.js'
export type { FoundRequest, NamedAccount, StandingStore } from './standing-store.js'
export type { FinishedStep, StoredDecision, StoredHistory, StoredRequest } from './stored-request.js'

export interface Storage {
  /** Whether other processes may serve from the same store. */
  readonly isShared: boolean
  readonly tokens: TokenStore
  readonly accounts: AccountStore
  readonly approvals: ApprovalStore
  readonly leases: LeaseStore
  readonly rates: RateStore
  readonly ledger: Ledger
  readonly allowances: AllowanceStore
  readonly bindings: BindingStore
  readonly idempotency: IdempotencyStore
  readonly intents: IntentStore
  readonly audit: AuditLog
  readonly checkpoints: CheckpointStore
  readonly operators: OperatorStore
  readonly outbox: OutboxStore
  readonly sessions: SessionStore
  readonly connections: ConnectionStore
  readonly rowTexts: RowTexts
  readonly standing: StandingStore
  /** A number from 1 that was never given before, to any replica. `invocation-ids.ts` makes invocation ids from it. */
  nextBlock(): Promise<number>
  /** A random key that all replicas share: the candidate, if nobody has made one of this name before. */
  secret(name: string, candidate: string): Promise<string>
  /** The service that the store belongs to: the given one, if nobody has claimed it before. */
  belongsTo(serviceId: string): Promise<string>
  readonly clock: ClockStore
  /** The back end's own clock, ms. With an embedded store it is the clock the store was opened with. */
  now(): Promise<number>
  /** Throws `StorageUnavailable`, within a second or so, unless the store can read and write. */
  ready(): Promise<void>
  /** Removes rows that nothing can need any more, in bounded batches. */
  sweep(now: number): Promise<void>
  /** Sentences for the operator about the database: who else can change it. */
  readonly remarks?: readonly string[]
  /** Moves a grown write-ahead log into its file; returns the bytes that a reader holds back. Only SQLite has one. */
  foldLog?(): Promise<number>
  close(): Promise<void>
}

/** What processes have vouched for, so that a later one knows a clock that was set ahead. */
export interface ClockStore {
  state(): Promise<ClockState>
  /** Vouches for a time, ms, and ends the doubt. */
  confirm(at: number): Promise<void>
  /** Keeps that a clock is doubted: of several that say so, the first time and the longest wait. */
  doubt(doubt: ClockDoubt): Promise<void>
}

export interface ClockState {
  /** The latest time, ms, that a process had reason to believe. */
  readonly confirmed?: number
  readonly doubted?: ClockDoubt
}

export interface ClockDoubt {
  /** The time, ms since the epoch, of which the clock was ahead. */
  readonly vouched: number
  /** How long processes have run since, ms. */
  readonly waited: number
}

/** Thrown by any verb when the back end cannot answer; the caller answers `service_unavailable`. */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable'
}

export interface TokenStore {
  /**
   * Stores a token durably, its claims as they were `written` as JSON. Rejects with `DuplicateId` if the id is taken.
   */
  insert(record: TokenRecord, written?: string): Promise<void>
  /** The token and all its ancestors, root first, in one read. */
  chain(tokenId: string): Promise<TokenChain | undefined>
  /**
   * Marks a token revoked in one write, whatever the size of the tree; descendants end with it because chains are
   * checked at use. Durable and visible to every replica when it returns. Gives the number of descendants, or undefined
   * if unknown. The event is written in the same transaction, where there is one.
   */
  revoke(tokenId: string, at: number, event?: OutgoingEvent): Promise<number | undefined>
}

export class DuplicateId extends Error {
  override readonly name = 'DuplicateId'
}

export interface LeaseStore {
  /** Takes the lease if it is free or lapsed, until now + ttl by the back end's clock. */
  acquire(key: string, owner: string, ttlMs: number): Promise<boolean>
  /** Extends it, if the owner still holds it. */
  renew(key: string, owner: string, ttlMs: number): Promise<boolean>
  /** Gives it up, if the owner still holds it. */
  release(key: string, owner: string): Promise<void>
}

/** Places that were taken; when there was none, the ms until there is one. */
export type Taken =
  | { readonly places: number; readonly waitMs?: never }
  | { readonly places: 0; readonly waitMs: number }

export interface RateStore {
  /**
   * Takes up to `wanted` places under a name: as many as its bucket has, which holds `perMinute` (1 at least) and fills
   * steadily by the back end's clock. Whatever is taken, on whichever replica, is taken from one bucket.
   */
  take(name: string, wanted: number, perMinute: number): Promise<Taken>
}

/** A cumulative ceiling on one token of a chain, in minor units. */
export interface Ceiling {
  readonly tokenId: string
  readonly maxUnits: bigint
  /** The event that goes with a reservation by which so many units, or more, are spent and held. */
  readonly threshold?: { readonly units: bigint; readonly eventAt: (spentUnits: bigint) => OutgoingEvent } | undefined
}

export type Reservation =
  | { readonly held: true; readonly spentUnits: bigint }
  | { readonly held: false; readonly tokenId: string; readonly spentUnits: bigint }

export interface Ledger {
  /**
   * Reserves the amount under every ceiling, or under none. `spentUnits` is that of the last ceiling, the hold
   * included.
   */
  reserve(holdId: string, ceilings: readonly Ceiling[], units: bigint): Promise<Reservation>
  /** Spent and held under a token, in minor units. */
  spent(tokenId: string): Promise<bigint>
  /** What a hold reserves, under how many ceilings; undefined for one that is settled. */
  held(holdId: string): Promise<{ readonly units: bigint; readonly ceilings: number } | undefined>
}

export type IdempotencyStart =
  | { readonly state: 'started' | 'in_progress' | 'conflict' }
  | { readonly state: 'answered'; readonly status: number; readonly body: string }

export interface IdempotencyStore {
  /**
   * Claims the key for one invocation, or says what became of the first one. A claim lapses at `expiresAt`; and after 5
   * s while no intent stands behind it, because then nothing can have happened under it.
   */
  start(
    key: IdempotencyKey,
    digest: string,
    invocationId: string,
    expiresAt: number,
    vouched?: number,
  ): Promise<IdempotencyStart>
  /** Frees a claim whose invocation had no effect and gave no answer worth keeping. */
  abandon(key: IdempotencyKey, invocationId: string): Promise<void>
  /**
   * Frees a key with the answer that was given for an invocation that was presumed dead, and is known to have done
   * nothing.
   */
  retract(key: IdempotencyKey, invocationId: string): Promise<void>
}

/**
 * What is durable before a handler with effects runs; it becomes an entry with `outcome_unknown` if no outcome follows.
 */
export interface Intent {
  readonly invocation_id: string
  /** The process that runs the handler; an intent is an orphan when its owner's lease has lapsed. */
  readonly owner: string
  /** The entry to write if the outcome stays unknown. */
  readonly draft: AuditDraft
  readonly hold_id?: string
  readonly idempotency?: IdempotencyKey
  /** ms since the epoch. */
  readonly started_at: number
}

export interface IntentStore {
  /**
   * Durable when it returns. Rejects with `DuplicateId` if the invocation has an intent, and with `StorageUnavailable`
   * if its claim on an idempotency key has lapsed: then another invocation may act under that key.
   */
  record(intent: Intent): Promise<void>
  /** Intents whose owner holds no `process:<owner>` lease. */
  orphans(limit: number): Promise<readonly Intent[]>
}

export interface CheckpointStore {
  /** Stores a signed checkpoint if its sequence is one above the last; false when another replica was first. */
  insert(checkpoint: Checkpoint): Promise<boolean>
  latest(): Promise<Checkpoint | undefined>
  get(id: string): Promise<Checkpoint | undefined>
  /** Newest first, of lower sequences than `before`. */
  list(limit: number, before?: number): Promise<readonly Checkpoint[]>
}
