import { expect, it } from 'vitest'
import { idsFrom } from '../../src/runtime/storage/ids.js'
import type { Storage } from '../../src/runtime/storage/contract.js'

const store = { nextBlock: async () => 0 } as unknown as Storage

it('makes ids of 136 random bits of their own, each once, though it draws many at once', async () => {
  const { make } = await idsFrom(store)
  const ids = Array.from({ length: 1000 }, () => make('token').slice('tok_'.length))
  expect(ids.filter((id) => !/^[\w-]{27}$/u.test(id))).toEqual([])
  expect(new Set(ids.map((id) => id.slice(4))).size).toBe(1000)
})

it('begins the ids of one draw alike, for the index, and those of the next one otherwise', async () => {
  const { make } = await idsFrom(store)
  const beginnings = Array.from({ length: 256 }, () => make('token').slice(0, 8))
  expect(new Set(beginnings.slice(0, 128)).size).toBe(1)
  expect(new Set(beginnings).size).toBe(2)
})

it('draws for itself', async () => {
  const [one, other] = [await idsFrom(store), await idsFrom(store)]
  expect(one.make('grant')).not.toBe(other.make('grant'))
})
