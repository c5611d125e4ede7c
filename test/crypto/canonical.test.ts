import canonicalize from 'canonicalize'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { canonicalText } from '../../src/crypto/json/canonical.js'

it.each([
  [{ b: 1, a: [true, null, 'x'], é: -0 }, '{"a":[true,null,"x"],"b":1,"é":0}'],
  [JSON.parse('{"10":1,"9":2,"__proto__":3}'), '{"10":1,"9":2,"__proto__":3}'],
  [{ '\u{1f600}': 1, '\ufb33': 2 }, '{"\u{1f600}":1,"\ufb33":2}'],
  ['"\\\u0000\u007f\u2028/', '"\\"\\\\\\u0000\u007f\u2028/"'],
  [[1e21, 1e-7, 5e-324, 333333333.3333333], '[1e+21,1e-7,5e-324,333333333.3333333]'],
])('canonicalText(%j) is %s', (value, text) => {
  expect(canonicalText(value)).toBe(text)
})

it.each([
  [Number.NaN], ['\ud800'], [{ '\udc00': 1 }], [undefined], [[undefined]], [{ a: undefined }], [1n], [() => 1], [new Date(0)],
  [Array(1)], [new Map()],
])('canonicalText refuses what is not I-JSON: %s', (value) => {
  expect(() => canonicalText(value)).toThrow(TypeError)
}) // prettier-ignore

it('canonicalText refuses a value that contains itself', () => {
  const value: unknown[] = []
  value.push(value)
  expect(() => canonicalText(value)).toThrow('contains itself')
})

it('canonicalText writes what the library of the RFC writes', () => {
  const value = fc
    .jsonValue({ stringUnit: 'binary', maxDepth: 4 })
    .map((json) => JSON.parse(JSON.stringify(json)) as unknown)
  fc.assert(
    fc.property(value, (json) => {
      expect(canonicalText(json)).toBe(canonicalize(json))
    }),
    { numRuns: 2000 },
  )
})
