/**
 * Compares rows that take authority away with the trail (decisions, section 20; threat N31): what was blocked, paused,
 * denied, withdrawn, resolved or disconnected, and which accounts a name has. Where a row is missing or says less, the trail counts.
 */
import type { Decisions } from '../../crypto/trail/decisions.js'
import type { AuditDraft } from '../../protocol/audit.js'
import { durationMs } from '../../protocol/durations.js'
import type { Block } from '../../protocol/operator.js'
import type { Principal } from '../../protocol/principals.js'
import { storedOf } from '../connections/kept-connection.js'
import { placeOf } from '../credentials/connection-memory.js'
import { timestamp } from '../json/timestamp.js'
import type { Service } from '../service.js'
import type { FoundRequest, RequestDecision, StoredRequest } from '../storage/contract.js'

export type Compared = Pick<Service, 'capabilities' | 'manifest' | 'storage' | 'now'>

/** A row that is not what the trail records. */
export interface AlteredDecision {
  readonly trouble: string
  readonly affected: Pick<AuditDraft, 'root_principal'> & Partial<AuditDraft>
  /** Puts it back; false where it is back already. */
  readonly restore: () => Promise<boolean>
}

/** Returns the rows that are not what the trail records. */
export async function alteredDecisions(service: Compared, known: Decisions): Promise<readonly AlteredDecision[]> {
  const found = await Promise.all(
    [alteredBlocks, alteredPauses, reopenedRequests, missingResolutions, missingAccounts, revivedConnections].map(
      (compare) => compare(service, known),
    ),
  )
  return found.flat()
}

type Compare = (service: Compared, known: Decisions) => Promise<readonly AlteredDecision[]>

const alteredBlocks: Compare = async ({ storage }, { blocks }) => {
  const standing = new Set((await storage.standing.blocks()).map(({ kind, value }) => nameOf(kind, value)))
  return [...blocks].flatMap(([block_id, { kind, value, reason, by, at, isLifted }]) => {
    if (isLifted || standing.has(nameOf(kind, value))) return []
    const block: Block = { block_id, kind, value, reason, created_by: by as Principal, created_at: timestamp(at) }
    return {
      trouble: `The block ${block_id} of ${kind} ${value} is in force, and the database does not have it.`,
      affected: { root_principal: by },
      restore: () => storage.standing.restoreBlock(block),
    }
  })
}

const nameOf = (kind: string, value: string): string => JSON.stringify([kind, value])

const alteredPauses: Compare = async ({ storage }, { pauses }) => {
  const paused = new Set((await storage.standing.pauses()).map(({ capability }) => capability))
  return [...pauses].flatMap(([capability, { reason, by, at, isResumed }]) => {
    if (isResumed || paused.has(capability)) return []
    const row = { capability, reason, paused_by: by as Principal, paused_at: timestamp(at) }
    return {
      trouble: `The capability ${capability} is paused, and the database does not have that.`,
      affected: { root_principal: by },
      restore: () => storage.operators.pause(row),
    }
  })
}

/** The store keeps a request for a week after it has expired, and no request is denied after that. */
const KEPT_MS = 6 * 24 * 3600_000

const reopenedRequests: Compare = async (service, { requests }) => {
  const { storage, manifest, now } = service
  const { denial_holds, request_ttl } = manifest.approvals
  const denialMs = durationMs(denial_holds) ?? 0
  const heldMs = Math.min(denialMs, KEPT_MS)
  const mattersMs = Math.max(denialMs, durationMs(request_ttl) ?? 0)
  const recent = [...requests].filter(([, { at }]) => now() < at + mattersMs)
  const stored = await storage.standing.requests(recent.map(([id]) => id))
  return recent.flatMap(([id, closed]) => {
    const found = stored.get(id)
    if (found === undefined && (closed.status !== 'denied' || closed.at + heldMs <= now())) return []
    if (found !== undefined && !isReopened(found, closed)) return []
    const decision: RequestDecision = {
      approver: closed.by as Principal,
      credential: closed.credential,
      decided_at: timestamp(closed.at),
      reason: closed.reason,
    }
    return {
      trouble: `The approval request ${id} was ${closed.status}, and the database ${found === undefined ? 'does not have it' : 'says otherwise'}.`,
      affected: { root_principal: closed.rootPrincipal, approval_request_id: id, capability: closed.capability },
      restore: () => storage.standing.restoreRequest(requestOf(service, id, closed, found), decision),
    }
  })
}

type Closed = Decisions['requests'] extends ReadonlyMap<string, infer Each> ? Each : never

/** A withdrawal ends what is pending; of an approved request the grant ends, which is compared by itself. */
function isReopened({ request, isForged }: FoundRequest, closed: Closed): boolean {
  if (closed.status === 'withdrawn') return request.status === 'pending'
  return request.status !== closed.status || isForged === true
}

/** The request as it is stored, or what the trail has of one that is missing or forged, as an erased one is kept. */
function requestOf({ capabilities, now }: Compared, id: string, closed: Closed, found?: FoundRequest): StoredRequest {
  const { capability, rootPrincipal, tokenId, digest, at, status } = closed
  if (found !== undefined && found.isForged !== true) return { ...found.request, status }
  const requester = {
    subject: rootPrincipal as Principal,
    root_principal: rootPrincipal as Principal,
    token_id: tokenId,
  }
  return {
    approval_request_id: id,
    capability,
    scope: [],
    requester,
    requested_parameters: {},
    requested_parameters_digest: digest,
    grant_policy: capabilities.get(capability)?.approval?.grant_policy ?? NO_GRANT,
    parent_invocation_id: null,
    status,
    approver: null,
    decided_at: null,
    reason: null,
    created_at: timestamp(at),
    expires_at: timestamp(now()),
    isErased: true,
  }
}

const NO_GRANT = { allowed_grant_types: ['one_time'], default_grant_type: 'one_time', expires_in_seconds: 1, max_uses: 1 } as const // prettier-ignore

const missingResolutions: Compare = async ({ storage }, { resolutions }) => {
  const stored = await storage.standing.resolutions([...resolutions.keys()])
  return [...resolutions.keys()]
    .filter((id) => !stored.has(id))
    .map((id) => ({
      trouble: `The invocation ${id} is resolved, and the database does not have that.`,
      affected: { root_principal: 'service:integrity', parent_invocation_id: id },
      restore: () => storage.standing.restoreResolution(id),
    }))
}

const missingAccounts: Compare = async ({ storage }, { accounts }) => {
  const named = [...accounts.values()].map(({ account, principal }) => ({ account, principal: principal as Principal }))
  return (await storage.standing.missingAccounts(named)).map(({ account, principal }) => ({
    trouble: `The account ${account.subject} of ${account.issuer} is ${principal}, and the database does not have that.`,
    affected: { root_principal: principal },
    restore: () => storage.accounts.remember(account, principal),
  }))
}

/** A connection is on the trail before its row takes the place of another. */
const REPLACED_WITHIN_MS = 60_000

const revivedConnections: Compare = async ({ storage, now }, { connections }) => {
  const newest = new Map([...connections.values()].map((each) => [placeOf(each.person, each.upstream), each]))
  const live = await storage.standing.liveConnections([...new Set([...newest.values()].map(({ person }) => person))])
  return live.flatMap(({ connection_id, person, upstream }) => {
    const known = newest.get(placeOf(person, upstream))
    if (known === undefined || (known.id === connection_id && !known.isEnded)) return []
    if (known.id !== connection_id && !known.isEnded && now() - known.at < REPLACED_WITHIN_MS) return []
    return {
      trouble: `The connection ${connection_id} of ${person} at ${upstream} has ended, and the database says otherwise.`,
      affected: { root_principal: person },
      restore: () => endAgain(storage, connection_id),
    }
  })
}

/** A row that does not read is of no use already. */
async function endAgain({ connections }: Compared['storage'], id: string): Promise<boolean> {
  const kept = await connections.get(id)
  if (kept === undefined) return false
  const { sealed: _, ...rest } = storedOf(kept)
  return connections.end(rest, 'disconnected')
}
