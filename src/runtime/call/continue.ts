/** Going on by the same call, and what earlier decisions mean for a new request (decisions, section 10). */
import { digestOf } from '../../crypto/json/digest.js'
import { durationMs } from '../../protocol/durations.js'
import type { JsonObject } from '../../protocol/manifest.js'
import type { Token } from '../auth/token.js'
import type { GovernedFacts, PricedFacts } from './facts/facts.js'
import type { Invocation } from './invocation.js'
import { Refusal } from '../errors/refusal.js'
import { timestamp } from '../json/timestamp.js'
import type { Service } from '../service.js'
import type { EarlierRequests, StoredGrant, StoredRequest } from '../storage/contract.js'
import { isSamePath } from '../approvals/delegation-path.js'
import { spentMeanwhile } from '../approvals/spent-meanwhile.js'
import { costToCompare } from './facts/price.js'
import { costsMore } from '../approvals/tiers.js'
import { countsGrant, isApprovalNeeded } from '../approvals/conditions.js'

/** Caller and purpose of a call. */
interface CallMade {
  readonly capability: string
  readonly parameters: JsonObject
  readonly token: Token
  readonly taskId: string | undefined
}

/** A call that was sent back is answered with the question, once, within this time (decisions, section 15). */
const RETURNED_MS = 10 * 60_000

/** Finds the state of earlier requests opened by the same call. */
export const earlierRequests = (
  service: Service,
  { capability, parameters, token: { claims }, taskId }: CallMade,
): Promise<EarlierRequests> =>
  service.storage.approvals.earlier(
    {
      subject: claims.sub,
      rootPrincipal: claims.root_principal,
      capability,
      digest: digestOf(parameters),
      sessionId: claims.session_id,
      taskId,
    },
    {
      denied: timestamp(service.now() - (durationMs(service.manifest.approvals.denial_holds) ?? 0)),
      returned: timestamp(service.now() - RETURNED_MS),
    },
  )

/**
 * The grant under which a call with `approval: "continue"` goes on: that of its own approved, unspent request. Refused
 * while an identical call spends it: one decision has one effect.
 */
export async function continuedGrant(
  service: Service,
  { request, step, lineage }: Invocation,
  priced: PricedFacts,
): Promise<string | undefined> {
  if (request.approval !== 'continue' || step !== undefined) return undefined
  const { name, capability, token, inputs } = priced
  if (!countsGrant(capability, isApprovalNeeded(capability.approval, inputs, costToCompare(priced)))) return undefined
  const { grantId, spent } = await earlierRequests(service, {
    capability: name,
    parameters: inputs,
    token,
    taskId: lineage.task_id,
  })
  if (grantId === undefined && spent?.isRunning === true) refuseWhileSpent()
  if (grantId === undefined) return undefined
  const stored = await service.storage.approvals.grant(grantId)
  if (stored !== undefined && (await hasRisen(service, stored, priced))) return undefined
  const asked = stored && (await service.storage.tokens.chain(stored.grant.requester.token_id))
  return asked !== undefined && isSamePath(asked, token.chain) ? grantId : undefined
}

/**
 * The request of this very call, where it was approved after the call had looked for its grant: the answer names it, and
 * the same call made again goes on. Nothing is asked, and no step runs, a second time.
 */
export async function approvedMeanwhile(
  service: Service,
  invocation: Invocation,
  facts: GovernedFacts,
): Promise<StoredRequest | undefined> {
  if (facts.approval.grantId !== undefined) return undefined
  const grantId = await continuedGrant(service, invocation, facts)
  const stored = grantId === undefined ? undefined : await service.storage.approvals.grant(grantId)
  return stored && service.storage.approvals.get(stored.grant.approval_request_id)
}

/** Holds where the call would cost more than what was approved: that is asked for anew. */
async function hasRisen(service: Service, { grant }: StoredGrant, priced: PricedFacts): Promise<boolean> {
  const { approval } = priced.capability
  if (approval === undefined || grant.step !== undefined) return false
  const request = await service.storage.approvals.get(grant.approval_request_id)
  return request === undefined || costsMore(approval, request, costToCompare(priced))
}

export const refuseWhileSpent = (): never => {
  throw new Refusal(spentMeanwhile())
}
