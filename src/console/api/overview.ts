import type { AnsweredEntry } from '../../protocol/audit.js'
import { fromMinorUnits, minorUnits, type Money } from '../../protocol/money.js'
import type { HttpResponse } from '../../runtime/http/exchange.js'
import { countIn, readQuery } from '../../runtime/request/query.js'
import { jsonResponse } from '../../runtime/http/response.js'
import type { ConsoleRoute, SignedInVisit } from '../visit.js'
import { readPage } from './trail.js'

/** Recent activity, counted from the audit entries that this person may read. */
export const overviewRoutes: readonly ConsoleRoute[] = [
  { method: 'GET', path: '/api/overview', isPassive: true, signedIn: overview },
]

const HOUR = 3_600_000
const BARS = 24
/** Entries that are counted at most; beyond them the answer says that it is of the newest. */
const MOST_PAGES = 10

async function overview(visit: SignedInVisit): Promise<HttpResponse> {
  const hours = countIn(readQuery(visit.query, ['hours']), 'hours', { least: 1, most: 24 * 7 }) ?? 24
  const until = visit.setting.service.now()
  const since = until - hours * HOUR
  const { entries, isWhole } = await entriesSince(visit, since)
  const counted = { ...countOf(entries, since, until), spent: spentIn(entries), decided_in_ms: decisionTimes(entries) }
  return jsonResponse(200, JSON.stringify({ since, until, is_whole: isWhole, ...counted }))
}

/** Counted members of an entry; the rest of a page is released with it. */
type Counted = Pick<AnsweredEntry, (typeof COUNTED)[number]>

const COUNTED = [
  'entry_type', 'success', 'failure_type', 'timestamp', 'cost_actual', 'invocation_id', 'parent_invocation_id', 'approval_request_id',
] as const // prettier-ignore

const countedOf = (entry: AnsweredEntry): Counted =>
  Object.fromEntries(COUNTED.map((name) => [name, entry[name]])) as unknown as Counted

async function entriesSince(visit: SignedInVisit, since: number) {
  const entries: Counted[] = []
  let cursor: string | undefined
  for (let page = 0; page < MOST_PAGES; page++) {
    const query = new URLSearchParams({ since: new Date(since).toISOString(), limit: '1000' })
    if (cursor !== undefined) query.set('cursor', cursor)
    const read = await readPage(visit, query)
    entries.push(...read.entries.map(countedOf))
    cursor = read.next_cursor
    if (cursor === undefined) return { entries, isWhole: true }
  }
  return { entries, isWhole: false }
}

/** Calls in each part of the time: how many were done, and how many ended with which failure. */
function countOf(entries: readonly Counted[], since: number, until: number) {
  const bars = Array.from({ length: BARS }, () => ({ done: 0, failures: new Map<string, number>() }))
  for (const { entry_type, success, failure_type, timestamp } of entries) {
    const at = Math.floor(((Date.parse(timestamp) - since) / (until - since)) * BARS)
    const bar = bars[Math.min(BARS - 1, Math.max(0, at))]!
    if (entry_type !== 'invocation') continue
    if (success) bar.done += 1
    else bar.failures.set(failure_type ?? '', (bar.failures.get(failure_type ?? '') ?? 0) + 1)
  }
  return { bars: bars.map(({ done, failures }) => ({ done, failures: Object.fromEntries(failures) })) }
}

/** By currency; what a step has cost is in what the whole has cost. */
function spentIn(entries: readonly Counted[]): readonly Money[] {
  const costly = entries.filter(({ entry_type, cost_actual }) => entry_type === 'invocation' && cost_actual !== null)
  const ids = new Set(costly.map(({ invocation_id }) => invocation_id))
  const sums = new Map<string, bigint>()
  for (const { cost_actual, parent_invocation_id } of costly) {
    if (cost_actual === null || (parent_invocation_id !== null && ids.has(parent_invocation_id))) continue
    sums.set(cost_actual.currency, (sums.get(cost_actual.currency) ?? 0n) + (minorUnits(cost_actual) ?? 0n))
  }
  return [...sums].map(([currency, units]) => fromMinorUnits(units, currency))
}

/** Returns the waiting times of decided requests, shortest first. */
function decisionTimes(entries: readonly Counted[]): readonly number[] {
  const asked = new Map(
    entries.flatMap(({ entry_type, approval_request_id, timestamp }) =>
      entry_type === 'approval_requested' ? [[approval_request_id, Date.parse(timestamp)] as const] : [],
    ),
  )
  return entries
    .flatMap(({ entry_type, approval_request_id, timestamp }) => {
      const at =
        entry_type === 'approval_granted' || entry_type === 'approval_denied'
          ? asked.get(approval_request_id)
          : undefined
      return at === undefined ? [] : [Date.parse(timestamp) - at]
    })
    .toSorted((one, other) => one - other)
}
