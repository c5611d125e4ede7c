/** Room for the bodies that are on their way: for each caller, and for all together (threat N10). */
import { expect, it } from 'vitest'
import { bodiesInFlight } from '../../src/runtime/request/bodies-in-flight.js'

/** A part takes its bytes and 256 more. */
const PART = 256
const bounded = (all: number, each: number) =>
  bodiesInFlight({ bodyBytesInFlight: all, bodyBytesInFlightPerPrincipal: each })

it('a caller has as much as it may have, over all of its bodies, and no more', () => {
  const { begin } = bounded(100_000, 2 * (PART + 100))
  const [one, two] = [begin('human:ana'), begin('human:ana')]
  expect([one.take(100), two.take(100), two.take(0), one.take(0)]).toEqual([true, true, false, false])
  expect(begin('human:bob').take(100)).toBe(true)
})

it('a part that goes beyond the bound by a byte takes nothing', () => {
  const body = bounded(100_000, PART + 100).begin('human:ana')
  expect([body.take(101), body.take(100)]).toEqual([false, true])
})

it('all callers together have as much as a process may have, and no more', () => {
  const { begin } = bounded(2 * (PART + 100), 10_000)
  const [ana, bob, eve] = [begin('human:ana'), begin('human:bob'), begin('human:eve')]
  expect([ana.take(100), bob.take(100), eve.take(0)]).toEqual([true, true, false])
  ana.end()
  expect([eve.take(101), eve.take(100), ana.take(0)]).toEqual([false, true, false])
})

it('what was taken is given back once, however often a body ends', () => {
  const { begin } = bounded(2 * (PART + 100), 2 * (PART + 100))
  const [one, two] = [begin('human:ana'), begin('human:ana')]
  expect([one.take(100), two.take(100)]).toEqual([true, true])
  one.end()
  one.end()
  const three = begin('human:ana')
  expect([three.take(100), three.take(0)]).toEqual([true, false])
})
