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

it('what could not even be taken is refused to all who wait, and what comes later is written', async () => {
  let isAway = true
  const write = async (take: () => readonly string[]): Promise<ReadonlyMap<string, string>> => {
    await Promise.resolve()
    if (isAway) throw new Error('The store is away.')
    return new Map(take().map((id) => [id, `said ${id}`]))
  }
  const say = together<string, string>(String, write, (id) => new Error(`${id} twice`))
  const refused = await Promise.allSettled([say('a'), say('b'), say('a')])
  expect(refused.map((each) => each.status === 'rejected' && String(each.reason))).toEqual([
    'Error: The store is away.',
    'Error: The store is away.',
    'Error: The store is away.',
  ])
  isAway = false
  expect(await say('a')).toBe('said a')
})

it('a second one of an id is refused when the first is durable, and not before; as the first, where that is refused', async () => {
  const order: string[] = []
  const write = async (take: () => readonly string[]): Promise<ReadonlyMap<string, string | Error>> => {
    await Promise.resolve()
    const taken = take()
    order.push(`written ${taken.join()}`)
    return new Map(taken.map((id) => [id, id === 'bad' ? new Error('no') : `said ${id}`]))
  }
  const say = together<string, string>(String, write, (id) => new Error(`${id} twice`))
  const told = (id: string) => say(id).then(String, String).then((text) => void order.push(text)) // prettier-ignore
  await Promise.all([told('a'), told('a'), told('bad'), told('bad')])
  expect(order).toEqual(['written a,bad', 'said a', 'Error: a twice', 'Error: no', 'Error: no'])
})
