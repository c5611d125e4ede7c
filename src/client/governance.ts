import { assertSupportedDiscovery } from './supported.js'
import type {
  ApprovalGrant,
  ApprovalRequest,
  GrantRequest,
  GrantRevocation,
  PendingApproval,
} from '../protocol/approval.js'
import type { AnsweredEntry, CheckpointDetail, CheckpointList } from '../protocol/audit.js'
import type { DiscoveryDocument } from '../protocol/discovery.js'
import type { Permissions } from '../protocol/permissions.js'
import type { RevocationResponse, TokenRequest, TokenResponse } from '../protocol/token.js'
import type { ApprovalState, EventClass } from '../protocol/words.js'
import type { Answer, Refused } from './outcome.js'
import type { ManifestOptions, VerifiedManifest } from './manifest.js'
import type { FailureType } from '../protocol/failures.js'
import type { AnyOutcome, MethodOptions } from './invoke.js'
import type { PendingCall, WaitOptions } from './pending-call.js'
import { ask, pathWith, PATHS, type Connection } from './transport.js'

/** A narrower token was issued; `client` speaks with it. */
export type Delegation<Client> =
  | { readonly success: true; readonly token: TokenResponse; readonly client: Client }
  | { readonly success: false; readonly failure: Refused<FailureType> }

/** Filters of the trail; they combine with AND. */
export interface AuditFilter {
  readonly capability?: string
  /** RFC 3339; entries after it. */
  readonly since?: string
  readonly until?: string
  readonly invocation_id?: string
  readonly client_reference_id?: string
  readonly task_id?: string
  readonly parent_invocation_id?: string
  readonly approval_request_id?: string
  readonly event_class?: EventClass
  readonly success?: boolean
  /** 1 to 1,000; 100 when absent. */
  readonly limit?: number
  readonly cursor?: string
}

export interface AuditPage {
  /** Newest first. */
  readonly entries: readonly AnsweredEntry[]
  readonly count: number
  readonly next_cursor?: string
}

export interface ApprovalFilter {
  /** Approvers ask for `pending`: then root principals take turns. Else the newest are first, whoever asked. */
  readonly status?: ApprovalState
  readonly capability?: string
  readonly limit?: number
  readonly cursor?: string
}

export interface ApprovalPage {
  readonly approval_requests: readonly ApprovalRequest[]
  readonly next_cursor?: string
}

/** Operations of approvers and requesters (section 4.7). */
export interface Approvals {
  list(filter?: ApprovalFilter): Promise<Answer<ApprovalPage>>
  /** With `wait`, answers when the request is decided, or after so many seconds. */
  read(
    id: string,
    options?: { readonly wait?: number; readonly signal?: AbortSignal },
  ): Promise<Answer<ApprovalRequest>>
  /** The grant, or how many have approved while others must, too. */
  grant(request: GrantRequest): Promise<Answer<ApprovalGrant | PendingApproval>>
  /** With `holds: false` the request is sent back: the caller is answered once with the reason, and may ask again. */
  deny(id: string, reason?: string, options?: { readonly holds?: boolean }): Promise<Answer<ApprovalRequest>>
  /** Takes a request back; of an approved one, what is left of its grant. */
  withdraw(id: string): Promise<Answer<ApprovalRequest>>
  /** Takes back what is left of a grant that one gave. */
  revoke(grantId: string, reason?: string): Promise<Answer<GrantRevocation>>
}

export interface CheckpointQuery {
  readonly leaf_index?: number
  readonly invocation_id?: string
  readonly consistency_from?: string
}

export interface CheckpointListQuery {
  /** RFC 3339: only those made after this time. */
  readonly since?: string
  readonly limit?: number
  /** The `next_cursor` of the page before. */
  readonly cursor?: string
}

export interface Checkpoints {
  list(query?: CheckpointListQuery): Promise<Answer<CheckpointList>>
  read(id: string, query?: CheckpointQuery): Promise<Answer<CheckpointDetail>>
}

/** Operations of every client, for any service. */
export interface Governance<Client> {
  /** Issues a token that narrows the authority of this client, and gives a client that speaks with it. */
  delegate(request: TokenRequest): Promise<Delegation<Client>>
  /** Ends a token and everything below it. */
  revoke(tokenId: string): Promise<Answer<RevocationResponse>>
  /** Returns what this client's token may call, and what it lacks (section 4.5). */
  permissions(): Promise<Answer<Permissions>>
  /** The trail of this token's root principal (section 4.8). */
  audit(filter?: AuditFilter): Promise<Answer<AuditPage>>
  /**
   * Throws when the service is of a newer version than this client knows, or says what it does not know (section 9.6).
   */
  discovery(): Promise<Answer<DiscoveryDocument>>
  /**
   * The manifest, after its signature was verified; throws when it does not hold, when no key is pinned, and when it
   * says what this client does not know.
   */
  manifest(options?: ManifestOptions): Promise<VerifiedManifest>
  /** Calls a capability by its name, as adapters do; its types are not known here. */
  invoke(capability: string, parameters?: object, options?: MethodOptions): Promise<AnyOutcome>
  /**
   * Continues a call that needed an approval if it was approved, also after a restart; `{ wait: true }` waits for the
   * decision first.
   */
  resume(pending: PendingCall, options?: WaitOptions): Promise<AnyOutcome>
  readonly approvals: Approvals
  readonly checkpoints: Checkpoints
}

const query = (filter: object | undefined) =>
  ({ ...filter }) as { readonly [name: string]: string | number | boolean | undefined }

const REQUEST = { approval_request_id: 'string', capability: 'string', status: 'string' } as const

export const approvalsOf = (connection: Connection): Approvals => ({
  list: (filter) =>
    ask(connection, PATHS.approval_list, { method: 'GET', query: query(filter) }, { approval_requests: 'list' }),
  read: async (id, { wait, signal } = {}) =>
    ask(
      connection,
      pathWith(PATHS.approval_read, id),
      {
        method: 'GET',
        query: { wait },
        signal,
        waitMs: (wait ?? 0) * 1000,
      },
      REQUEST,
    ),
  grant: (request) => ask(connection, PATHS.approval_grants, { body: request }, { approval_request_id: 'string' }),
  deny: (id, reason, { holds } = {}) => {
    const body = { ...(reason !== undefined && { reason }), ...(holds !== undefined && { holds }) }
    return ask(connection, pathWith(PATHS.approval_deny, id), { body }, REQUEST)
  },
  withdraw: async (id) => ask(connection, pathWith(PATHS.approval_withdraw, id), { body: {} }, REQUEST),
  revoke: async (id, reason) =>
    ask(
      connection,
      pathWith(PATHS.approval_grant_revoke, id),
      { body: reason === undefined ? {} : { reason } },
      { grant_id: 'string' },
    ),
})

export const checkpointsOf = (connection: Connection): Checkpoints => ({
  list: (filter) =>
    ask(connection, PATHS.checkpoints, { method: 'GET', query: query(filter) }, { checkpoints: 'list' }),
  read: async (id, filter) =>
    ask(connection, pathWith(PATHS.checkpoint, id), { method: 'GET', query: query(filter) }, { merkle_root: 'string' }),
})

export async function readDiscovery(connection: Connection): Promise<Answer<DiscoveryDocument>> {
  const answer = await ask<DiscoveryDocument>(connection, PATHS.discovery, { method: 'GET' })
  if (answer.success) assertSupportedDiscovery({ ...answer.result })
  return answer
}

export const readPermissions = (connection: Connection): Promise<Answer<Permissions>> =>
  ask(connection, PATHS.permissions, { body: {} }, { available: 'list', restricted: 'list', denied: 'list' })

export const auditOf = (connection: Connection, filter: AuditFilter | undefined): Promise<Answer<AuditPage>> =>
  ask(connection, PATHS.audit, { query: query(filter) }, { entries: 'list' })

export const requestRevocation = (connection: Connection, token_id: string): Promise<Answer<RevocationResponse>> =>
  ask(connection, PATHS.revoke, { body: { token_id } }, { token_id: 'string' })
