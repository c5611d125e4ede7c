import { expect, it } from 'vitest'
import { ownCopy } from '../../src/runtime/json/own-copy.js'

it('shares nothing with the value that it copies, and keeps every name', () => {
  const text = '{"list":[{"deep":[1]}],"__proto__":{"a":null},"constructor":"c"}'
  const value = JSON.parse(text)
  const copy = ownCopy(value) as typeof value
  expect(JSON.stringify(copy)).toBe(text)
  copy.list[0].deep.push(2)
  copy['__proto__'].a = 1
  expect(JSON.stringify(value)).toBe(text)
  expect(Object.getPrototypeOf(copy)).toBe(Object.prototype)
})
