/** What a storage back end promises of approval requests and grants (sections 2.12 and 4.7). */
import type { ApprovalGrant } from '../../protocol/approval.js'
import type { ProvenBy } from '../../protocol/credential.js'
import type { Principal } from '../../protocol/principals.js'
import type { ApprovalState, GrantType } from '../../protocol/words.js'
import type { OutgoingEvent } from './outbox-store.js'
import type { StoredHistory, StoredRequest } from './stored-request.js'

export interface RequestFilter {
  readonly status?: ApprovalState
  /** Requests for these capabilities, when given. */
  readonly capabilities?: readonly string[]
  /** With `capabilities`: requests whose tier has one of these scopes; those of the capabilities have none. */
  readonly approverScopes?: readonly string[]
  /** Requests of this root principal, when given; with `capabilities`, either suffices. */
  readonly rootPrincipal?: Principal
  /** Of those of the root principal, only this requester's. */
  readonly subject?: Principal
  /** Only requests for this capability. */
  readonly capability?: string
  readonly limit: number
  /** Only requests that come after this one in the order of the list. */
  readonly after?: string
}

export type ApprovalOpening =
  | { readonly outcome: 'created' | 'pending'; readonly request: StoredRequest }
  | { readonly outcome: 'too_many'; readonly limit: keyof OpeningLimits }

/**
 * How many requests may be opened: pending ones of a requester, of a root token with all below it, and of a root
 * principal; and all of the root principal in a minute. Names of requesters cost nothing, so the wider limits are those
 * that bound (threat G15).
 */
export interface OpeningLimits {
  readonly pending: number
  readonly pendingOfChain: number
  readonly pendingOfRoot: number
  readonly perMinute: number
}

/** Where a change happens, the event that reports it is written in its transaction. */
export interface ApprovalStore {
  /**
   * Opens a request, or gives back the pending, unexpired one of the same requester (subject and root principal),
   * capability and digest. `too_many` when one of the limits is met; those on pending ones are exact, whatever races.
   */
  open(request: StoredRequest, limits: OpeningLimits, event?: OutgoingEvent): Promise<ApprovalOpening>
  /** A pending request that is past `expires_at` by the back end's clock reads as `expired`. */
  get(id: string): Promise<StoredRequest | undefined>
  /**
   * Newest first. Pending ones of named capabilities take turns by root principal instead: the newest of each, then the
   * next of each, so that one that asks for much hides nobody's request.
   */
  list(filter: RequestFilter): Promise<readonly StoredRequest[]>
  /** The number of requests of a list that fit into a page of `PAGE_BYTES`; `limit`, where all do. */
  fitting(filter: RequestFilter): Promise<number>
  /**
   * What became of earlier requests for the very same call; refusals of people only where they were decided after a
   * time (RFC 3339).
   */
  earlier(call: SameCall, since: Since): Promise<EarlierRequests>
  /**
   * Moves pending and unexpired to withdrawn; of an approved request, ends the grant if it has a use left. Undefined
   * when there was nothing to take back.
   */
  withdraw(id: string, at: string, event?: OutgoingEvent): Promise<StoredRequest | undefined>
  /**
   * Moves pending and unexpired to denied or returned; undefined when another decision, the expiry or a revocation came
   * first.
   */
  deny(
    id: string,
    decision: RequestDecision,
    event?: OutgoingEvent,
    status?: 'denied' | 'returned',
  ): Promise<StoredRequest | undefined>
  /** Notes that the requester was answered with the decision; true for the first answer only. */
  answered(id: string): Promise<boolean>
  /**
   * Moves pending and unexpired to approved and stores the grant, in one step; undefined when something came first, as
   * above. Of a request that needs several approvals it is the last one: nothing happens unless those that were counted
   * are still all there are, none of a revoked token, and it is somebody else's.
   */
  approve(
    grant: ApprovalGrant,
    decision: RequestDecision,
    event?: OutgoingEvent,
    quorum?: Quorum,
  ): Promise<StoredRequest | undefined>
  /** Adds one approval of several, while the request is pending and the others are those that were seen. */
  give(id: string, given: ApprovalGiven, seen: Pick<Quorum, 'counted' | 'lapsed'>): Promise<Giving>
  /** Approvals that may still lead to a call: behind grants with a use left, and given to pending requests. */
  lent(): Promise<readonly LentApproval[]>
  /** Takes one approval of several away from a pending request; false where there was none. */
  lapse(id: string, approver: Principal): Promise<boolean>
  /** The approvals that a request has, oldest first. */
  given(id: string): Promise<readonly ApprovalGiven[]>
  /** Other requests of the same requester for the same capability, and what became of them. */
  history(request: StoredRequest): Promise<StoredHistory>
  grant(grantId: string): Promise<StoredGrant | undefined>
  /**
   * Ends a grant that has a use left and is not over; gives the request that it answered, or undefined where there was
   * none.
   */
  revokeGrant(grantId: string): Promise<StoredRequest | undefined>
  /**
   * Takes one use for an invocation if the grant is unexpired by the back end's clock, not revoked, and has one left.
   */
  spend(grantId: string, invocationId: string): Promise<boolean>
}

/** Times (RFC 3339) after which an earlier refusal of a person counts. */
export interface Since {
  readonly denied: string
  readonly returned: string
}

/** A call as it is compared with the one that an approval was asked for. */
export interface SameCall {
  readonly subject: Principal
  readonly rootPrincipal: Principal
  readonly capability: string
  /** Of the resolved parameters. */
  readonly digest: string
  readonly sessionId: string | undefined
  readonly taskId: string | undefined
}

export interface EarlierRequests {
  /** An unexpired grant with a use left, of the same requester in the same session and task. */
  readonly grantId?: string
  /** The invocation that spent the last grant of the same requester within 24 h. */
  readonly spent?: {
    readonly invocationId: string
    /** Its intent is open, and it is of the same session and task. */
    readonly isRunning: boolean
  }
  /** The last denial for the same root principal, whoever asked on its behalf. */
  readonly denied?: StoredRequest
  /** The last request of the same requester that was sent back, and that it was not answered with. */
  readonly returned?: StoredRequest
}

export interface RequestDecision {
  readonly approver: Principal
  /** What proved the approver, where that is known. */
  readonly credential?: ProvenBy | undefined
  /** RFC 3339. */
  readonly decided_at: string
  readonly reason: string | null
  /** Whose authority it is made by: the approver's alone, or the names of a token's whole chain. */
  readonly by?: readonly Principal[]
  /** Ids of the tokens that the approver acts by: the decision is not made if one of them is revoked by then. */
  readonly standing?: readonly string[]
  /** Authenticates the decision where it closes its request (`runtime/rows`). */
  readonly decidedMac?: string
}

/** One approval of several, and what its approver would grant. */
export interface ApprovalGiven extends RequestDecision {
  readonly terms: GrantTerms
  /** Authenticates it (`runtime/rows`). */
  readonly mac?: string
  /** Set by the service where the MAC is wrong: nobody gave this approval. */
  readonly isForged?: true
}

/** An approval that may still lead to a call; `grant_id` is absent while others must approve, too. */
export interface LentApproval extends Pick<RequestDecision, 'approver' | 'by' | 'credential'> {
  readonly approval_request_id: string
  readonly grant_id?: string
}

/** What a grant will allow, within the policy of its request. */
export interface GrantTerms {
  readonly grant_type: GrantType
  readonly session_id: string | null
  readonly expires_in_seconds: number
  readonly max_uses: number
}

/** What was known of a request's approvals when the next one was given. */
export interface Quorum {
  /** Those that count. */
  readonly counted: readonly ApprovalGiven[]
  /** Those of whoever has lost the authority since: they are taken away. */
  readonly lapsed: readonly ApprovalGiven[]
  readonly terms: GrantTerms
  /** Authenticates the last approval. */
  readonly mac?: string
}

/** `changed`: there are others than those that were seen, or a token ended; look again. */
export type GivingOutcome = 'given' | 'changed' | 'same_person' | 'closed'

export interface Giving {
  readonly outcome: GivingOutcome
  /** Where it was given. */
  readonly request?: StoredRequest
}

export interface StoredGrant {
  readonly grant: ApprovalGrant
  /** The decision as it is stored with its request, where it has a MAC, for whoever judges that (`runtime/rows`). */
  readonly decision?: Pick<StoredRequest, 'status' | 'approver' | 'decided_at' | 'reason' | 'decided'>
  readonly uses: number
  /** It was taken back while it had a use left. */
  readonly isRevoked: boolean
  /** Whose authority it was given by, where that was recorded. */
  readonly givenBy?: readonly Principal[]
  /** The credential that stood behind it, where that was recorded. */
  readonly givenWith?: ProvenBy
  /** The scope of the tier that its request was decided by, where it fell into one. */
  readonly tier?: string
}
