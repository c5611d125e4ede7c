import { ENTRY_TYPES, type AuditEntry } from '../../protocol/audit.js'
import { isAccount } from '../../protocol/credential.js'
import { QUERY_PARAMETERS } from '../../protocol/query-parameters.js'
import { countIn, principalIn, readQuery, textIn, wordIn, type Query } from '../request/query.js'
import { assertNoFilters } from '../request/members.js'
import { present } from '../json/present.js'
import { inRole } from '../operate/role-of.js'
import type { Service } from '../service.js'
import { PAGE_BYTES } from '../limits.js'
import type { EntryFilter } from '../storage/contract.js'
import { auditFilterOf, reportDamage, withAuditPlace } from '../operate/audit.js'
import { ok, type Endpoint } from '../endpoint/endpoint.js'

const PAGE = { least: 1, most: 1000 } as const
const DEFAULT_PAGE = 100

/** POST /-/audit: the trail of everybody, newest first, as it was recorded (decisions, section 13). */
export const auditor_trail: Endpoint = async (service, call) => {
  const { principal } = await inRole(service, call, 'auditor')
  assertNoFilters(await call.body(), QUERY_PARAMETERS.auditor_trail)
  const query = readQuery(call.query, QUERY_PARAMETERS.auditor_trail)
  const limit = countIn(query, 'limit', PAGE) ?? DEFAULT_PAGE
  const filter = auditFilterOf(query, limit, principalIn(query, 'principal'))
  return ok(
    await withAuditPlace(service, principal, () => pageOf(service, filter, matcherOf(query, filter)), call.whenLeft),
  )
}

export type Matches = (entry: AuditEntry) => boolean

/** Entries are read as they were recorded, and judged by what they say: the columns that find them could be forged. */
export function matcherOf(query: Query, filter: EntryFilter): Matches {
  const wanted: readonly (readonly [wanted: unknown, said: (entry: AuditEntry) => unknown])[] = [
    [filter.rootPrincipal, (entry) => entry.root_principal],
    [principalIn(query, 'actor'), (entry) => entry.actor_key],
    [textIn(query, 'api_key'), apiKeyOf],
    [wordIn(query, 'entry_type', ENTRY_TYPES), (entry) => entry.entry_type],
    [filter.capability, (entry) => entry.capability],
    [filter.invocation_id, (entry) => entry.invocation_id],
    [filter.client_reference_id, (entry) => entry.client_reference_id],
    [filter.task_id, (entry) => entry.task_id],
    [filter.parent_invocation_id, (entry) => entry.parent_invocation_id],
    [filter.approval_request_id, (entry) => entry.approval_request_id],
    [filter.event_class, (entry) => entry.event_class],
    [filter.success, (entry) => entry.success],
  ]
  const given = wanted.filter(([value]) => value !== undefined)
  return (entry) =>
    given.every(([value, said]) => said(entry) === value) &&
    (filter.since === undefined || entry.timestamp > filter.since) &&
    (filter.until === undefined || entry.timestamp <= filter.until)
}

const apiKeyOf = ({ credential }: AuditEntry): string | undefined =>
  credential === undefined || isAccount(credential) ? undefined : credential.api_key

const AT_ONCE = 500

/** Walks the log from the newest entry, over so many at most, and up to a page of bytes; the cursor leads on. */
async function pageOf(service: Service, { limit, beforeSequence }: EntryFilter, matches: Matches) {
  const entries: AuditEntry[] = []
  let [before, bytes] = [beforeSequence, 0]
  for (let walked = 0; walked < service.limits.auditRowsPerQuery;) {
    const read = await service.storage.audit
      .newest(before, AT_ONCE)
      .catch((error: unknown) => reportDamage(service, error))
    if (read.length === 0) return answer(entries, undefined)
    for (const entry of read.filter(matches)) {
      entries.push(entry)
      bytes += Buffer.byteLength(JSON.stringify(entry))
      if (entries.length === limit || bytes > PAGE_BYTES) return answer(entries, entry.sequence)
    }
    before = read.at(-1)!.sequence
    walked += read.length
  }
  return answer(entries, before)
}

const answer = (entries: readonly AuditEntry[], cursor: number | undefined) =>
  present({ entries, count: entries.length, next_cursor: cursor === undefined ? undefined : String(cursor) })
