import type { AnsweredEntry } from '../../../../protocol/audit.js'
import { hasOutcome, type OutcomeFilter } from '../../../entry-outcome.js'

/** Filters in the address of the page. */
export interface Filters {
  readonly outcome: 'all' | OutcomeFilter
  readonly when: keyof typeof WHEN
  readonly capability: string
  readonly actor: string
  readonly id: string
}

const HOUR = 3_600_000

export const WHEN = {
  '1h': { word: 'Last hour', ms: HOUR },
  '24h': { word: 'Last 24 hours', ms: 24 * HOUR },
  '7d': { word: 'Last 7 days', ms: 7 * 24 * HOUR },
  all: { word: 'All time', ms: undefined },
} as const

export const OUTCOMES = { all: 'All', refused: 'Refused', failed: 'Failed', waiting: 'Waiting' } as const

export const NONE: Filters = { outcome: 'all', when: '24h', capability: '', actor: '', id: '' }

const wordOf = <Word extends string>(
  table: { readonly [word in Word]: unknown },
  text: string | null,
  otherwise: Word,
): Word => (text !== null && Object.hasOwn(table, text) ? (text as Word) : otherwise)

export const filtersIn = (query: URLSearchParams): Filters => ({
  outcome: wordOf(OUTCOMES, query.get('outcome'), NONE.outcome),
  when: wordOf(WHEN, query.get('when'), NONE.when),
  capability: query.get('capability') ?? '',
  actor: query.get('actor') ?? '',
  id: query.get('id') ?? '',
})

/** The filters as the address has them: only those that say something. */
export const queryOf = (filters: Filters): URLSearchParams =>
  new URLSearchParams(Object.entries(filters).filter(([name, value]) => value !== NONE[name as keyof Filters]))

/**
 * Builds the query for the service. Refused, failed and waiting calls are all unsuccessful; the page separates them.
 */
export function asked({ outcome, when, capability, actor, id }: Filters, now: number): URLSearchParams {
  const { ms } = WHEN[when]
  const given: readonly (readonly [string, string | undefined])[] = [
    ['success', outcome === 'refused' || outcome === 'failed' ? 'false' : undefined],
    ['since', ms === undefined ? undefined : new Date(now - ms).toISOString()],
    ['capability', capability],
    ['actor', actor],
    [memberOf(id), id.trim()],
  ]
  return new URLSearchParams(
    given.flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, value]])),
  )
}

/** Builds the query for an export; there the service separates the outcomes. */
export function exportQuery(filters: Filters, now: number): URLSearchParams {
  const query = asked(filters, now)
  if (filters.outcome !== 'all') query.set('outcome', filters.outcome)
  return query
}

/** Detects the kind of an id by its prefix. */
const memberOf = (id: string): 'invocation_id' | 'approval_request_id' | 'task_id' =>
  id.trim().startsWith('inv-') ? 'invocation_id' : id.trim().startsWith('apr_') ? 'approval_request_id' : 'task_id'

/** Checks whether an entry matches the filters. */
export function matches({ outcome, capability, actor, id }: Filters, entry: AnsweredEntry): boolean {
  return (
    (outcome === 'all' || hasOutcome(outcome, entry)) &&
    (capability === '' || entry.capability === capability) &&
    (actor === '' || entry.actor_key === actor) &&
    (id === '' || entry[memberOf(id)] === id.trim())
  )
}
