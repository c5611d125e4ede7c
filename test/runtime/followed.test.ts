/** Where whoever follows the trail goes on. */
import { expect, it } from 'vitest'
import { Refusal } from '../../src/runtime/errors/refusal.js'
import { sequenceOf } from '../../src/runtime/operate/tail.js'

it.each([
  [null, undefined],
  ['0', 0],
  ['7', 7],
  ['999999999', 999_999_999],
])('the last id %j is the sequence %s', (text, sequence) => {
  expect(sequenceOf(text)).toBe(sequence)
})

it.each(['', '1000000000', '-1', '1.5', ' 1', 'x'])('the last id %j is refused', (text) => {
  expect(() => sequenceOf(text)).toThrow(Refusal)
})
