import fc from 'fast-check'
import { expect, it } from 'vitest'
import { cadenceMs, durationMs } from '../../src/protocol/durations.js'

it.each([
  ['P1W', 604_800_000],
  ['P12345W', 12_345 * 604_800_000],
  ['P1000Y', 31_536_000_000_000],
  ['P1001Y', 31_536_000_000_000],
  ['P999999Y', 31_536_000_000_000],
  ['P1Y', 31_536_000_000],
  ['P1M', 2_592_000_000],
  ['P1D', 86_400_000],
  ['PT1H', 3_600_000],
  ['PT1M', 60_000],
  ['PT1S', 1000],
  ['PT0.5S', 500],
  ['PT1.25S', 1250],
  ['PT0.001S', 1],
  ['PT0S', 0],
  ['P2Y3M4DT5H6M7.089S', 2 * 31_536_000_000 + 3 * 2_592_000_000 + 4 * 86_400_000 + 5 * 3_600_000 + 6 * 60_000 + 7089],
  ['P12Y34M56DT78H90M12.3S', 12 * 31_536_000_000 + 34 * 2_592_000_000 + 56 * 86_400_000 + 78 * 3_600_000 + 90 * 60_000 + 12_300],
])('%s takes %i ms', (text, ms) => {
  expect(durationMs(text)).toBe(ms)
}) // prettier-ignore

it.each([
  '', 'P', 'PT', 'P1', '1D', 'P1DT', 'P-1D', 'P1.5D', 'PT1.S', 'PT.5S', 'PT0.0001S', 'P1234567D', 'PT1234567H', 'P1W1D', 'P1D1W', 'P1H', 'PT1D',
  'p1d', ' P1D', 'P1D ', 'xP1D', 'P1Dx', 'P1D\n', 'P1M1Y', 'PT1S1M', 'P1.W', 'hourly',
])('%j is no duration', (text) => {
  expect(durationMs(text)).toBeUndefined()
}) // prettier-ignore

it.each([
  ['hourly', 3_600_000],
  ['daily', 86_400_000],
  ['PT15M', 900_000],
  ['weekly', undefined],
  ['toString', undefined],
])('a checkpoint %s comes every %s ms', (cadence, ms) => {
  expect(cadenceMs(cadence)).toBe(ms)
})

const DURATION =
  /^P(?:(\d{1,6})W|(?=\d|T\d)(?:(\d{1,6})Y)?(?:(\d{1,6})M)?(?:(\d{1,6})D)?(?:T(?=\d)(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6})(?:\.(\d{1,3}))?S)?)?)$/u

it('takes what the pattern of durations takes, and nothing else', () => {
  const pieces = [
    'P',
    'T',
    'W',
    'Y',
    'M',
    'D',
    'H',
    'S',
    '.',
    '1',
    '23',
    '123456',
    '1234567',
    '1D',
    '2M',
    '3H',
    '0.5S',
    ' ',
    '-',
  ]
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 8 }), fc.boolean(), (rest, isLikely) => {
      const text = `${isLikely ? 'P' : ''}${rest.join('')}`
      expect([text, durationMs(text) !== undefined]).toEqual([text, DURATION.test(text)])
    }),
    { numRuns: 20_000, seed: 1 },
  )
})
