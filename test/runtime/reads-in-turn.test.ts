/** Long reads of the database: few at a time, the callers after each other (threats N29, N30). */
import { expect, it } from 'vitest'
import { readsInTurn } from '../../src/runtime/request/reads-in-turn.js'

it('runs two at a time, lets 32 of a caller wait, and refuses more', async () => {
  const read = readsInTurn()
  let [now, most] = [0, 0]
  const one = async (): Promise<void> => {
    most = Math.max(most, ++now)
    await new Promise(setImmediate)
    now -= 1
  }
  const settled = await Promise.allSettled(Array.from({ length: 36 }, () => read('a', one)))
  const refused = settled.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []))
  expect(most).toBe(2)
  expect(refused).toMatchObject(Array.from({ length: 2 }, () => ({ failure: { type: 'rate_limited' }, retryAfter: 1 })))
})

it('serves the callers after each other', async () => {
  const read = readsInTurn()
  const order: string[] = []
  const asked = ['a', 'a', 'a', 'a', 'b'].map((caller) => read(caller, async () => void order.push(caller)))
  await Promise.all(asked)
  expect(order).toEqual(['a', 'a', 'a', 'b', 'a'])
})

it('has a place again after a read that fails', async () => {
  const read = readsInTurn()
  const fails = () => read('a', () => Promise.reject(new Error('x')))
  await Promise.allSettled([fails(), fails(), fails(), fails()])
  expect(await read('a', () => Promise.resolve('read'))).toBe('read')
})

it('lets 32 turns of the event loop pass before the next read begins', async () => {
  const read = readsInTurn()
  let [turns, isOver] = [0, false]
  const count = (): void => void (isOver || ((turns += 1), setImmediate(count)))
  const begun: number[] = []
  setImmediate(count)
  await Promise.all(Array.from({ length: 3 }, () => read('a', async () => void begun.push(turns))))
  isOver = true
  expect(begun).toEqual([0, 0, 32])
})
