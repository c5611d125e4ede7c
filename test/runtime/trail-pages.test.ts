/** Pages of a trail whose entries do not stand in the order of their times, as those of several replicas may not. */
import { expect, it } from 'vitest'
import { capability } from './fixture/manifest.js'
import { startFixture, type Entry } from './fixture/service.js'

/** Calls in the order of their entries: each is named by its second, and one of two at the same second by a letter, too. */
const CALLS = ['4', '1', '3', '3b', '0', '5', '2']
const FAILED = new Set(['1', '3b', '5'])

/** Reads the trail page by page, and gives which calls each of them shows. */
async function pagesOf(query: string, limits: object = {}) {
  const { root, invoke, post, time } = await startFixture({
    capabilities: { search: capability(), other: capability({ minimum_scope: ['travel.other'] }) },
    limits: { auditQueriesPerMinute: 1_000, ...limits },
  })
  const { token } = await root()
  const began = time.now
  for (const call of CALLS) {
    time.now = began + Number.parseInt(call, 10) * 1000
    const body = { parameters: {}, client_reference_id: call, task_id: 't' }
    await invoke(FAILED.has(call) ? 'other' : 'search', token, body)
  }
  const pages: unknown[][] = []
  for (let cursor = ''; ;) {
    const { body } = await post(`/svc/audit?${query}${cursor}`, token)
    const { entries, next_cursor } = body as unknown as { readonly entries: readonly Entry[]; readonly next_cursor?: string } // prettier-ignore
    pages.push(entries.map((entry) => entry['client_reference_id']).filter((call) => call !== null))
    if (next_cursor === undefined || pages.length > 20) return pages
    cursor = `&cursor=${next_cursor}`
  }
}

it.each([
  ['task_id=t&limit=1', [['5'], ['4'], ['3b'], ['3'], ['2'], ['1'], ['0']]],
  ['task_id=t&limit=2', [['5', '4'], ['3b', '3'], ['2', '1'], ['0']]],
  ['task_id=t&limit=3', [['5', '4', '3b'], ['3', '2', '1'], ['0']]],
  ['task_id=t&limit=7', [['5', '4', '3b', '3', '2', '1', '0']]],
  [
    'capability=search&limit=2',
    [
      ['4', '3'],
      ['2', '0'],
    ],
  ],
  ['capability=other&limit=1', [['5'], ['3b'], ['1']]],
  ['success=false&limit=2', [['5', '3b'], ['1']]],
  ['event_class=low_risk_failure&limit=2', [['5', '3b'], ['1']]],
  ['since=2026-03-01T12:00:01.000Z&limit=2', [['5', '4'], ['3b', '3'], ['2']]],
  ['task_id=t&until=2026-03-01T12:00:03.000Z&limit=2', [['3b', '3'], ['2', '1'], ['0']]],
])('the pages of %s are %j: each call once, the newest first', async (query, pages) => {
  expect(await pagesOf(query)).toEqual(pages)
})

it.each([1, 2, 3, 5])('N10: so they are where a query walks over %i entries at most', async (auditRowsPerQuery) => {
  expect((await pagesOf('success=false&limit=2', { auditRowsPerQuery })).flat()).toEqual(['5', '3b', '1'])
})
