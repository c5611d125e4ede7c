/** What clients have not taken of their answers: whose connection ends where that is too much (threats N29, N30). */
import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import { unreadAnswers } from '../../src/runtime/http/unread-answers.js'

function bounded() {
  const note = unreadAnswers({ answerBytesUnread: 400, answerBytesUnreadPerCaller: 100, requestTimeoutMs: 1_000 })
  const ended: string[] = []
  const answer = (name: string, principal: string | undefined, network: string, writableLength: number) => {
    const outgoing = Object.assign(new EventEmitter(), {
      writableLength,
      socket: null,
      destroy: () => ended.push(name),
    })
    note(outgoing as unknown as ServerResponse, principal, network)
    return () => outgoing.emit('close')
  }
  return { answer, ended }
}

it('the oldest of a principal end, and none of others', () => {
  const { answer, ended } = bounded()
  answer('bob', 'human:bob', '192.0.2.1', 100)
  for (const name of ['1', '2', '3', '4']) answer(name, 'human:ana', '192.0.2.1', 50)
  expect(ended).toEqual(['1', '2'])
})

it('strangers have half of a quarter for each network, and end none of those who are known', () => {
  const { answer, ended } = bounded()
  answer('ana', 'human:ana', '192.0.2.1', 100)
  for (const [name, network] of [['1', 'a'], ['2', 'a'], ['3', 'b'], ['4', 'c']] as const) answer(name, undefined, network, 50) // prettier-ignore
  expect(ended).toEqual(['1', '2'])
})

it('what was taken counts no more, and what was taken at once never did', () => {
  const { answer, ended } = bounded()
  answer('1', 'human:ana', 'a', 100)()
  answer('2', 'human:ana', 'a', 100)
  answer('3', 'human:ana', 'a', 0)
  expect(ended).toEqual([])
})

it('one that is larger than the bound is answered alone', () => {
  const { answer, ended } = bounded()
  answer('1', 'human:ana', 'a', 50)
  answer('large', 'human:ana', 'a', 1_000)
  expect(ended).toEqual(['1'])
})
