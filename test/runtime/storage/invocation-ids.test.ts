import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { startInvocationIds } from '../../../src/runtime/storage/invocation-ids.js'

const counting = (): { nextBlock: () => Promise<number> } => {
  let given = 0
  return { nextBlock: async () => ++given }
}

describe('invocation ids', () => {
  it('count through their blocks', async () => {
    const ids = await startInvocationIds(counting())
    expect([ids.next(), ids.next()]).toEqual(['inv-000000001000', 'inv-000000001001'])
  })

  it('are never given twice, by two processes over many blocks', async () => {
    const store = counting()
    const [one, two] = [await startInvocationIds(store), await startInvocationIds(store)]
    const given = new Set<string>()
    for (let n = 0; n < 10_000; n++) {
      given.add(one.next())
      given.add(two.next())
      if (n % 1000 === 0) await turn()
    }
    expect(given.size).toBe(20_000)
    expect([...given].every((id) => /^inv-0[0-9a-f]{11}$/u.test(id))).toBe(true)
  })

  it('are random, with their first bit set, while the store gives no blocks, and come back to it', async () => {
    let broken = false
    let given = 0
    const nextBlock = async (): Promise<number> => {
      if (broken) throw new Error('The store is gone.')
      return ++given
    }
    const ids = await startInvocationIds({ nextBlock })
    broken = true
    for (let n = 0; n < 4096; n++) ids.next()
    expect(ids.next()).toMatch(/^inv-[89a-f][0-9a-f]{11}$/u)
    broken = false
    await turn()
    ids.next()
    await turn()
    expect(ids.next()).toBe('inv-000000002000')
  })
})
