import { describe, expect, it } from 'vitest'
import { sharedRates } from '../../src/runtime/rates/rates.js'
import { startFixture } from './fixture/service.js'
import type { RateStore } from '../../src/runtime/storage/contract.js'

/** A store that has so many places, and counts how often it is asked. */
function storeOf(left: number): RateStore & { asked: number } {
  const store = {
    asked: 0,
    take: async (_name: string, wanted: number, _perMinute: number) => {
      store.asked += 1
      const places = Math.min(wanted, left)
      left -= places
      return places === 0 ? ({ places, waitMs: 2_500 } as const) : { places }
    },
  }
  return store
}

const takeAll = async (rates: ReturnType<typeof sharedRates>, calls: number, perMinute: number) => {
  const waits = await Promise.all(Array.from({ length: calls }, () => rates.take('ana', perMinute)))
  return { taken: waits.filter((wait) => wait === undefined).length, waits }
}

describe('rates', () => {
  it('ask the store once for a second’s worth of calls', async () => {
    const store = storeOf(60_000)
    const rates = sharedRates(store, () => 0)
    for (let n = 0; n < 1000; n++) expect(await rates.take('ana', 60_000)).toBeUndefined()
    expect(store.asked).toBe(1)
  })

  it('ask the store once for all who wait at a time', async () => {
    const store = storeOf(60)
    const { taken } = await takeAll(
      sharedRates(store, () => 0),
      48,
      60,
    )
    expect({ taken, asked: store.asked }).toEqual({ taken: 48, asked: 1 })
  })

  it('never give more than the store, and do not ask it again before it said', async () => {
    const store = storeOf(30)
    let time = 0
    const rates = sharedRates(store, () => time)
    const { taken, waits } = await takeAll(rates, 48, 60)
    expect(taken).toBe(30)
    expect(waits.filter((wait) => wait === 3)).toHaveLength(18)
    expect(await rates.take('ana', 60)).toBe(3)
    expect(store.asked).toBe(2)
    time = 2_500
    expect(await rates.take('ana', 60)).toBe(3)
    expect(store.asked).toBe(3)
  })

  it('wait for a minute at most, and ask once, where a store whose clock was set back says an hour', async () => {
    let asked = 0
    const take = async () => {
      if (asked++ > 10) throw new Error('Asked without end.')
      return { places: 0, waitMs: 3600_000 } as const
    }
    expect(await sharedRates({ take }, () => 0).take('ana', 60)).toBe(60)
    expect(asked).toBe(1)
  })

  it('lose what was not used within a minute', async () => {
    const store = storeOf(1_000)
    let time = 0
    const rates = sharedRates(store, () => time)
    await rates.take('ana', 600)
    time = 60_000
    await rates.take('ana', 600)
    expect(store.asked).toBe(2)
  })

  it('are not shut for long by a clock that was set back', async () => {
    const store = storeOf(0)
    let time = 10_000_000
    const rates = sharedRates(store, () => time)
    expect(await rates.take('ana', 60)).toBe(3)
    time = 0
    expect(await rates.take('ana', 60)).toBe(3)
    expect(store.asked).toBe(2)
  })

  it('are asked again after a store that failed', async () => {
    let fails = true
    const store = storeOf(5)
    const failing: RateStore = {
      take: (...given) => (fails ? Promise.reject(new Error('gone')) : store.take(...given)),
    }
    const rates = sharedRates(failing, () => 0)
    await expect(rates.take('ana', 60)).rejects.toThrow('gone')
    fails = false
    expect(await rates.take('ana', 60)).toBeUndefined()
  })

  it('are taken at once for as long as this process holds a place of that name', async () => {
    const rates = sharedRates(storeOf(10), () => 0)
    expect(rates.takeAtOnce('ana')).toBe(false)
    await rates.take('ana', 180)
    expect([1, 2, 3].map(() => rates.takeAtOnce('ana'))).toEqual([true, true, false])
    expect(rates.takeAtOnce('eve')).toBe(false)
  })

  it('are not taken at once from what has lapsed', async () => {
    const time = { now: 0 }
    const rates = sharedRates(storeOf(10), () => time.now)
    await rates.take('ana', 180)
    time.now = 60_000
    expect(rates.takeAtOnce('ana')).toBe(false)
  })

  it('of one name that the store has shut are open for another', async () => {
    const take: RateStore['take'] = async (name, places) => (name === 'ana' ? { places: 0, waitMs: 2_500 } : { places })
    const rates = sharedRates({ take }, () => 0)
    expect([await rates.take('ana', 60), await rates.take('eve', 60)]).toEqual([3, undefined])
  })

  it('let nobody through where the limit is 0', async () => {
    expect(await sharedRates(storeOf(5), () => 0).take('ana', 0)).toBe(60)
  })
})

describe('what is done for a root principal has its rate, whatever its agents are called', () => {
  const scope = ['travel.search']
  const named = ['agent:one', 'agent:two']

  it('invocations', async () => {
    const { invoke, issued } = await startFixture({ limits: { invocationsPerMinute: 1 } })
    const statuses: number[] = []
    for (const subject of named)
      statuses.push((await invoke('search', (await issued('ana-key', { scope, subject })).token)).status)
    statuses.push((await invoke('search', (await issued('eve-key', { scope })).token)).status)
    expect(statuses).toEqual([200, 429, 200])
  })
})
