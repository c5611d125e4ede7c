/** What the filters of the activity say, ask for and let through. */
import { expect, it } from 'vitest'
import { asked, exportQuery, filtersIn, matches, NONE, queryOf } from '../../src/console/app/pages/activity/filters.js'
import { entry } from './entries.js'

const NOW = Date.parse('2026-03-01T12:00:00.000Z')
const ALL = { ...NONE, when: 'all' } as const

it.each([
  ['', NONE],
  ['outcome=failed&when=7d&capability=book&actor=agent:desk&id=inv-1', { outcome: 'failed', when: '7d', capability: 'book', actor: 'agent:desk', id: 'inv-1' }],
  ['outcome=done&when=1y', NONE],
  ['outcome=toString&when=constructor', NONE],
])('the address %j says %j', (query, filters) => {
  expect(filtersIn(new URLSearchParams(query))).toEqual(filters)
  expect(filtersIn(queryOf(filters as never))).toEqual(filters)
}) // prettier-ignore

it.each([
  [NONE, 'since=2026-02-28T12:00:00.000Z', undefined],
  [{ ...NONE, when: '1h' }, 'since=2026-03-01T11:00:00.000Z', undefined],
  [{ ...NONE, when: '7d' }, 'since=2026-02-22T12:00:00.000Z', undefined],
  [ALL, '', undefined],
  [{ ...ALL, outcome: 'refused' }, 'success=false', 'refused'],
  [{ ...ALL, outcome: 'failed' }, 'success=false', 'failed'],
  [{ ...ALL, outcome: 'waiting' }, '', 'waiting'],
  [{ ...ALL, capability: 'book', actor: 'agent:desk' }, 'capability=book&actor=agent:desk', undefined],
  [{ ...ALL, id: ' inv-1 ' }, 'invocation_id=inv-1', undefined],
  [{ ...ALL, id: ' apr_1 ' }, 'approval_request_id=apr_1', undefined],
  [{ ...ALL, id: ' trip-7 ' }, 'task_id=trip-7', undefined],
] as const)('%j asks for %j, and for a file of outcome %s', (filters, query, outcome) => {
  expect(decodeURIComponent(asked(filters, NOW).toString())).toBe(query)
  const file = exportQuery(filters, NOW)
  expect([file.get('outcome') ?? undefined, file.get('success')]).toEqual([outcome, asked(filters, NOW).get('success')])
})

const SEEN = entry(1, { invocation_id: 'inv-1', task_id: 'trip-7', approval_request_id: 'apr_1', success: false, failure_type: 'rate_limited' }) // prettier-ignore

it.each([
  [{}, true],
  [{ outcome: 'refused' }, true],
  [{ outcome: 'failed' }, false],
  [{ capability: 'book' }, true],
  [{ capability: 'boo' }, false],
  [{ actor: 'agent:desk' }, true],
  [{ actor: 'human:ana' }, false],
  [{ id: ' inv-1 ' }, true],
  [{ id: ' apr_1 ' }, true],
  [{ id: ' trip-7 ' }, true],
  [{ id: 'inv-2' }, false],
  [{ id: 'apr_2' }, false],
  [{ id: 'trip-8' }, false],
  [{ outcome: 'refused', capability: 'book', actor: 'agent:desk', id: 'inv-2' }, false],
  [{ outcome: 'refused', capability: 'hold', actor: 'agent:desk', id: 'inv-1' }, false],
])('%j lets the refused call through: %s', (filters, through) => {
  expect(matches({ ...NONE, ...(filters as object) }, SEEN)).toBe(through)
})
