import { describe, expect, it } from 'vitest'
import { referenceKeyOf, referenceOf } from '../../src/adapters/reference.js'
import type { Tool } from '../../src/protocol/tools.js'

const tool = { name: 'book' } as Tool
const key = (input: unknown, callId = 'call_1', conversation?: string) =>
  referenceKeyOf(conversation === undefined ? {} : { conversation }, { tool, callId, input })

describe('the name of a tool call', () => {
  it('is readable: conversation, tool, id', async () => {
    expect(await referenceOf({ conversation: 'chat 7' }, { tool, callId: 'call_1' })).toBe('chat%207/book/call_1')
    expect(await referenceOf({}, { tool, callId: 'call_1' })).toBe('/book/call_1')
  })

  it('keeps conversations and calls apart, whatever is in their names', async () => {
    const names = [['a/book', 'x'], ['a', 'book/x'], ['a', 'x'], ['', 'a/x']] as const // prettier-ignore
    const made = await Promise.all(
      names.map(([conversation, callId]) => referenceOf({ conversation }, { tool, callId })),
    )
    expect(new Set(made).size).toBe(names.length)
  })

  it('keeps calls of a conversation apart that has a long name', async () => {
    const conversation = 'c'.repeat(300)
    const made = ['call_1', 'call_2'].map((callId) => referenceOf({ conversation }, { tool, callId }))
    expect(new Set(await Promise.all(made)).size).toBe(2)
  })

  it.each([['é'.repeat(100)], ['\ud800'], ['x'.repeat(100_000)], ['\u0000\n']])(
    'fits where names go: %j',
    async (callId) => {
      const made = await key({}, callId)
      expect(made).toMatch(/^[\u0021-\u007e]{1,255}$/u)
      expect(await key({}, callId)).toBe(made)
    },
  )
})

describe('the key of a tool call', () => {
  it('is that of its inputs, in whatever order a store gives them back', async () => {
    expect(await key({ a: 1, b: { c: 2, d: [3] } })).toBe(await key({ b: { d: [3], c: 2 }, a: 1 }))
  })

  it('is another one for other inputs, another id or another conversation', async () => {
    const made = [await key({ a: 1 }), await key({ a: 2 }), await key({ a: '1' }), await key({ a: 1 }, 'call_2'), await key({ a: 1 }, 'call_1', 'c'), await key(undefined)] // prettier-ignore
    expect(new Set(made).size).toBe(made.length)
  })
})
