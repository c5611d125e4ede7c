import type { GatedStep } from '../../../protocol/approval.js'
import type { InvokeRequest } from '../../../protocol/invocation.js'
import type { ApprovalSettings, Capability, Cost, JsonObject } from '../../../protocol/manifest.js'
import type { ExternalBinding } from '../../definition.js'
import type { FinishedStep, StoredBinding, StoredGrant, StoredRequest } from '../../storage/contract.js'
import type { Token } from '../../auth/token.js'
import type { MissingConnection } from '../../connections/required.js'

/** All that permission discovery may look at: a token check cannot read parameters, because its facts have none. */
export interface TokenFacts {
  readonly name: string
  readonly capability: Capability
  readonly token: Token
  /** Capabilities of its steps, where it is a composition: they run under the caller's authority. */
  readonly steps?: readonly Capability[] | undefined
}

/** Facts known before any input is resolved. */
export interface CallFacts extends TokenFacts {
  readonly request: InvokeRequest
  /** The composed capability that runs this one as a step; its token binding counts for the step. */
  readonly composedBy?: string | undefined
  /** An operator has paused the capability, or one that it is composed of. */
  readonly isPaused?: boolean
}

/** Facts known once inputs are resolved and bindings looked up. */
export interface PricedFacts extends CallFacts {
  readonly inputs: JsonObject
  /** The declared cost, or that of the steps together; undefined where nothing costs money. */
  readonly cost?: Cost | undefined
  readonly bindings: readonly PresentedBinding[]
  /** Account that the root principal has not connected. */
  readonly missing?: MissingConnection | undefined
  /** ms since the epoch. */
  readonly now: number
}

/** A binding id that a caller passed, and what the service knows under it. */
export interface PresentedBinding {
  readonly type: string
  readonly field: string
  readonly source_capability?: string
  /** ISO 8601 duration. */
  readonly max_age?: string
  readonly known?: StoredBinding | ExternalBinding
}

/** Facts known once an approval grant, if the caller passed one, is looked up. */
export interface GovernedFacts extends PricedFacts {
  readonly approval: {
    readonly settings: ApprovalSettings
    readonly needed: boolean
    /** The grant of the whole approves this very step, with these very parameters. */
    readonly coversStep: boolean
    /** Digest of the resolved parameters; empty where no grant is compared with it. */
    readonly digest: string
    readonly grantId?: string | undefined
    readonly presented?: PresentedGrant | undefined
    /** The grant under which the call runs, if one counts. */
    readonly used?: UsedGrant | undefined
  }
}

/** Facts known so far: the source of settling, recording and answering. */
export type Facts = Partial<GovernedFacts>

export interface UsedGrant {
  readonly grantId: string
  readonly approvalRequestId: string
  /** The step that the grant approves, where it approves one and not the whole. */
  readonly step?: GatedStep
  /** The steps that had ended before the one that it approves: they do not run again. */
  readonly finished?: readonly FinishedStep[]
}

export interface PresentedGrant extends StoredGrant {
  readonly request?: StoredRequest
  /** The grant is as it was signed, and its request has kept what the grant says of it. */
  readonly isGenuine: boolean
  /** Everybody who approved is still allowed to, as far as it is recorded. */
  readonly isStillGiven: boolean
  /** The names by which the token that asked was handed on, root first, as long as it is kept. */
  readonly path?: readonly string[]
}
