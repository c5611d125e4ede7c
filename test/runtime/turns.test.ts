/** Requests begin one in each turn of the event loop, later after a large one, callers after each other (threats N29, N30). */
import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { turns } from '../../src/runtime/request/turns.js'

it('the first request of a turn begins at once', async () => {
  const turnOf = turns()
  expect(turnOf('ana', 1)).toBeUndefined()
  await turn()
  expect(turnOf('ana', 1)).toBeUndefined()
})

it('of several, one begins in each turn, and callers come after each other', async () => {
  const turnOf = turns()
  const begun: string[] = []
  const ask = (of: string, name: string) => void Promise.resolve(turnOf(of, 1)).then(() => begun.push(name))
  for (const name of ['a1', 'a2', 'a3', 'a4']) ask('ana', name)
  for (const name of ['b1', 'b2']) ask('bob', name)
  const seen: string[] = []
  for (let at = 0; at < 7; at += 1) {
    await turn()
    seen.push(begun.splice(0).join(' '))
  }
  expect(seen).toEqual(['a1 a2', 'b1', 'a3', 'b2', 'a4', '', ''])
})

it('after a large one others have as many turns as it has parts of 16 KiB', async () => {
  const turnOf = turns()
  const begun: string[] = []
  const ask = (name: string, bytes: number) => void Promise.resolve(turnOf('ana', bytes)).then(() => begun.push(name))
  ask('large', 40 * 1024)
  ask('full', 16 * 1024)
  ask('small', 1)
  ask('last', 1)
  const seen: string[] = []
  for (let at = 0; at < 6; at += 1) {
    await turn()
    seen.push(begun.splice(0).join(' '))
  }
  expect(seen).toEqual(['large', '', 'full', 'small', 'last', ''])
})
