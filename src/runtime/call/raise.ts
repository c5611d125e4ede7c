import { canonicalText } from '../../crypto/json/canonical.js'
import { digestOf } from '../../crypto/json/digest.js'
import type { ApprovedBefore, BoundData, Requester } from '../../protocol/approval.js'
import { durationMs } from '../../protocol/durations.js'
import { failure } from '../../protocol/failures.js'
import type { GrantPolicy, Json, JsonObject } from '../../protocol/manifest.js'
import type { Money } from '../../protocol/money.js'
import { present } from '../json/present.js'
import { refuse, Refusal } from '../errors/refusal.js'
import type { Service } from '../service.js'
import { timestamp } from '../json/timestamp.js'
import { approvalEvent } from '../events/event.js'
import { refusedByPerson, waitsForPerson } from '../approvals/answer-to-caller.js'
import { credentialBehind } from '../auth/credential-bounds.js'
import type { Token } from '../auth/token.js'
import type { PresentedBinding } from './facts/facts.js'
import {
  StorageUnavailable,
  type ApprovalOpening,
  type EarlierRequests,
  type OpeningLimits,
  type StoredRequest,
} from '../storage/contract.js'
import { earlierRequests } from './continue.js'
import { waitingStep, type WaitingStep } from '../approvals/gated-step.js'
import type { Needs } from '../approvals/tiers.js'
import { recordApproval } from '../approvals/record-approval.js'

/** Question to an approver. */
export interface Asked {
  readonly capability: string
  readonly scope: readonly string[]
  readonly parameters: JsonObject
  readonly preview: Json | undefined
  /** Request that was approved with another preview. */
  readonly approvedBefore?: ApprovedBefore | undefined
  readonly policy: GrantPolicy
  /** Number of approvers needed, and their scope. */
  readonly needs?: Needs
  /** Bindings that the call names. */
  readonly bindings: readonly PresentedBinding[]
  /** Checked cost of the call, if known. */
  readonly cost: Money | undefined
  /** Time when a binding of the call becomes too old, in ms since the epoch: a later approval is of no use. */
  readonly boundUntil: number | undefined
  readonly token: Token
  readonly parentInvocationId: string | undefined
  readonly taskId: string | undefined
  /** Holds where the same call continues once it is approved. */
  readonly continues: boolean
  /** Step of a composition that needs the approval. */
  readonly waiting: WaitingStep | undefined
}

/**
 * Opens an approval request, or finds the pending one for the same call, and gives the refusal that tells the caller
 * about it. The request is durable before it is answered (section 3).
 */
export async function raiseApproval(
  service: Service,
  asked: Asked,
): Promise<{ readonly refusal: Refusal; readonly requestId?: string }> {
  assertSize(service, asked)
  const { refused, spent } = await refusedEarlier(service, asked)
  if (refused !== undefined)
    return { refusal: new Refusal(refusedByPerson(service, refused)), requestId: refused.approval_request_id }
  const opening = await openRequest(service, requestOf(service, asked, spent?.invocationId))
  if ('limit' in opening)
    return { refusal: new Refusal(failure('rate_limited', LIMITS[opening.limit]), { retryAfter: 60 }) }
  const { request } = opening
  if (opening.outcome === 'created')
    await recordApproval(service, 'approval_requested', request, {
      principal: request.requester.subject,
      credential: request.credential,
    })
  return { refusal: waitsForPerson(service, request, asked.continues), requestId: request.approval_request_id }
}

/** Refuses what is too large to be stored, listed and shown to an approver as a whole (decisions, section 20). */
function assertSize({ limits }: Service, { parameters, preview = null, bindings, waiting }: Asked): void {
  const shown = [parameters, preview, boundData(bindings) ?? null, waiting?.parameters ?? null]
  const bytes = Buffer.byteLength(canonicalText(shown as Json))
  if (bytes <= limits.approvalBytes) return
  refuse(
    'payload_too_large',
    `The parameters and the preview of a call that needs an approval may have ${limits.approvalBytes} bytes at most, ` +
      `and have ${bytes}.`,
  )
}

const LIMITS = {
  pending: 'Too many approval requests of this requester are pending.',
  pendingOfChain: 'Too many approval requests of this root token, and of those below it, are pending.',
  pendingOfRoot: 'Too many approval requests of this root principal are pending.',
  perMinute: 'Too many approvals were asked for. Try again in a minute.',
} as const

/** Finds the refusal of a person about this very call: a denial holds for a while, a question is answered once. */
async function refusedEarlier(
  service: Service,
  asked: Asked,
): Promise<Pick<EarlierRequests, 'spent'> & { readonly refused?: StoredRequest }> {
  const { approvals } = service.storage
  const { denied, returned, spent } = await earlierRequests(service, asked)
  if (denied !== undefined) {
    if (denied.answered_at === undefined) await approvals.answered(denied.approval_request_id)
    return { refused: denied }
  }
  if (returned !== undefined && (await approvals.answered(returned.approval_request_id))) return { refused: returned }
  return present({ spent })
}

/** Opens a request. The requester has done nothing yet, so a failed write may be repeated (decisions, section 5). */
const openRequest = (service: Service, request: StoredRequest): Promise<ApprovalOpening> =>
  service.storage.approvals
    .open(request, openingLimits(service), approvalEvent(service, 'approval.requested', request))
    .catch((error: unknown) => {
      if (error instanceof StorageUnavailable)
        return refuse('service_unavailable', 'The approval request could not be stored.')
      throw error
    })

const openingLimits = ({ limits }: Service): OpeningLimits => ({
  pending: limits.pendingApprovalsPerRequester,
  pendingOfChain: limits.pendingApprovalsPerChain,
  pendingOfRoot: limits.pendingApprovalsPerRoot,
  perMinute: limits.approvalRequestsPerMinute,
})

function requestOf(
  service: Service,
  {
    capability,
    scope,
    parameters,
    preview,
    approvedBefore,
    policy,
    needs,
    bindings,
    cost,
    boundUntil,
    token,
    parentInvocationId,
    taskId,
    waiting,
  }: Asked,
  spentBy: string | undefined,
): StoredRequest {
  const now = service.now()
  return present({
    approval_request_id: service.ids.make('approvalRequest'),
    capability,
    scope,
    requester: requesterOf(token),
    credential: credentialBehind(token.chain),
    root_token_id: token.chain[0].claims.jti,
    requested_parameters: parameters,
    requested_parameters_digest: digestOf(parameters),
    preview,
    preview_digest: preview === undefined ? undefined : digestOf(preview),
    approved_before: approvedBefore,
    // What a step continues from can be continued from once.
    grant_policy: waiting === undefined ? policy : { ...policy, max_uses: 1 },
    ...(waiting && waitingStep(waiting)),
    parent_invocation_id: parentInvocationId ?? null,
    bound: boundData(bindings),
    checked_cost: cost,
    ...needs,
    session_id: token.claims.session_id,
    task_id: taskId,
    spent_by: spentBy,
    status: 'pending' as const,
    approver: null,
    decided_at: null,
    reason: null,
    created_at: timestamp(now),
    expires_at: timestamp(
      Math.min(now + (durationMs(service.manifest.approvals.request_ttl) ?? 0), boundUntil ?? Infinity),
    ),
  })
}

/** Returns what the service knows under the ids of bindings; undefined if it knows no more than the ids. */
function boundData(bindings: readonly PresentedBinding[]): readonly BoundData[] | undefined {
  const known = bindings.flatMap(({ field, type, known: { price, data } = {} }) =>
    price === undefined && data === undefined ? [] : [present({ field, type, price, data })],
  )
  return known.length === 0 ? undefined : known
}

const requesterOf = ({ claims }: Token): Requester => ({
  subject: claims.sub,
  root_principal: claims.root_principal,
  token_id: claims.jti,
})
