/** Lists approval requests: newest first, or pending ones in turns. */
import type { ApprovalRequest } from '../../../protocol/approval.js'
import type { ApprovalState } from '../../../protocol/words.js'
import type { RequestFilter } from '../contract.js'
import { REQUEST_COLUMNS, requestOf } from './approval-rows.js'
import { fitting } from './page.js'
import { rows, type StoragePlan, type Value } from './plan.js'

interface Condition {
  readonly sql: string
  readonly values: readonly Value[]
}

/** What is read of each request: how it is computed, and what it is called then. */
interface Columns {
  readonly stored: string
  readonly names: string
}

const WHOLE: Columns = {
  stored: REQUEST_COLUMNS,
  names: 'body, status, approver, decided_at, reason, approvals, answered_at',
}
const BYTES: Columns = { stored: 'octet_length(body) as bytes', names: 'bytes' }

const IN_STATE: { readonly [state in ApprovalState]: string } = {
  pending: `status = 'pending' and expires_at > :now`,
  approved: `status = 'approved'`,
  denied: `status = 'denied'`,
  returned: `status = 'returned'`,
  withdrawn: `status = 'withdrawn'`,
  expired: `(status = 'expired' or (status = 'pending' and expires_at <= :now))`,
}

export function* listRequests(filter: RequestFilter): StoragePlan<readonly ApprovalRequest[]> {
  const { sql, values } = listed(WHOLE, filter)
  return (yield* rows(sql, ...values)).map(requestOf)
}

export function* fittingRequests(filter: RequestFilter): StoragePlan<number> {
  const { sql, values } = listed(BYTES, filter)
  return yield* fitting(filter.limit, sql, ...values)
}

/** The statement that lists such columns of requests, and its values. */
const listed = (columns: Columns, filter: RequestFilter): Condition =>
  filter.status === 'pending' && filter.capabilities !== undefined
    ? inTurns(columns, filter)
    : newestFirst(columns, filter)

function newestFirst({ stored }: Columns, filter: RequestFilter): Condition {
  const conditions = conditionsOf(filter)
  const where = conditions.map(({ sql }) => `(${sql})`).join(' and ')
  const sql = `
    select ${stored} from approval_requests ${where === '' ? '' : `where ${where}`}
    order by created_at desc, approval_request_id desc limit ?`
  return { sql, values: [...conditions.flatMap((condition) => condition.values), filter.limit] }
}

/** Root principals take turns. The one after which to go on keeps its turn, also where it was decided meanwhile. */
function inTurns({ stored, names }: Columns, { after, ...filter }: RequestFilter): Condition {
  const conditions = conditionsOf(filter)
  const where = conditions.map(({ sql }) => `(${sql})`).join(' and ')
  const sql = `
    with listed as (
      select ${stored}, approval_request_id, created_at, row_number() over (
        partition by root_principal order by created_at desc, approval_request_id desc) as turn
      from approval_requests where (${where})${after === undefined ? '' : ' or approval_request_id = ?'}
    )
    select ${names} from listed
    ${after === undefined ? '' : `where exists (${AFTER})`}
    order by turn, created_at desc, approval_request_id desc limit ?`
  const last = after === undefined ? [] : [after]
  const values = [...conditions.flatMap((condition) => condition.values), ...last, ...last, filter.limit]
  return { sql, values }
}

const AFTER = `
  select 1 from listed as last where last.approval_request_id = ? and (last.turn < listed.turn or (last.turn = listed.turn
    and (listed.created_at, listed.approval_request_id) < (last.created_at, last.approval_request_id)))`

function conditionsOf(filter: RequestFilter): readonly Condition[] {
  const conditions: Condition[] = []
  if (filter.status !== undefined) conditions.push({ sql: IN_STATE[filter.status], values: [] })
  const visible = visibility(filter)
  if (visible !== undefined) conditions.push(visible)
  if (filter.capability !== undefined) conditions.push({ sql: 'capability = ?', values: [filter.capability] })
  if (filter.after !== undefined) conditions.push(older(filter.after))
  return conditions
}

function visibility({ capabilities, approverScopes, rootPrincipal, subject }: RequestFilter): Condition | undefined {
  const either: Condition[] = []
  if (capabilities !== undefined) either.push(decidedBy(capabilities, approverScopes))
  if (rootPrincipal !== undefined) either.push(ownOf(rootPrincipal, subject))
  if (either.length === 0) return undefined
  return { sql: either.map(({ sql }) => sql).join(' or '), values: either.flatMap(({ values }) => values) }
}

const ownOf = (rootPrincipal: string, subject: string | undefined): Condition =>
  subject === undefined
    ? { sql: 'root_principal = ?', values: [rootPrincipal] }
    : { sql: 'root_principal = ? and subject = ?', values: [rootPrincipal, subject] }

/** The scope of a tier stands for those of the capability, so without `approverScopes` tiers are not looked at. */
function decidedBy(capabilities: readonly string[], approverScopes: readonly string[] | undefined): Condition {
  if (approverScopes === undefined) return oneOf('capability', capabilities)
  const [usual, tiers] = [oneOf('capability', capabilities), oneOf('approver_scope', approverScopes)]
  return {
    sql: `(approver_scope is null and ${usual.sql}) or ${tiers.sql}`,
    values: [...usual.values, ...tiers.values],
  }
}

function oneOf(column: 'capability' | 'approver_scope', names: readonly string[]): Condition {
  if (names.length === 0) return { sql: '1 = 0', values: [] }
  return { sql: `${column} in (${names.map(() => '?').join(', ')})`, values: names }
}

const older = (id: string): Condition => ({
  sql: `(created_at, approval_request_id) < (
    select created_at, approval_request_id from approval_requests where approval_request_id = ?)`,
  values: [id],
})
