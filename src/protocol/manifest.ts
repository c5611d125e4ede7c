/** The manifest as all rooms speak of it: what an author declares, with defaults filled in (sections 2.3 to 2.9). */
import type {
  ApprovalComparison,
  CapabilityKind,
  ChildOutcome,
  CompletionMode,
  ContractList,
  ControlRequirementType,
  CostCertainty,
  CostComparison,
  CrossServiceList,
  DisclosureLevel,
  EmptyResultPolicy,
  FailurePolicyWord,
  GrantType,
  ManifestReaders,
  PrincipalClass,
  ResolutionBehaviour,
  ResolutionMode,
  ResponseMode,
  SessionType,
  SideEffectType,
  TrustLevel,
} from './words.js'

/** A JSON value, as the door of each room parses it. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [key: string]: Json
}

export interface ManifestMetadata {
  /** The protocol version that the manifest targets. */
  readonly version: string
  /** Lower-case hex; filled in at publication. */
  readonly sha256?: string
  readonly issued_at?: string
  readonly expires_at?: string
}

export interface ServiceIdentity {
  readonly id: string
  /** For documents and pages; not on the wire. */
  readonly name?: string
  readonly description?: string
  readonly jwks_uri?: string
  readonly issuer_mode?: string
}

export interface Trust {
  readonly level: TrustLevel
  readonly anchoring?: { readonly cadence?: string }
}

export interface MetadataDisclosure {
  /** Caller class -> level; `default` holds for every other class. */
  readonly caller_class?: { readonly [callerClass: string]: DisclosureLevel }
  readonly failure_detail?: DisclosureLevel | 'policy'
  /** Readers of the manifest; the public if absent. */
  readonly manifest?: ManifestReaders
}

export interface Limits {
  readonly max_delegation_depth: number
  readonly default_ttl_hours: number
  readonly max_ttl_hours: number
  /** True if a person may delegate to another person; the default. */
  readonly delegate_to_humans?: boolean
}

export interface ApprovalSettings {
  /** A service-defined approver scope, beside `approver:<capability>`. */
  readonly approver_scope?: string
  /** ISO 8601 duration. */
  readonly request_ttl: string
  /** ISO 8601 duration for which a denial answers the same call, without a new request. */
  readonly denial_holds: string
  readonly allow_agents: boolean
  readonly separation_of_duties: boolean
}

export interface SideEffect {
  readonly type: SideEffectType
  /** ISO 8601 duration; only for `transactional`. */
  readonly rollback_window?: string
  readonly compensation?: string
}

export interface OutputField {
  readonly name: string
  /** A checked input type, `any`, or a domain type (a string). */
  readonly type: string
  /** True if null is allowed as a value: the author wrote `type: [<type>, 'null']`. */
  readonly nullable?: true
  readonly description?: string
  /** Schema of the value's inside (decisions, section 12). */
  readonly 'x-schema'?: JsonObject
}

export interface InputMeaning {
  readonly value: Json
  readonly label: string
  readonly description?: string
}

export interface Resolution {
  readonly mode: ResolutionMode
  readonly resolver_ref?: string
  readonly on_missing?: ResolutionBehaviour
  readonly on_ambiguous?: ResolutionBehaviour
  readonly on_unresolved?: ResolutionBehaviour
}

export interface Input {
  readonly name: string
  readonly type: string
  readonly required: boolean
  readonly default?: Json
  readonly description?: string
  readonly semantic_type?: string
  readonly entity_reference?: boolean
  readonly allowed_values?: readonly Json[]
  readonly catalog_ref?: string
  readonly input_meanings?: readonly InputMeaning[]
  readonly resolution?: Resolution
  /** Never shown to an approver, logged, or put into a message (decisions, section 17). */
  readonly 'x-sensitive'?: boolean
  /** Schema of the value's inside (decisions, section 12). */
  readonly 'x-schema'?: JsonObject
}

export interface FinancialCost {
  readonly currency: string
  readonly amount?: number
  readonly upper_bound?: number
  readonly range_min?: number
  readonly range_max?: number
  readonly typical?: number
  /** The required numeric input that says what the call costs; false where no input does (decisions, section 11). */
  readonly 'x-amount-input'?: string | false
}

export interface Cost {
  readonly certainty: CostCertainty
  readonly financial?: FinancialCost
  readonly compute?: { readonly expected_duration?: string; readonly [hint: string]: Json | undefined }
  readonly determined_by?: string
  readonly factors?: readonly string[]
  readonly rate_limit?: JsonObject
}

export interface Requirement {
  readonly capability: string
  readonly reason: string
}

export interface BindingRequirement {
  readonly type: string
  /** The declared input that carries the binding id. */
  readonly field: string
  readonly source_capability?: string
  /** ISO 8601 duration. */
  readonly max_age?: string
}

export interface ControlRequirement {
  readonly type: ControlRequirementType
  readonly enforcement?: 'reject'
}

export interface GrantPolicy {
  readonly allowed_grant_types: readonly GrantType[]
  readonly default_grant_type: GrantType
  readonly expires_in_seconds: number
  readonly max_uses: number
}

/**
 * A condition on an input, or on what the call may cost, in the currency of the declared cost (decisions, section 10).
 */
export type ApprovalCondition =
  | InputCondition
  | ({ readonly input?: never; readonly cost: CostCondition } & { readonly [comparison in ApprovalComparison]?: never })

export type InputCondition = { readonly input: string; readonly cost?: never } & {
  readonly [comparison in ApprovalComparison]?: Json
}

export type CostCondition = { readonly [comparison in CostComparison]?: number }

export interface ApprovalRequirement {
  readonly required: 'always' | 'handler' | { readonly when: readonly ApprovalCondition[] }
  readonly grant_policy: GrantPolicy
  /** Number of different approvers; 1 if absent (decisions, section 10). */
  readonly approvers?: number
  /** Approver scopes by cost: the tier with the highest amount below the checked cost applies. */
  readonly tiers?: readonly ApprovalTier[]
  /** The preview is made again before the call runs; another one is asked about (decisions, section 17). */
  readonly preview?: 'must_hold'
}

export interface ApprovalTier {
  /** In the currency of the declared cost. */
  readonly cost_above: number
  /** Replaces `approver:<capability>` and the approver scope of the service. */
  readonly approver_scope: string
}

export interface CompositionStep {
  readonly id: string
  readonly capability: string
  readonly empty_result_source?: boolean
  /** `$.<output field>` of the step; the whole output when absent. */
  readonly empty_result_path?: string
}

export type FailurePolicy = { readonly [outcome in ChildOutcome]: FailurePolicyWord }

export interface Composition {
  readonly authority_boundary: 'same_service'
  readonly steps: readonly CompositionStep[]
  /** Step id -> child input -> path. */
  readonly input_mapping: { readonly [stepId: string]: { readonly [input: string]: string } }
  /** Step id -> child input -> value, for inputs that no path feeds (decisions, section 12). */
  readonly 'x-literals'?: { readonly [stepId: string]: JsonObject }
  /** Parent output field -> path. */
  readonly output_mapping: { readonly [field: string]: string }
  readonly failure_policy: FailurePolicy
  readonly empty_result_policy?: EmptyResultPolicy
  readonly empty_result_output?: JsonObject
  readonly audit_policy: { readonly record_child_invocations: boolean; readonly parent_task_lineage: boolean }
}

export interface ServiceCapabilityReference {
  readonly service: string
  readonly capability: string
}

/** A step on another service that belongs to the task of a call. */
export interface ContractStep {
  readonly target: ServiceCapabilityReference
  readonly required_for_task_completion?: boolean
  readonly continuity: 'same_task'
  readonly completion_mode: CompletionMode
}

export interface Capability {
  readonly description: string
  readonly contract_version: string
  readonly inputs: readonly Input[]
  readonly output: { readonly type: string; readonly fields: readonly OutputField[] }
  readonly side_effect: SideEffect
  readonly minimum_scope: readonly string[]
  readonly kind: CapabilityKind
  readonly response_modes: readonly ResponseMode[]
  readonly cost?: Cost
  readonly requires?: readonly Requirement[]
  readonly composition?: Composition
  readonly business_effects?: { readonly produces?: readonly string[]; readonly does_not_produce?: readonly string[] }
  readonly requires_binding?: readonly BindingRequirement[]
  readonly control_requirements?: readonly ControlRequirement[]
  /** Only a root token whose subject is its root principal and has one of these classes may call (section 5.9). */
  readonly requires_principal?: readonly PrincipalClass[]
  readonly approval?: ApprovalRequirement
  readonly observability?: {
    readonly logged?: boolean
    readonly retention?: string
    readonly fields_logged?: readonly string[]
    readonly audit_accessible_by?: readonly string[]
  }
  readonly refresh_via?: readonly string[]
  readonly verify_via?: readonly string[]
  readonly cross_service?: { readonly [list in CrossServiceList]?: readonly ServiceCapabilityReference[] }
  readonly cross_service_contract?: { readonly [list in ContractList]?: readonly ContractStep[] }
  readonly composes_with?: readonly { readonly capability: string; readonly optional?: boolean }[]
  readonly session?: { readonly type?: SessionType }
  /** `x-…` keys, kept as written. */
  readonly extensions?: JsonObject
}

/** A valid manifest. The compiler makes it, the runtime obeys it. Names are the wire's. */
export interface Manifest {
  readonly manifest_metadata: ManifestMetadata
  readonly service_identity: ServiceIdentity
  readonly trust: Trust
  readonly metadata_disclosure?: MetadataDisclosure
  readonly limits: Limits
  readonly approvals: ApprovalSettings
  /** A plain object without inherited lookups: read it with `Object.hasOwn` or through the service's map. */
  readonly capabilities: { readonly [name: string]: Capability }
  readonly extensions?: JsonObject
}
