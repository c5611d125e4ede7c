/** How long an answer asks to wait: of webhooks and of the service behind this one alike. */
import { expect, it } from 'vitest'
import { secondsToWait } from '../../src/runtime/net/retry-after.js'

const NOW = Date.UTC(2026, 10, 28, 12, 0, 0)
const DATE = 'Sat, 28 Nov 2026 08:00:00 GMT'

it.each<[retryAfter: string | null, date: string | null, seconds: number | undefined]>([
  ['7', null, 7],
  ['0', null, 1],
  ['999999999999999999999', null, 86_400],
  ['Sat, 28 Nov 2026 08:00:20 GMT', DATE, 20],
  ['Sat, 28 Nov 2026 07:00:00 GMT', DATE, 1],
  ['Thu, 28 Nov 2999 08:00:00 GMT', DATE, 86_400],
  ['Sat, 28 Nov 2026 12:00:20 GMT', null, 20],
  ['Saturday, 28-Nov-26 12:00:20 GMT', null, 20],
  ['Sat Nov 28 12:00:20 2026 GMT', null, 20],
  ['Sat, 28 Nov 2026 12:00:20 GMT', '', 20],
  ['Sat, 28 Nov 2026 12:00:20 GMT', 'Sat, soon', 20],
  ['Sat, 28 Nov 2026 12:00:20 GMT', 'yesterday', 20],
  ['Sat, 28 Nov 2026 11:00:00 GMT', null, 1],
  ['Thu, 28 Nov 2999 08:00:00 GMT', null, 86_400],
  ['Sat, soon', null, undefined],
  ['2026-11-28T12:00:20Z', null, undefined],
  ['-5', null, undefined],
  ['1.5', null, undefined],
  ['', null, undefined],
  [null, null, undefined],
])('Retry-After %j beside the date %j is %j s', (retryAfter, date, seconds) => {
  expect(secondsToWait(retryAfter, date, NOW)).toBe(seconds)
})
