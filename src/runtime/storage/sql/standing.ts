/** Rows that take authority away, as they are, and put back as the trail records them (decisions, section 20). */
import type { RequestDecision } from '../approval-contract.js'
import type { FoundRequest, LiveConnection, NamedAccount, StandingStore } from '../standing-store.js'
import type { StoredRequest } from '../stored-request.js'
import { byId } from './allowances.js'
import {
  DECISION_COLUMNS,
  decisionValues,
  INSERT_REQUEST,
  REQUEST_COLUMNS,
  requestOf,
  requestValues,
} from './approval-rows.js'
import { RESOLVE } from './audit-append.js'
import { activeBlocks, restoreBlock } from './blocks.js'
import { textColumn } from './columns.js'
import { keep, row, rows, type Engine, type Row, type WriteOutcome, type StoragePlan } from './plan.js'
import { padded } from './insert-many.js'
import { paused } from './operators.js'

const requestsSql = (marks: string): string => `
  select approval_request_id, capability, subject, root_principal, digest, ${REQUEST_COLUMNS}
  from approval_requests where approval_request_id in (${marks})`

const resolutionsSql = (marks: string): string => `
  select invocation_id from resolutions where invocation_id in (${marks})`

/** Accounts of a list of subjects, with their names: few have two issuers. */
const accountsSql = (marks: string): string => `
  select issuer, subject, principal from accounts where subject in (${marks})`

const liveSql = (marks: string): string => `
  select connection_id, person, upstream from connections where state <> 'ended' and person in (${marks})`

const CLOSE = `
  update approval_requests set capability = ?, subject = ?, root_principal = ?, digest = ?, body = ?, ${DECISION_COLUMNS}
  where approval_request_id = ? returning approval_request_id`

const INSERT = `${INSERT_REQUEST} where not exists (
    select 1 from approval_requests where approval_request_id = ?) on conflict do nothing`

export const standingStore = (engine: Engine): StandingStore => ({
  blocks: () => engine.search(activeBlocks),
  pauses: () => engine.search(paused),
  requests: (ids) => engine.search(() => byId(requestsSql, 'approval_request_id', ids, foundRequest)),
  resolutions: async (ids) =>
    new Set((await engine.search(() => byId(resolutionsSql, 'invocation_id', ids, () => true))).keys()),
  missingAccounts: (accounts) => engine.search(() => missingAccounts(accounts)),
  liveConnections: (people) => engine.search(() => liveConnections(people)),
  restoreBlock: (block) => engine.write(() => restoreBlock(block)),
  restoreRequest: (request, decision) => engine.write(() => restoreRequest(request, decision)),
  restoreResolution: (id, mac) => engine.writeSingly(() => restoreResolution(id, mac)),
})

/** A request whose columns find it, and one whose columns say otherwise than it does. */
function foundRequest(stored: Row): FoundRequest {
  const request = requestOf(stored)
  const { requester, capability, requested_parameters_digest: digest } = request
  const told = { capability, subject: requester.subject, root_principal: requester.root_principal, digest }
  const isWhere =
    request.approval_request_id === stored['approval_request_id'] &&
    Object.entries(told).every(([column, value]) => stored[column] === value)
  return isWhere ? { request } : { request, isMoved: true }
}

/** Accounts that one statement names. */
const MOST_AT_ONCE = 256

const pairOf = (issuer: string, subject: string, principal: string): string =>
  JSON.stringify([issuer, subject, principal])

function* missingAccounts(accounts: readonly NamedAccount[]): StoragePlan<readonly NamedAccount[]> {
  const stored = new Set<string>()
  for (let from = 0; from < accounts.length; from += MOST_AT_ONCE) {
    const list = padded(accounts.slice(from, from + MOST_AT_ONCE).map(({ account }) => account.subject))
    for (const each of yield* rows(accountsSql(list.marks), ...list.values))
      stored.add(pairOf(textColumn(each, 'issuer'), textColumn(each, 'subject'), textColumn(each, 'principal')))
  }
  return accounts.filter(({ account, principal }) => !stored.has(pairOf(account.issuer, account.subject, principal)))
}

function* restoreRequest(request: StoredRequest, decision: RequestDecision): StoragePlan<WriteOutcome<boolean>> {
  const { approval_request_id: id, status } = request
  yield* rows(INSERT, ...requestValues(request), id)
  const [, ...whose] = requestValues(request).slice(0, 6)
  return keep((yield* row(CLOSE, ...whose, ...decisionValues(status, decision), id)) !== undefined)
}

function* restoreResolution(invocationId: string, mac: string | undefined): StoragePlan<WriteOutcome<boolean>> {
  return keep((yield* row(RESOLVE, invocationId, mac ?? null)) !== undefined)
}

function* liveConnections(people: readonly string[]): StoragePlan<readonly LiveConnection[]> {
  const live: LiveConnection[] = []
  for (let from = 0; from < people.length; from += MOST_AT_ONCE) {
    const list = padded(people.slice(from, from + MOST_AT_ONCE))
    for (const each of yield* rows(liveSql(list.marks), ...list.values))
      live.push({
        connection_id: textColumn(each, 'connection_id'),
        person: textColumn(each, 'person') as LiveConnection['person'],
        upstream: textColumn(each, 'upstream'),
      })
  }
  return live
}
