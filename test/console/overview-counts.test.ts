/** What the overview counts, of pages of the trail as they are read. */
import { beforeEach, expect, it, vi } from 'vitest'
import { overviewRoutes } from '../../src/console/api/overview.js'
import type { AnsweredEntry } from '../../src/protocol/audit.js'

const NOW = Date.parse('2030-01-02T00:00:00.000Z')
const asked: string[] = []
let pages: readonly (readonly Partial<AnsweredEntry>[])[] = []
vi.mock('../../src/console/api/trail.js', () => ({
  readPage: async (_: unknown, query: URLSearchParams) => {
    asked.push(decodeURIComponent(query.toString()))
    const at = Number(query.get('cursor') ?? 0)
    return { entries: pages[at] ?? [], ...(at + 1 < pages.length && { next_cursor: String(at + 1) }) }
  },
}))
beforeEach(() => void asked.splice(0))

async function counted(search: string, ...given: typeof pages) {
  pages = given
  const route = overviewRoutes[0] as { readonly signedIn: (visit: never) => Promise<{ readonly body: unknown }> }
  const visit = { query: new URLSearchParams(search), setting: { service: { now: () => NOW } } }
  return JSON.parse(String((await route.signedIn(visit as never)).body)) as {
    readonly bars: readonly { readonly done: number; readonly failures: object }[]
    readonly is_whole: boolean
    readonly since: number
    readonly spent: readonly object[]
    readonly decided_in_ms: readonly number[]
  }
}

const ago = (minutes: number): string => new Date(NOW - minutes * 60_000).toISOString()
const call = (minutes: number, more: Partial<AnsweredEntry> = {}) =>
  ({ entry_type: 'invocation', success: true, failure_type: null, cost_actual: null, parent_invocation_id: null, invocation_id: `inv-${minutes}`, timestamp: ago(minutes), ...more }) as const // prettier-ignore
const decision = (entry_type: AnsweredEntry['entry_type'], approval_request_id: string, minutes: number) =>
  ({ entry_type, approval_request_id, timestamp: ago(minutes), success: true, cost_actual: null }) as const

it('is of the last day unless hours are said, a thousand entries at a time', async () => {
  expect((await counted('')).since).toBe(NOW - 24 * 3_600_000)
  expect((await counted('hours=1', [], [])).since).toBe(NOW - 3_600_000)
  expect(asked).toEqual([
    'since=2030-01-01T00:00:00.000Z&limit=1000',
    'since=2030-01-01T23:00:00.000Z&limit=1000',
    'since=2030-01-01T23:00:00.000Z&limit=1000&cursor=1',
  ])
})

it('is of ten pages at most, and says so', async () => {
  const page = [call(1)]
  const ten = await counted('', ...Array.from({ length: 10 }, () => page))
  expect([ten.is_whole, ten.bars.at(-1)?.done]).toEqual([true, 10])
  const eleven = await counted('', ...Array.from({ length: 11 }, () => page))
  expect([eleven.is_whole, eleven.bars.at(-1)?.done]).toEqual([false, 10])
})

it('puts each call into its part of the time, by how it ended; what is no call is none', async () => {
  const entries = [
    call(24 * 60),
    call(24 * 60 + 5),
    call(0),
    call(59),
    call(60, { success: false, failure_type: 'rate_limited' }),
    call(61, { success: false, failure_type: 'rate_limited' }),
    call(62, { success: false }),
    decision('approval_denied', 'a', 1),
  ]
  const { bars } = await counted('', entries)
  expect([bars.length, bars[0], bars[22], bars[23]]).toEqual([
    24,
    { done: 2, failures: {} },
    { done: 0, failures: { rate_limited: 1, '': 1 } },
    { done: 2, failures: { rate_limited: 1 } },
  ])
})

it('adds what was spent by currency, and no step twice', async () => {
  const eur = (amount: number) => ({ cost_actual: { currency: 'EUR', amount } })
  const { spent } = await counted('', [
    call(1, eur(0.1)),
    call(2, { ...eur(0.2), parent_invocation_id: 'inv-1' }),
    call(3, { ...eur(0.2), parent_invocation_id: 'inv-gone' }),
    call(4, { cost_actual: { currency: 'JPY', amount: 7 } }),
    call(5, { ...eur(9), entry_type: 'approval_granted' }),
  ])
  expect(spent).toEqual([{ currency: 'EUR', amount: 0.3 }, { currency: 'JPY', amount: 7 }]) // prettier-ignore
})

it('tells how long requests waited that were granted or denied, shortest first', async () => {
  const { decided_in_ms } = await counted('', [
    decision('approval_granted', 'a', 1),
    decision('approval_denied', 'b', 2),
    decision('approval_withdrawn', 'c', 3),
    decision('approval_granted', 'before', 4),
    decision('approval_requested', 'a', 31),
    decision('approval_requested', 'b', 4),
    decision('approval_requested', 'c', 9),
  ])
  expect(decided_in_ms).toEqual([120_000, 1_800_000])
})
