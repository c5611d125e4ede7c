import type { AnsweredEntry, AuditEntry } from '../../protocol/audit.js'
import { canonicalText } from '../../crypto/json/canonical.js'
import { formatHash } from '../../crypto/json/digest.js'
import { leafHash } from '../../crypto/merkle/merkle.js'
import { EVENT_CLASSES, type DisclosureLevel } from '../../protocol/words.js'
import { disclosedText, disclosureLevel } from '../errors/disclosure.js'
import type { Service } from '../service.js'
import { DamagedRow } from '../storage/sql/columns.js'
import {
  capabilityIn,
  countIn,
  invocationIdIn,
  readQuery,
  textIn,
  timeIn,
  wordIn,
  type Query,
} from '../call/inputs/query.js'
import { optionalMembersOf } from '../call/inputs/members.js'
import { present } from '../json/present.js'
import type { AuditFilter } from '../storage/contract.js'
import { delegationOf } from './delegation.js'
import { ok, type Endpoint } from './endpoint.js'

const FILTERS = [
  'capability', 'since', 'until', 'invocation_id', 'client_reference_id', 'task_id', 'parent_invocation_id', 'approval_request_id',
  'event_class', 'success', 'limit', 'cursor',
] as const // prettier-ignore

const DEFAULT_LIMIT = 100
const MOST = 1000

/** POST /svc/audit (section 4.8): the trail of the caller's root principal, newest first. */
export const audit: Endpoint = async (service, call) => {
  const token = await delegationOf(service, call)
  optionalMembersOf(await call.body(), [])
  const query = readQuery(call.query, FILTERS)
  const limit = countIn(query, 'limit', { least: 1, most: MOST }) ?? DEFAULT_LIMIT
  const found = await service.storage.audit
    .query(filterOf(query, token.claims.root_principal, limit + 1))
    .catch((error: unknown) => reportDamage(service, error))
  const level = disclosureLevel(service.manifest, token.claims.caller_class)
  return ok(pageOf(found, limit, level))
}

/** An entry that is not what was recorded is answered to nobody, and health says that there is one. */
function reportDamage({ alarms, log }: Service, error: unknown): never {
  if (error instanceof DamagedRow) {
    alarms.add('trail_altered')
    log.error('The trail in the database is not what was recorded.', { error: error.message })
  }
  throw error
}

/** What the answer to a failed call would not say, its entry does not say either; the trail keeps it. */
function answered(entry: AuditEntry, level: DisclosureLevel): AnsweredEntry {
  const { detail, ...rest } = entry
  const said = detail === undefined ? undefined : disclosedText(detail, entry.failure_type, level)
  if (said === detail) return entry
  return present({
    ...rest,
    detail: said,
    redacted: true as const,
    leaf_hash: formatHash(leafHash(canonicalText(entry))),
  })
}

const filterOf = (query: Query, rootPrincipal: string, limit: number): AuditFilter =>
  present({
    rootPrincipal,
    limit,
    capability: capabilityIn(query, 'capability'),
    invocation_id: invocationIdIn(query, 'invocation_id'),
    client_reference_id: textIn(query, 'client_reference_id'),
    task_id: textIn(query, 'task_id'),
    parent_invocation_id: invocationIdIn(query, 'parent_invocation_id'),
    approval_request_id: textIn(query, 'approval_request_id'),
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

function pageOf(found: readonly AuditEntry[], limit: number, level: DisclosureLevel) {
  const entries = found.slice(0, limit).map((entry) => answered(entry, level))
  const next_cursor = found.length > limit ? String(entries.at(-1)!.sequence) : undefined
  return present({ entries, count: entries.length, next_cursor })
}
