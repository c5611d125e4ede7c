/** Bytes after which a page of rows ends, whatever number of rows was asked for; it has one row at least. */
export const PAGE_BYTES = 4 * 1024 * 1024

/** The same of rows that anybody may read. */
export const PUBLIC_PAGE_BYTES = 128 * 1024

/** Bounds of one service process; every one can be set in `ServiceOptions.limits` (decisions, section 9). */
export interface RuntimeLimits {
  /** Bytes of a request body. */
  readonly bodyBytes: number
  /** Bytes of a request body of somebody who has not shown who they are. */
  readonly bodyBytesOfUnknown: number
  /** Bytes of a request body that revokes, takes back, denies or withdraws, or is an operator's. */
  readonly bodyBytesReserved: number
  /**
   * Bytes of all request bodies that are not complete yet, in each process: 85 % for callers who are known, 10 % for
   * revocation and operators, 5 % for everybody else.
   */
  readonly bodyBytesInFlight: number
  /** The same of one root principal. */
  readonly bodyBytesInFlightPerPrincipal: number
  /** Of these, bytes of a root token and those below it; of each token below another, half of what that one has. */
  readonly bodyBytesInFlightPerToken: number
  /** ms without progress after which a body ends where half of its pool, or of its sender's share, is taken. */
  readonly bodyStallMs: number
  /**
   * Bytes of answers that their clients have not taken yet, in each process: three quarters for callers who are known, a
   * quarter for everybody else. Beyond them the connection ends that has waited longest for its client. A connection
   * that takes nothing for `requestTimeoutMs` also ends.
   */
  readonly answerBytesUnread: number
  /** The same of one root principal, or of one network of unknown callers; at most half of what they share. */
  readonly answerBytesUnreadPerCaller: number
  /** Nesting of a JSON body. */
  readonly jsonDepth: number
  /** Members of all objects of a JSON body together: thousands of names take long to parse. */
  readonly jsonMembers: number
  /** Arrays, objects, and values after a comma of a JSON body: hundreds of thousands take long to parse and to check. */
  readonly jsonValues: number
  /** Bytes of the header block of a request; a load balancer may add its own cookies of 4 kB each. */
  readonly headerBytes: number
  readonly scopesPerToken: number
  /** Bytes of the claims of one token as UTF-8, so that its JWT fits into a header block. */
  readonly claimsBytes: number
  /**
   * Sockets that may be open at a time. From nine tenths on, one that waits for its client makes room for a new one. A
   * root principal has an eighth of the number for calls and a fortieth for questions that wait, an agent half of both.
   */
  readonly connections: number
  /**
   * ms that a connection without a request stays open: longer than a proxy in front keeps it, which would otherwise
   * send a request into a connection that is being closed. nginx and AWS load balancers keep 60 s.
   */
  readonly keepAliveMs: number
  /** ms until a unary request must be answered. */
  readonly requestTimeoutMs: number
  /** ms that a handler may take before its signal is aborted. */
  readonly handlerTimeoutMs: number
  /** The same where the caller follows it as a stream. */
  readonly streamTimeoutMs: number
  /** ms that a bootstrap hook may take. */
  readonly authenticateTimeoutMs: number
  /** ms that a resolver, an actor policy, a binding resolver or a remote signer may take. */
  readonly hookTimeoutMs: number
  /** ms that requests in flight may take after a stop was asked for. */
  readonly shutdownMs: number
  /** Seconds by which clocks may differ; 0 to 30. */
  readonly clockToleranceSeconds: number
  readonly pendingApprovalsPerRequester: number
  /** Pending approval requests of one root token and all tokens below it, whatever their subjects are called. */
  readonly pendingApprovalsPerChain: number
  /** Pending approval requests of one root principal. */
  readonly pendingApprovalsPerRoot: number
  /** Approvals per minute that may be asked for on behalf of one root principal, over all replicas. */
  readonly approvalRequestsPerMinute: number
  /** ms that an answer is remembered under its idempotency key. */
  readonly idempotencyMs: number
  /** Verified tokens that are remembered. */
  readonly tokenCacheEntries: number
  /** ms after which the lease of a stopped process lapses. */
  readonly leaseMs: number
  /** Invocations per minute of one principal and capability, over all replicas. */
  readonly invocationsPerMinute: number
  /**
   * Audit entries per minute of refused calls of one root principal, over all replicas; beyond it a refused call is
   * answered with
   * `rate_limited` and counted, and the counts share one entry a minute.
   */
  readonly refusalsPerMinute: number
  /** ms that the entry of a refused call is kept where its capability declares no retention. */
  readonly refusalRetentionMs: number
  /**
   * Queries of the trail per minute of one root principal, over all replicas; and how many may run at a time in each
   * process.
   */
  readonly auditQueriesPerMinute: number
  readonly auditQueriesAtOnce: number
  /** Entries that one query of the trail walks over at most; where its filter needs more, it answers a cursor. */
  readonly auditRowsPerQuery: number
  /** Bytes of the text of one audit entry: beyond them its fields are kept as their length and digest. */
  readonly auditEntryBytes: number
  /** Bytes of one logged field of an entry: of a longer one its beginning, its length and its digest are kept. */
  readonly auditFieldBytes: number
  /** Bytes of the parameters and the preview of a call that asks for an approval. */
  readonly approvalBytes: number
  /** Tokens per minute that one principal may issue, over all replicas. */
  readonly tokensPerMinute: number
  /** Unknown bootstrap credentials per minute and client address, in each process. */
  readonly badCredentialsPerMinute: number
  /** Messages over MCP per minute on behalf of one root principal, over all replicas. */
  readonly mcpMessagesPerMinute: number
  /** Streams that one principal may have open. */
  readonly streamsPerPrincipal: number
  /** Of these, streams that one delegate and those below it may have open; of a delegate below another, half of that. */
  readonly streamsPerDelegate: number
  /** Requests over stdio that run at a time; no more is read meanwhile. */
  readonly stdioConcurrency: number
  /** ms between the comment lines that keep a stream open. */
  readonly streamHeartbeatMs: number
  /** Seconds that a long poll waits at most, however long it asks to. */
  readonly longPollSeconds: number
  /** ms for which a published manifest is valid. */
  readonly manifestLifetimeMs: number
  /** Bytes of one handler's result. */
  readonly resultBytes: number
}

export const DEFAULT_LIMITS: RuntimeLimits = {
  bodyBytes: 1024 * 1024,
  bodyBytesOfUnknown: 4 * 1024,
  bodyBytesReserved: 16 * 1024,
  bodyBytesInFlight: 128 * 1024 * 1024,
  bodyBytesInFlightPerPrincipal: 32 * 1024 * 1024,
  bodyBytesInFlightPerToken: 8 * 1024 * 1024,
  bodyStallMs: 2_000,
  answerBytesUnread: 64 * 1024 * 1024,
  answerBytesUnreadPerCaller: 16 * 1024 * 1024,
  jsonDepth: 64,
  jsonMembers: 20_000,
  jsonValues: 50_000,
  headerBytes: 32 * 1024,
  scopesPerToken: 100,
  claimsBytes: 8 * 1024,
  connections: 10_000,
  keepAliveMs: 65_000,
  requestTimeoutMs: 30_000,
  handlerTimeoutMs: 25_000,
  streamTimeoutMs: 600_000,
  authenticateTimeoutMs: 5_000,
  hookTimeoutMs: 5_000,
  shutdownMs: 10_000,
  clockToleranceSeconds: 5,
  pendingApprovalsPerRequester: 100,
  pendingApprovalsPerChain: 200,
  pendingApprovalsPerRoot: 500,
  approvalRequestsPerMinute: 600,
  idempotencyMs: 24 * 3600 * 1000,
  tokenCacheEntries: 10_000,
  leaseMs: 10_000,
  invocationsPerMinute: 60_000,
  refusalsPerMinute: 600,
  refusalRetentionMs: 90 * 24 * 3600 * 1000,
  auditQueriesPerMinute: 1_200,
  auditQueriesAtOnce: 8,
  auditRowsPerQuery: 10_000,
  auditEntryBytes: 64 * 1024,
  auditFieldBytes: 8 * 1024,
  approvalBytes: 64 * 1024,
  tokensPerMinute: 6_000,
  badCredentialsPerMinute: 60,
  mcpMessagesPerMinute: 6_000,
  streamsPerPrincipal: 32,
  streamsPerDelegate: 16,
  stdioConcurrency: 64,
  streamHeartbeatMs: 15_000,
  longPollSeconds: 25,
  manifestLifetimeMs: 24 * 3600 * 1000,
  resultBytes: 16 * 1024 * 1024,
}
