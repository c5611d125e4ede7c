import { isAccount, type ProvenBy } from '../../protocol/credential.js'
import { foldOf } from '../../protocol/fold.js'
import type { Service } from '../service.js'
import type { ApprovalGiven, Quorum, StoredRequest } from '../storage/contract.js'
import { isOther, mayApprove } from './approver.js'
import { maySpeakInApproval } from './separation.js'

/**
 * The approvals of a request, told apart: those of whoever could still approve it, each of another person, and those of
 * whoever could not (decisions, section 10: Quorum and tiers; threat N15).
 */
export async function standingApprovals(
  service: Service,
  request: StoredRequest,
): Promise<Pick<Quorum, 'counted' | 'lapsed'>> {
  const counted: ApprovalGiven[] = []
  const lapsed: ApprovalGiven[] = []
  const known = new Set<string>()
  for (const given of await service.storage.approvals.given(request.approval_request_id)) {
    const names = (await service.storage.accounts.namesOf([given.approver, ...(given.by ?? [])])).map(foldOf)
    const stands =
      given.isForged !== true &&
      !names.some((name) => known.has(name)) &&
      (await couldStillApprove(service, request, given))
    if (stands) for (const name of names) known.add(name)
    const side = stands ? counted : lapsed
    side.push(given)
  }
  return { counted, lapsed }
}

/** As far as it is recorded: blocks, the chain of tokens, the file of keys, and who is who by now. */
async function couldStillApprove(service: Service, request: StoredRequest, given: ApprovalGiven): Promise<boolean> {
  const { approver, by = [approver], standing = [] } = given
  if (!maySpeakInApproval(service.manifest.approvals, [approver, ...by])) return false
  if (!(await isOther(service, { principal: approver, principals: by, chain: standing }, request))) return false
  return (await hasSayStill(service, request, given)) && isChainGood(service, request, standing)
}

/** Holds while whoever approved is not blocked, and the API key that proved it still may approve (threat N35). */
export const hasSayStill = async (
  service: Service,
  request: StoredRequest,
  given: Pick<ApprovalGiven, 'approver' | 'by' | 'credential'>,
): Promise<boolean> => !(await isBlocked(service, given)) && isKeyGood(service, request, given.credential)

async function isBlocked(
  { storage }: Service,
  { approver, by = [], credential }: Pick<ApprovalGiven, 'approver' | 'by' | 'credential'>,
): Promise<boolean> {
  const apiKey = credential === undefined || isAccount(credential) ? undefined : credential.api_key
  for (const principal of new Set([approver, ...by]))
    if ((await storage.operators.blockOf({ principal, subject: principal, apiKey })) !== undefined) return true
  return false
}

/** A key that is removed, revoked, over or no longer has the scope has no say; what a provider said counts. */
function isKeyGood(service: Service, request: StoredRequest, credential: ProvenBy | undefined): boolean {
  if (credential === undefined || isAccount(credential)) return true
  const key = service.apiKeys.named(credential.api_key)
  return key !== undefined && mayApprove(service, { scopes: key.scopes ?? [] }, request)
}

async function isChainGood(service: Service, request: StoredRequest, standing: readonly string[]): Promise<boolean> {
  const last = standing.at(-1)
  if (last === undefined) return true
  const chain = await service.storage.tokens.chain(last)
  if (chain === undefined || chain.length !== standing.length) return false
  const now = service.now() / 1000
  if (chain.some(({ claims, revoked_at }) => revoked_at !== undefined || claims.exp <= now)) return false
  return mayApprove(service, { scopes: chain.at(-1)!.claims.scope }, request)
}
