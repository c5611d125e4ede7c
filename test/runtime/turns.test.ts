/** Requests begin one in each turn of the event loop, callers after each other (threats N29, N30). */
import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { turns } from '../../src/runtime/request/turns.js'

it('the first request of a turn begins at once', async () => {
  const turnOf = turns()
  expect(turnOf('ana')).toBeUndefined()
  await turn()
  expect(turnOf('ana')).toBeUndefined()
})

it('of several, one begins in each turn, and callers come after each other', async () => {
  const turnOf = turns()
  const begun: string[] = []
  const ask = (of: string, name: string) => void Promise.resolve(turnOf(of)).then(() => begun.push(name))
  for (const name of ['a1', 'a2', 'a3', 'a4']) ask('ana', name)
  for (const name of ['b1', 'b2']) ask('bob', name)
  const seen: string[] = []
  for (let at = 0; at < 7; at += 1) {
    await turn()
    seen.push(begun.splice(0).join(' '))
  }
  expect(seen).toEqual(['a1 a2', 'b1', 'a3', 'b2', 'a4', '', ''])
})
