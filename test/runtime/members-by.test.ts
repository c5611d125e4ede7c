import { expect, it } from 'vitest'
import { membersBy } from '../../src/runtime/json/members-by.js'

const doubled = (names: readonly string[]) =>
  membersBy(
    names,
    (name) => name,
    (name) => (name === 'none' ? undefined : `${name}${name}`),
  )

it('makes a member of each name that has a value', () => {
  expect(doubled(['a', 'none', 'b'])).toEqual({ a: 'aa', b: 'bb' })
})

it.each(['__proto__', 'constructor', 'toString'])('takes %s for a name', (name) => {
  const members = doubled([name])
  expect(Object.entries(members)).toEqual([[name, `${name}${name}`]])
  expect(Object.getPrototypeOf(members)).toBe(Object.prototype)
})
