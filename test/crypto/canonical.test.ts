import canonicalize from 'canonicalize'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { canonicalText } from '../../src/crypto/json/canonical.js'

it.each([
  [{ b: 1, a: [true, null, 'x'], é: -0 }, '{"a":[true,null,"x"],"b":1,"é":0}'],
  [JSON.parse('{"10":1,"9":2,"__proto__":3}'), '{"10":1,"9":2,"__proto__":3}'],
  [{ '\u{1f600}': 1, '\ufb33': 2 }, '{"\u{1f600}":1,"\ufb33":2}'],
  ['"\\\u0000\u007f\u2028/', '"\\"\\\\\\u0000\u007f\u2028/"'],
  [Object.assign(Object.create(null) as object, { b: 1, a: 2 }), '{"a":2,"b":1}'],
  [[1e21, 1e-7, 5e-324, 333333333.3333333], '[1e+21,1e-7,5e-324,333333333.3333333]'],
])('canonicalText(%j) is %s', (value, text) => {
  expect(canonicalText(value)).toBe(text)
})

it('canonicalText orders many names as it orders few: by UTF-16 code units', () => {
  const names = ['\u{1f600}', '\ufb33', 'Z', 'a', ...Array.from({ length: 40 }, (_, index) => `n${index}`)]
  const text = canonicalText(Object.fromEntries(names.toReversed().map((name) => [name, 0])))
  const tens = (ten: string): readonly string[] => [
    `n${ten}`,
    ...Array.from({ length: 10 }, (_, index) => `n${ten}${index}`),
  ]
  const numbered = ['n0', ...['1', '2', '3'].flatMap(tens), 'n4', 'n5', 'n6', 'n7', 'n8', 'n9']
  expect(Object.keys(JSON.parse(text) as object)).toEqual(['Z', 'a', ...numbered, '\u{1f600}', '\ufb33'])
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
