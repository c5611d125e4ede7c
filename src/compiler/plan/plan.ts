import type { BusinessFailure } from '../../protocol/business-failures.js'
import type { FailureType } from '../../protocol/failures.js'
import type { Capability, Manifest } from '../../protocol/manifest.js'
import type { Remember } from './memo.js'
import type { PropertyPlan } from './property-plan.js'
import type { NamedType } from './structured-types.js'

export type { NamedType, PropertyPlan }

/** Operations of a handler's context beyond those of every context. */
export interface ContextPlan {
  /** Types of bindings that this capability issues. */
  readonly quotes: readonly { readonly type: string; readonly isPriced: boolean }[]
  /** Inputs that carry a binding; by the time a handler runs, the binding is looked up. */
  readonly bound: readonly {
    readonly field: string
    readonly types: readonly string[]
    readonly optional: boolean
    /** It alone fixes the price. */
    readonly isPriced: boolean
  }[]
  readonly streams: boolean
  readonly asksForApproval: boolean
  readonly failures: readonly BusinessFailure[]
}

/** Everything that is decided about one capability; the targets decide nothing. */
export interface CapabilityPlan {
  readonly name: string
  /** Of what it is made from: lower-case hex. */
  readonly digest: string
  /** Of the handler and its file's export. */
  readonly identifier: string
  readonly methodName: string
  /** The first part of the names of its types. */
  readonly typeName: string
  readonly declaration: Capability
  /** Purpose, effect, requirements and cost. */
  readonly about: readonly string[]
  /** Parameters that a caller sends. */
  readonly parameters: readonly PropertyPlan[]
  /** Inputs that differ between handler and caller; empty if there are none. */
  readonly input: readonly PropertyPlan[]
  readonly output: readonly PropertyPlan[]
  /** Types inside its structured values, by name. */
  readonly types: readonly NamedType[]
  readonly context: ContextPlan
  /** Failures of the interface that its declaration makes possible. */
  readonly refusals: readonly FailureType[]
  /** Failures of the business that a call may end in. */
  readonly callFailures: readonly BusinessFailure[]
  /** Composed capabilities are run by the runtime and have none. */
  readonly hasHandler: boolean
  readonly financial: boolean
}

/** Hooks that the service's author must implement beside the handlers. */
export interface DemandPlan {
  /** `resolver_ref` and `catalog_ref` of inputs that the service resolves. */
  readonly resolvers: readonly string[]
  readonly actorPolicy: boolean
  /** Capabilities whose approval a person decides: a preview may show what would happen. */
  readonly previews: readonly CapabilityPlan[]
  readonly bindings: boolean
}

/** Capabilities whose code stands in one file. */
export interface ModulePlan {
  /** Of its files, without the ending. */
  readonly name: string
  readonly typeName: string
  readonly identifier: string
  readonly capabilities: readonly CapabilityPlan[]
}

export interface Plan {
  readonly manifest: Manifest
  readonly serviceId: string
  /** Ids of the keys that may sign the manifest, as the lock pins them; the client's. */
  readonly manifestKeys: readonly string[]
  /** Semantic version of the service itself; `manifest_metadata.version` is that of the interface. */
  readonly version: string
  /** In the order of their names. */
  readonly capabilities: readonly CapabilityPlan[]
  /** One, unless the service is large. */
  readonly modules: readonly ModulePlan[]
  readonly demands: DemandPlan
  /** The types of `x-schemas`, and what is inside them. */
  readonly sharedTypes: readonly NamedType[]
  /** First lines of a file that is made of these parts of the manifest; of all of it, when none are named. */
  readonly headerFor: (parts?: readonly CapabilityPlan[]) => readonly string[]
  readonly remember: Remember
}
