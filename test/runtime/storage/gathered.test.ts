import { expect, it } from 'vitest'
import { gathered } from '../../../src/runtime/storage/sql/gathered.js'

/** What is read by key, and which keys each read was for. */
function reading(failing?: string) {
  const reads: (readonly string[])[] = []
  const read = gathered(async (keys) => {
    reads.push(keys)
    if (failing !== undefined && keys.includes(failing)) throw new Error(`The row of ${failing} is damaged.`)
    return new Map(keys.filter((key) => key !== 'none').map((key) => [key, `value of ${key}`]))
  })
  return { reads, read }
}

it('what is asked for in one turn is read together, each key once; what comes later is read anew', async () => {
  const { reads, read } = reading()
  const asked = ['a', 'b', 'a', 'none'].map(read)
  expect(reads).toEqual([])
  expect(await Promise.all(asked)).toEqual(['value of a', 'value of b', 'value of a', undefined])
  await read('a')
  expect(reads).toEqual([['a', 'b', 'none'], ['a']])
})

it('of many keys 64 are read at a time', async () => {
  const { reads, read } = reading()
  const found = await Promise.all(Array.from({ length: 130 }, (_, n) => read(String(n))))
  expect(reads.map(({ length }) => length)).toEqual([64, 64, 2])
  expect([found[63], found[64], found[129]]).toEqual(['value of 63', 'value of 64', 'value of 129'])
})

it('what is wrong with one row is the trouble of those alone who asked for it', async () => {
  const { reads, read } = reading('b')
  const asked = await Promise.allSettled(['a', 'b', 'b', 'c'].map(read))
  expect(asked.map((each) => (each.status === 'fulfilled' ? each.value : String(each.reason)))).toEqual([
    'value of a',
    'Error: The row of b is damaged.',
    'Error: The row of b is damaged.',
    'value of c',
  ])
  expect(reads).toEqual([['a', 'b', 'c'], ['a'], ['b'], ['c']])
})
