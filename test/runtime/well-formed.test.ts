import { expect, it } from 'vitest'
import type { Json } from '../../src/protocol/manifest.js'
import { wellFormed } from '../../src/runtime/json/well-formed.js'

const HALF = '🦊'.slice(0, 1)

it.each<[Json, Json]>([
  [HALF, '\ufffd'],
  [`a${HALF}`, 'a\ufffd'],
  [['a', HALF], ['a', '\ufffd']],
  [{ a: { b: [HALF] } }, { a: { b: ['\ufffd'] } }],
  [{ [HALF]: 1 }, { '\ufffd': 1 }],
])('of %j stays %j', (value, whole) => {
  expect(wellFormed(value)).toEqual(whole)
}) // prettier-ignore

it.each<[Json]>([[null], [1], [true], ['🦊'], [[]], [{ a: ['🦊', null, { b: 1 }] }]])('%j is what it was', (value) => {
  expect(wellFormed(value)).toBe(value)
})
