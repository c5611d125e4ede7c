import type { AnsweredEntry, ApprovalFacts, AuditEntry } from '../../protocol/audit.js'
import { canonicalText } from '../../crypto/json/canonical.js'
import { formatHash } from '../../crypto/json/digest.js'
import { leafHash } from '../../crypto/merkle/merkle.js'
import { EVENT_CLASSES, type DisclosureLevel } from '../../protocol/words.js'
import { disclosedReason, disclosedText, disclosureLevel } from '../errors/disclosure.js'
import type { Service } from '../service.js'
import { failure } from '../../protocol/failures.js'
import { AUDIT_FILTERS } from '../../protocol/query-parameters.js'
import { Refusal } from '../errors/refusal.js'
import { DamagedRow } from '../storage/sql/columns.js'
import { idFilterIn } from '../request/ids.js'
import { capabilityIn, countIn, readQuery, referenceIn, textIn, timeIn, wordIn, type Query } from '../request/query.js'
import { assertNoFilters } from '../request/members.js'
import { present } from '../json/present.js'
import type { EntryFilter } from '../storage/contract.js'
import { delegationOf } from '../endpoint/delegation.js'
import { ok, type Call, type Endpoint } from '../endpoint/endpoint.js'

const DEFAULT_LIMIT = 100
const MOST = 1000

/** POST /svc/audit (section 4.8): the trail of the caller's root principal, newest first. */
export const audit: Endpoint = async (service, call) => {
  const { claims } = await delegationOf(service, call)
  assertNoFilters(await call.body(), AUDIT_FILTERS)
  return ok(await trailOf(service, claims.root_principal, claims.caller_class, call.query, call.whenLeft))
}

/** A page of the trail of one root principal, as callers of this class may read it. */
export async function trailOf(
  service: Service,
  rootPrincipal: string,
  callerClass: string | undefined,
  asked: URLSearchParams,
  whenLeft?: Call['whenLeft'],
) {
  const query = readQuery(asked, AUDIT_FILTERS)
  const limit = countIn(query, 'limit', { least: 1, most: MOST }) ?? DEFAULT_LIMIT
  const filter = auditFilterOf(query, limit + 1, rootPrincipal)
  const walked = await withAuditPlace(service, rootPrincipal, () => walk(service, filter), whenLeft)
  return pageOf(walked, disclosureLevel(service.manifest, callerClass))
}

interface Walked {
  /** One more than fit on the page, where there are more. */
  readonly found: readonly AuditEntry[]
  readonly limit: number
  /** Sequence at which the walk ended, if before the end of the trail. */
  readonly reached: number | undefined
}

/** A filter that few entries meet is looked for among so many entries at a time: the cursor leads on (threat N10). */
async function walk(service: Service, filter: EntryFilter): Promise<Walked> {
  const { audit: log } = service.storage
  const isWide = Object.keys(filter).every((name) => WIDE.has(name)) || filter.invocation_id !== undefined
  const reached = isWide ? undefined : await log.reach(filter, service.limits.auditRowsPerQuery)
  const bounded = reached === undefined ? filter : { ...filter, downToSequence: reached }
  const limit = Math.min(filter.limit - 1, await log.fitting(bounded))
  const found = await log
    .query({ ...bounded, limit: limit + 1 })
    .catch((error: unknown) => reportDamage(service, error))
  return { found, limit, reached }
}

/** Every entry of the principal meets these. */
const WIDE: ReadonlySet<string> = new Set(['rootPrincipal', 'limit', 'since', 'until', 'beforeSequence'])

/**
 * One principal's questions do not keep others from theirs: so many a minute, and so many at a time. A question lasts
 * until its answer has left, where the surface can tell.
 */
export async function withAuditPlace<Found>(
  service: Service,
  principal: string,
  ask: () => Promise<Found>,
  whenLeft?: Call['whenLeft'],
): Promise<Found> {
  const name = `audit ${principal}`
  const wait = service.rates.takeAtOnce(name)
    ? undefined
    : await service.rates.take(name, service.limits.auditQueriesPerMinute)
  if (wait !== undefined) return refuseQuery('Too many queries of the trail.', wait)
  const running = service.audits.get(principal) ?? 0
  if (running >= service.limits.auditQueriesAtOnce) return refuseQuery('Too many queries of the trail at a time.', 1)
  service.audits.set(principal, running + 1)
  const leave = (): void => {
    const left = service.audits.get(principal)! - 1
    if (left === 0) service.audits.delete(principal)
    else service.audits.set(principal, left)
  }
  whenLeft?.(leave)
  const found = service.reads.trail(principal, ask)
  return whenLeft === undefined ? found.finally(leave) : found
}

function refuseQuery(detail: string, retryAfter: number): never {
  throw new Refusal(failure('rate_limited', `${detail} Try again in ${retryAfter} s.`), { retryAfter })
}

/** An entry that is not what was recorded is answered to nobody, and health says that there is one. */
export function reportDamage({ alarms, log }: Service, error: unknown): never {
  if (error instanceof DamagedRow) {
    alarms.add('trail_altered')
    log.error('The trail in the database is not what was recorded.', { error: error.message })
  }
  throw error
}

/**
 * Returns an entry at a disclosure level: what the response to a failed call would hide, its entry hides also; the
 * trail keeps it.
 */
export function answeredEntry(entry: AuditEntry, level: DisclosureLevel): AnsweredEntry {
  const { detail, approval, ...rest } = entry
  const said = detail === undefined ? undefined : disclosedText(detail, entry.failure_type, level)
  const reason = approval?.reason === undefined ? undefined : disclosedReason(approval.reason, level)
  if (said === detail && reason === approval?.reason) return entry
  const { reason: _, ...facts } = approval ?? {}
  return present({
    ...rest,
    detail: said,
    approval: approval && ({ ...facts, ...present({ reason: reason ?? undefined }) } as ApprovalFacts),
    redacted: true as const,
    leaf_hash: formatHash(leafHash(canonicalText(entry))),
  })
}

export const auditFilterOf = (query: Query, limit: number, rootPrincipal?: string): EntryFilter =>
  present({
    rootPrincipal,
    limit,
    capability: capabilityIn(query, 'capability'),
    invocation_id: idFilterIn(query, 'invocation_id', 'invocation'),
    client_reference_id: referenceIn(query, 'client_reference_id'),
    task_id: textIn(query, 'task_id'),
    parent_invocation_id: idFilterIn(query, 'parent_invocation_id', 'invocation'),
    approval_request_id: idFilterIn(query, 'approval_request_id', 'approvalRequest'),
    event_class: wordIn(query, 'event_class', EVENT_CLASSES),
    success: successIn(query),
    since: timeIn(query, 'since'),
    until: timeIn(query, 'until'),
    beforeSequence: countIn(query, 'cursor', { least: 1, most: 999_999_999 }),
  })

function successIn(query: Query): boolean | undefined {
  const word = wordIn(query, 'success', ['true', 'false'])
  return word === undefined ? undefined : word === 'true'
}

function pageOf({ found, limit, reached }: Walked, level: DisclosureLevel) {
  const entries = found.slice(0, limit).map((entry) => answeredEntry(entry, level))
  const last = found.length > limit ? entries.at(-1)!.sequence : reached
  const next_cursor = last === undefined ? undefined : String(last)
  return present({ entries, count: entries.length, next_cursor })
}
