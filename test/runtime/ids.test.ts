import { expect, it } from 'vitest'
import { idsFrom } from '../../src/runtime/ids.js'
import type { Storage } from '../../src/runtime/storage/contract.js'

const store = { nextBlock: async () => 0 } as unknown as Storage

it('makes ids of 144 random bits, each once, though it draws many at once', async () => {
  const { make } = await idsFrom(store)
  const ids = Array.from({ length: 1000 }, () => make('token'))
  expect(new Set(ids).size).toBe(1000)
  expect(ids.filter((id) => !/^tok_[\w-]{24}$/u.test(id))).toEqual([])
})

it('draws for itself', async () => {
  const [one, other] = [await idsFrom(store), await idsFrom(store)]
  expect(one.make('grant')).not.toBe(other.make('grant'))
})
