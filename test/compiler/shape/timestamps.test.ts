import { expect, it } from 'vitest'
import { fits, formatOf } from '../../../src/compiler/shape/formats.js'

it.each([
  ['2026-02-28T00:00:00Z', true],
  ['2024-02-29T23:59:59.123+14:00', true],
  ['2026-02-29T00:00:00Z', false],
  ['2026-04-31T00:00:00Z', false],
])('a timestamp is a time of the calendar: %s', (text, fitting) => {
  expect(fits(formatOf('timestamp'), text)).toBe(fitting)
})
