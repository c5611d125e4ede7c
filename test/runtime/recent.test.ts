import { describe, expect, it } from 'vitest'
import { recent } from '../../src/runtime/rates/recent.js'

describe('what is remembered for a while', () => {
  it('is forgotten when it was not used while others were', () => {
    const values = recent<number>(4)
    for (const [at, name] of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].entries()) {
      values.set(name, at)
      expect(values.get('a')).toBe(0)
    }
    expect(['b', 'c', 'd'].map((name) => values.get(name))).toEqual([undefined, undefined, undefined])
    expect(values.get('h')).toBe(7)
  })

  it.each([1, 2, 3, 10])('is never more than %s', (most) => {
    const values = recent<number>(most)
    const names = Array.from({ length: 40 }, (_, at) => `n${at}`)
    for (const name of names) values.set(name, 1)
    expect(names.filter((name) => values.get(name) === 1).length).toBeLessThanOrEqual(most)
  })

  it('is replaced by a newer value, and forgotten at once on demand', () => {
    const values = recent<number>(10)
    values.set('a', 1)
    values.set('a', 2)
    expect(values.get('a')).toBe(2)
    values.clear()
    expect(values.get('a')).toBeUndefined()
  })
})
