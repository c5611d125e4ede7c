/** The time that a handler may take, and what it is given of it (decisions, section 9). */
import { expect, it } from 'vitest'
import { timeLimit } from '../../src/runtime/call/execute/time-limit.js'

const HOUR = 3_600_000
const never = new Promise<never>(() => undefined)

it('what ends in time is given, and what happens to the lease afterwards is no matter to it', async () => {
  const lost = new AbortController()
  const limit = timeLimit(HOUR, lost.signal)
  const signal = limit.signal()
  expect(await limit.within(Promise.resolve(7))).toBe(7)
  await Promise.resolve()
  lost.abort()
  expect([signal.aborted, limit.signal() === signal]).toEqual([false, true])
})

it('what fails in time fails as it does', async () => {
  await expect(timeLimit(HOUR, undefined).within(Promise.reject(new Error('Gone.')))).rejects.toThrow('Gone.')
})

it.each([
  ['before its signal was asked for', false],
  ['after that', true],
])('a lease that is lost %s ends the work and its signal', async (_, isAsked) => {
  const lost = new AbortController()
  const limit = timeLimit(HOUR, lost.signal)
  const before = isAsked ? limit.signal() : undefined
  const work = limit.within(never)
  lost.abort()
  await expect(work).rejects.toThrow('The exclusive lease was lost.')
  const signal = before ?? limit.signal()
  expect([signal.aborted, String(signal.reason)]).toEqual([true, 'Interrupted: The exclusive lease was lost.'])
})

it('time that is over ends the work and its signal', async () => {
  const limit = timeLimit(1, undefined)
  await expect(limit.within(never)).rejects.toThrow('The handler took too long.')
  expect([limit.signal().aborted, String(limit.signal().reason)]).toEqual([true, 'Interrupted: The handler took too long.']) // prettier-ignore
})
