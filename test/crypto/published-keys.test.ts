import { expect, it } from 'vitest'
import { generateRingKey } from '../../src/crypto/keys/key-ring.js'
import { datedAfterRetirement } from '../../src/crypto/keys/published-keys.js'

const END = Date.parse('2026-01-01T12:00:00.000Z')

it.each([
  ['2026-01-01T11:59:59.999Z', false],
  ['2026-01-01T12:00:00.000Z', false],
  ['2026-01-01T12:00:00.001Z', true],
  ['2026-01-01T13:00:00.000+01:00', false],
  ['no time', true],
])('what is dated %s is too late for a key that was retired at noon: %s', (dated, isLate) => {
  const key = { ...generateRingKey('audit', 'retired'), retiredFrom: END }
  expect(datedAfterRetirement(key.kid, dated, [key]) !== undefined).toBe(isLate)
  expect(datedAfterRetirement('another', dated, [key])).toBeUndefined()
})
