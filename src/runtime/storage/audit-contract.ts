/** What a storage back end promises of the audit trail; `contract.ts` has the rest. */
import type { AuditDraft, AuditEntry, Erased } from '../../protocol/audit.js'
import type { Principal } from '../../protocol/principals.js'
import type { OutgoingEvent } from './outbox-store.js'

export interface IdempotencyKey {
  readonly subject: Principal
  readonly capability: string
  readonly key: string
}

/** One entry and everything that must become true together with it. */
export interface Settlement {
  readonly draft: AuditDraft
  /** ms that the entry is kept where its capability declares nothing; for ever, when absent. */
  readonly retentionMs?: number | undefined
  /** The intent that this outcome closes. */
  readonly closesIntent?: string | undefined
  readonly hold?: SettledHold | undefined
  /** The answer to remember under an idempotency key. */
  readonly answer?:
    | {
        readonly key: IdempotencyKey
        readonly invocationId: string
        readonly status: number
        readonly body: string
      }
    | undefined
  /** The claim on an idempotency key that is given back, because nothing was done under it. */
  readonly givesBack?: { readonly key: IdempotencyKey; readonly invocationId: string } | undefined
  /** The invocation of unknown outcome that it settles; nothing of it is applied where another has settled that one. */
  readonly resolves?: string | undefined
  /** Authenticates that resolution (`runtime/rows`). */
  readonly resolutionMac?: string | undefined
  /** The event that reports it. */
  readonly event?: OutgoingEvent | undefined
}

/** Settles a hold to the units really spent; 0 releases it. */
export interface SettledHold {
  readonly holdId: string
  readonly units: bigint
  /** Under how many ceilings it was reserved. */
  readonly ceilings: number
}

/** An entry with its sequence, the exact text that is hashed, and its leaf hash. */
export interface SealedEntry {
  readonly entry: AuditEntry
  /** JCS form. */
  readonly text: string
  readonly leafHash: Uint8Array
  /** ms since the epoch from which retention may erase its content; never, when absent. It cannot be changed later. */
  readonly erasableFrom?: number | undefined
}

/** Where nothing else says how long an entry is kept, it is kept for so many ms; for ever without them. */
export type Seal = (draft: AuditDraft, sequence: number, retentionMs?: number) => SealedEntry

export interface EntryFilter {
  readonly rootPrincipal?: string
  readonly capability?: string
  readonly invocation_id?: string
  readonly client_reference_id?: string
  readonly task_id?: string
  readonly parent_invocation_id?: string
  readonly approval_request_id?: string
  readonly event_class?: string
  readonly success?: boolean
  /** Exclusive, RFC 3339 in UTC with ms. */
  readonly since?: string
  /** Inclusive. */
  readonly until?: string
  /** Only entries that come after the one with this sequence in the answer's order: those of the next page. */
  readonly beforeSequence?: number
  /** Only entries up to and with the one with this sequence in the answer's order: those that `reach` has allowed. */
  readonly downToSequence?: number
  readonly limit: number
}

/** What retention erases at once. */
export interface Erasure {
  /** ms since the epoch: entries that are erasable from then or earlier, and not from after the newest entry. */
  readonly due: number
  readonly limit: number
  readonly account: ErasureAccount
}

/** Makes the entry of an erasure from what is erased and the time of the store, ms since the epoch. */
export interface ErasureAccount {
  readonly draft: (erased: Erased, now: number) => AuditDraft
  readonly seal: Seal
}

/** A node of the Merkle tree: level 0 are leaves. Only perfect subtrees are stored. */
export interface NodeId {
  readonly level: number
  readonly index: number
}

export interface AuditLog {
  /**
   * Gives each draft the next sequence, seals and stores it, extends the Merkle tree, and applies what its settlement
   * says, all in one transaction for the whole batch. Durable when it returns. Sequences have no gaps or repeats across
   * replicas. Of a settlement whose intent another process has closed, or whose invocation another has resolved, nothing
   * is applied: its place in the answer is undefined. The batch is taken, once, only when it is this writer's turn, so that all that arrive before share the
   * transaction.
   */
  append(take: () => readonly Settlement[], seal: Seal): Promise<readonly (SealedEntry | undefined)[]>
  /**
   * The sequence of the last of so many entries of the root principal that a page may walk over; undefined where there
   * are fewer.
   */
  reach(filter: EntryFilter, rows: number): Promise<number | undefined>
  /** The number of entries of a query that fit into a page of `PAGE_BYTES`; `limit`, where all do. */
  fitting(filter: EntryFilter): Promise<number>
  /** Newest first: by timestamp, and among equals by sequence. */
  query(filter: EntryFilter): Promise<readonly AuditEntry[]>
  /**
   * Entries of all principals from before a sequence, or from the newest on, that were not erased; by sequence, newest
   * first. Those of one page of `PAGE_BYTES` at most: only an empty answer is the end.
   */
  newest(beforeSequence: number | undefined, limit: number): Promise<readonly AuditEntry[]>
  /**
   * Entries from a sequence on, oldest first, as the very text that was hashed; null where retention erased it. Those
   * of one page of `PAGE_BYTES` at most: only an empty answer is the end.
   */
  texts(
    fromSequence: number,
    limit: number,
  ): Promise<readonly { readonly sequence: number; readonly text: string | null }[]>
  /**
   * The first entry that was recorded at a time or later, taking entries to be recorded in order; the next one, where
   * there is none.
   */
  firstSince(time: number): Promise<number>
  /** Sequence of an invocation's entry; its leaf index is one less. */
  sequenceOf(invocationId: string): Promise<number | undefined>
  size(): Promise<number>
  /** How many entries of a range, both ends included, queries can find: all of them, unless somebody hid one. */
  indexed(from: number, to: number): Promise<number>
  /** Hashes of stored nodes, in the order asked; each must exist. */
  nodes(ids: readonly NodeId[]): Promise<readonly Uint8Array[]>
  /**
   * Erases the content of entries whose time has come, never their leaf hashes, and appends the entry that accounts for
   * it, in one transaction. Gives how many.
   */
  erase(erasure: Erasure): Promise<number>
}
