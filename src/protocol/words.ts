/** The closed word lists of the interface document. Each list is the only place of its words. */

/** Effects of a capability (section 2.4), from harmless to permanent. */
export const SIDE_EFFECTS = ['read', 'write', 'transactional', 'irreversible'] as const
export type SideEffectType = (typeof SIDE_EFFECTS)[number]

export const CAPABILITY_KINDS = ['atomic', 'composed'] as const
export type CapabilityKind = (typeof CAPABILITY_KINDS)[number]

export const RESPONSE_MODES = ['unary', 'streaming'] as const
export type ResponseMode = (typeof RESPONSE_MODES)[number]

export const TRUST_LEVELS = ['declarative', 'signed', 'anchored'] as const
export type TrustLevel = (typeof TRUST_LEVELS)[number]

/** Ways to determine an input value (section 2.6). */
export const RESOLUTION_MODES = [
  'closed_values', 'backend_resolved', 'actor_policy', 'actor_policy_or_explicit', 'app_selected', 'explicit_only', 'clarify',
] as const // prettier-ignore
export type ResolutionMode = (typeof RESOLUTION_MODES)[number]

/** Behaviours for a missing, ambiguous or unresolved value (section 2.6). */
export const RESOLUTION_BEHAVIOURS = [
  'clarify', 'use_default', 'use_actor_scope', 'app_select_or_clarify', 'deny', 'deny_or_clarify', 'omit',
] as const // prettier-ignore
export type ResolutionBehaviour = (typeof RESOLUTION_BEHAVIOURS)[number]

/** Input types that are checked; any other word is a domain type and is treated as a string (section 2.5). */
export const CHECKED_INPUT_TYPES = [
  'string', 'integer', 'number', 'boolean', 'date', 'datetime', 'duration', 'object', 'array', 'uri', 'email', 'uuid',
] as const // prettier-ignore
export type CheckedInputType = (typeof CHECKED_INPUT_TYPES)[number]

export const COST_CERTAINTIES = ['fixed', 'estimated', 'dynamic'] as const
export type CostCertainty = (typeof COST_CERTAINTIES)[number]

export const CONTROL_REQUIREMENTS = ['cost_ceiling', 'stronger_delegation_required'] as const
export type ControlRequirementType = (typeof CONTROL_REQUIREMENTS)[number]

export const PRINCIPAL_CLASSES = ['human', 'agent', 'service', 'oidc'] as const
export type PrincipalClass = (typeof PRINCIPAL_CLASSES)[number]

export const GRANT_TYPES = ['one_time', 'session_bound'] as const
export type GrantType = (typeof GRANT_TYPES)[number]

export const APPROVAL_COMPARISONS = ['equals', 'not_equals', 'in', 'above', 'at_least', 'below', 'at_most'] as const
export type ApprovalComparison = (typeof APPROVAL_COMPARISONS)[number]
export const COST_COMPARISONS = ['above', 'at_least'] as const
export type CostComparison = (typeof COST_COMPARISONS)[number]

export const CHILD_OUTCOMES = ['child_clarification', 'child_denial', 'child_approval_required', 'child_error'] as const
export type ChildOutcome = (typeof CHILD_OUTCOMES)[number]

export const FAILURE_POLICIES = ['propagate', 'fail_parent'] as const
export type FailurePolicyWord = (typeof FAILURE_POLICIES)[number]

export const EMPTY_RESULT_POLICIES = ['return_success_no_results', 'clarify', 'deny'] as const
export type EmptyResultPolicy = (typeof EMPTY_RESULT_POLICIES)[number]

export const CROSS_SERVICE_LISTS = ['handoff_to', 'refresh_via', 'verify_via', 'followup_via'] as const
export type CrossServiceList = (typeof CROSS_SERVICE_LISTS)[number]

export const CONTRACT_LISTS = ['handoff', 'followup', 'verification'] as const
export type ContractList = (typeof CONTRACT_LISTS)[number]

export const COMPLETION_MODES = ['downstream_acceptance', 'followup_status', 'verification_result'] as const
export type CompletionMode = (typeof COMPLETION_MODES)[number]

export const SESSION_TYPES = ['stateless', 'continuation', 'workflow'] as const
export type SessionType = (typeof SESSION_TYPES)[number]

export const DISCLOSURE_LEVELS = ['full', 'reduced', 'redacted'] as const
export type DisclosureLevel = (typeof DISCLOSURE_LEVELS)[number]

export const MANIFEST_READERS = ['public', 'bearer'] as const
export type ManifestReaders = (typeof MANIFEST_READERS)[number]

/** Rule for concurrent invocations of one token (section 4.4). */
export const CONCURRENT_BRANCHES = ['allowed', 'exclusive'] as const
export type ConcurrentBranches = (typeof CONCURRENT_BRANCHES)[number]

/** A ceiling of each invocation, or of everything spent under the token and its descendants. */
export const BUDGET_MODES = ['per_invocation', 'cumulative'] as const
export type BudgetMode = (typeof BUDGET_MODES)[number]

export const APPROVAL_STATES = ['pending', 'approved', 'denied', 'returned', 'expired', 'withdrawn'] as const
export type ApprovalState = (typeof APPROVAL_STATES)[number]

/** Reasons why a capability is not available to a token (section 4.5). */
export const REASON_TYPES = [
  'insufficient_scope', 'insufficient_delegation_depth', 'stronger_delegation_required', 'unmet_control_requirement', 'non_delegable',
] as const // prettier-ignore
export type ReasonType = (typeof REASON_TYPES)[number]

/** Classes of audit entries (section 6). */
export const EVENT_CLASSES = ['low_risk_success', 'high_risk_success', 'low_risk_failure', 'high_risk_failure'] as const
export type EventClass = (typeof EVENT_CLASSES)[number]

/** Roles of signing keys; a key never verifies another role's artefact. */
export const KEY_ROLES = ['manifest', 'tokens', 'audit'] as const
export type KeyRole = (typeof KEY_ROLES)[number]

/**
 * Roles of secret keys, which never leave the service and its signer: `rows` authenticates rows of the database,
 * `connections` encrypts the tokens of people's accounts at upstream systems.
 */
export const SECRET_ROLES = ['rows', 'connections'] as const
export type SecretRole = (typeof SECRET_ROLES)[number]

/** Roles of all keys of a ring. */
export const RING_ROLES = [...KEY_ROLES, ...SECRET_ROLES] as const
export type RingRole = (typeof RING_ROLES)[number]

export const isSecretRole = (role: RingRole): role is SecretRole => SECRET_ROLES.some((each) => each === role)

/** `next` is published and not yet used, `active` signs, `retired` still verifies. */
export const KEY_STATES = ['next', 'active', 'retired'] as const
export type KeyState = (typeof KEY_STATES)[number]
