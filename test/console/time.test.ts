/** Times as somebody in Tokyo reads them, nine hours ahead of UTC. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

beforeEach(() => {
  vi.stubEnv('TZ', 'Asia/Tokyo')
  vi.resetModules()
})
afterEach(() => void vi.unstubAllEnvs())

it.each([
  ['the same day', '2026-03-01T14:59:59Z', '23:59', '14:59 UTC', '23:59:59', '14:59:59 UTC'],
  ['another day in UTC', '2026-03-01T15:00:00Z', '2 Mar, 00:00', '1 Mar, 15:00 UTC', '2 Mar, 00:00:00', '1 Mar, 15:00:00 UTC'],
  ['the day before', '2026-02-28T14:00:00Z', '28 Feb, 23:00', '14:00 UTC', '28 Feb, 23:00:00', '14:00:00 UTC'],
  ['the day of another year', '2025-03-01T12:00:00Z', '1 Mar, 21:00', '12:00 UTC', '1 Mar, 21:00:00', '12:00:00 UTC'],
])('%s: %s is %s (%s)', async (_, text, here, there, exactHere, exactThere) => {
  const { both, exact, exactUtc, local, utc } = await import('../../src/console/app/words/time.js')
  const [at, now] = [Date.parse(text), Date.parse('2026-03-01T12:00:00Z')]
  expect([local(at, now), utc(at), both(at, now)]).toEqual([here, there, `${here} (${there})`])
  expect([exact(at, now), exactUtc(at)]).toEqual([exactHere, exactThere])
}) // prettier-ignore

it.each([
  ['P1D', 86_400_000],
  ['PT1H', 3_600_000],
  ['PT1M', 60_000],
  ['PT1S', 1000],
  ['P1DT2H3M4S', 93_784_000],
  ['P1M', undefined],
  ['1H', undefined],
])('%s takes %s ms', async (duration, ms) => {
  const { durationMs } = await import('../../src/console/app/words/time.js')
  expect(durationMs(duration)).toBe(ms)
})
