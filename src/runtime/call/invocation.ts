import type { GatedStep } from '../../protocol/approval.js'
import type { BudgetContext, InvokeRequest, Lineage } from '../../protocol/invocation.js'
import type { Json, JsonObject } from '../../protocol/manifest.js'
import type { Money } from '../../protocol/money.js'
import { present } from '../json/present.js'
import type { FinishedStep, IdempotencyKey } from '../storage/contract.js'
import type { Token } from '../auth/token.js'
import type { Lease } from './reserve/lease.js'
import type { Pool } from './execute/pool.js'

/** Who follows an invocation while it runs: a stream. */
export interface Listener {
  /** Takes what a stream needs for itself, or refuses. */
  reserve(): void
  /** Called once, when nothing but the handler can fail any more. */
  started(invocation: Invocation): void
  progress(data: Json): Promise<void>
}

/** One invocation: what was asked, by whom, and what it has learnt and taken so far. */
export interface Invocation {
  readonly id: string
  readonly name: string
  readonly token: Token
  readonly request: InvokeRequest
  readonly lineage: Lineage
  readonly idempotencyKey: string | undefined
  readonly listener: Listener | undefined
  /** The composed invocation that this one is a step of. */
  readonly composedBy: Invocation | undefined
  /** Which of its steps it is. */
  readonly stepId: string | undefined
  readonly soFar: SoFar
}

/** Everything here is true whatever happens next; settling and recording go by it. */
export interface SoFar {
  inputs?: JsonObject
  budget?: BudgetContext
  checked?: Money
  reported?: Money
  approvalRequestId?: string
  grantId?: string
  /** The step that the grant approves, where it approves one and not the whole. */
  approvedStep?: GatedStep
  /** The steps of a composition that have ended well, those of the invocation that it continues included. */
  finished?: FinishedStep[]
  hold?: { readonly id: string; readonly units: bigint; readonly currency: string }
  /** Of the token's own ceiling when the hold was asked for: what was spent and reserved under it, and its most. */
  under?: { readonly spent: bigint; readonly most: bigint }
  lease?: Lease
  claim?: IdempotencyKey
  intent?: true
  /** The handler was called: from here on the outcome may be an effect. */
  started?: true
  /** What steps of a composition may spend together. */
  pool?: Pool
  /** What the steps that ended have cost: true whether the whole succeeds or not. */
  steps?: StepCost[]
}

export interface StepCost {
  readonly cost: Money
  /** The step held its amount itself, outside the reservation of the whole. */
  readonly isHeldApart: boolean
}

/** What an invocation begins with. */
export type Asked = Pick<Invocation, 'id' | 'name' | 'token' | 'request'> &
  Partial<Pick<Invocation, 'idempotencyKey' | 'listener' | 'composedBy' | 'stepId'>>

/** All invocations have the same members in the same order: the engine then reads them without a search. */
export function begin(asked: Asked): Invocation {
  const { id, name, token, request, idempotencyKey, listener, composedBy, stepId } = asked
  const lineage = lineageOf(asked)
  return { id, name, token, request, lineage, idempotencyKey, listener, composedBy, stepId, soFar: {} }
}

/** Where the invocation comes from; the task of the token stands in for an omitted one (section 4.6). */
const lineageOf = ({ request, token }: Asked): Lineage =>
  present({
    client_reference_id: request.client_reference_id,
    task_id: request.task_id ?? token.claims.purpose.task_id,
    parent_invocation_id: request.parent_invocation_id,
    upstream_service: request.upstream_service,
  })
