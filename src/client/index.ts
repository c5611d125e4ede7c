/** The fixed part of every generated client. No dependencies; runs wherever `fetch` and WebCrypto do. */
export { connect, type ApprovableCall, type ClientOptions, type Registry } from './connect.js'
export type {
  ApprovalFilter,
  ApprovalPage,
  Approvals,
  AuditFilter,
  AuditPage,
  CheckpointQuery,
  Checkpoints,
  Delegation,
  Governance,
} from './governance.js'
export type { AnyOutcome, CallOptions, MethodOptions, Registration } from './invoke.js'
export type { ManifestOptions, VerifiedManifest } from './manifest.js'
export type {
  Answer,
  ApprovalRefusal,
  BindingRefusal,
  BudgetRefusal,
  CallRefusal,
  Declared,
  Failed,
  Outcome,
  Refused,
  Succeeded,
} from './outcome.js'
export type { PendingCall, WaitOptions } from './pending-call.js'
export type { RetryOptions } from './retry.js'
export type { ProgressEvent, Streaming } from './stream.js'
export { TransportError, type Credential } from './transport.js'
export type { ApprovalGrant, ApprovalRequest, GrantRequest, GrantRevocation } from '../protocol/approval.js'
export type { AnsweredEntry, AuditEntry, Checkpoint, CheckpointDetail } from '../protocol/audit.js'
export type { Failure, FailureType } from '../protocol/failures.js'
export type { BudgetContext } from '../protocol/invocation.js'
export type { Json, JsonObject } from '../protocol/manifest.js'
export type { Money } from '../protocol/money.js'
export type { Permissions } from '../protocol/permissions.js'
export type { Budget, TokenRequest, TokenResponse } from '../protocol/token.js'
export type { Tool } from '../protocol/tools.js'
