import { expect, it } from 'vitest'
import { together } from '../../../src/runtime/storage/sql/together.js'

it.each([
  ['while others are written', false, [256, 256, 88]],
  ['one write after the other', true, [256, 256, 88]],
])('what waits goes in parts of a bounded size, %s', async (_, isAlone, sizes) => {
  const written: number[] = []
  const write = async (take: () => readonly string[]): Promise<ReadonlyMap<string, string>> => {
    await Promise.resolve()
    const taken = take()
    written.push(taken.length)
    return new Map(taken.map((id) => [id, `said ${id}`]))
  }
  const say = together<string, string>(String, write, (id) => new Error(id), { isAlone })
  const said = await Promise.all(Array.from({ length: 600 }, (_each, n) => say(String(n))))
  expect(written).toEqual(sizes)
  expect([said[0], said[599]]).toEqual(['said 0', 'said 599'])
})
