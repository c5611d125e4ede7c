import { expect, it } from 'vitest'
import { verdictOf } from '../../src/cli/verify/export.js'

it.each([
  [0, ['erased', 0, '0']],
  [2, ['erased', 2, 'the content of 2; only their hashes are proven']],
])('an export says of how many entries the content was erased: %i', (erased, fact) => {
  const verdict = { entries: 3, erased, erasures: 0, checkpoints: [], findings: [] }
  expect(verdictOf(verdict).facts.find(([name]) => name === 'erased')).toEqual(fact)
})
