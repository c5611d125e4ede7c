/** S11: progress comes in order to who asks for it, over every transport and in both eras, and to nobody else. */
import { describe, expect, it } from 'vitest'
import { CLIENTS, modern, progressOf, startWorld } from './mcp-world.js'

describe.each(CLIENTS)('S11: a client of the %s era over %s', (_, over, connect) => {
  it('is told of progress in order, and without a progress token of none', async () => {
    const world = await startWorld()
    const received: string[] = []
    const agent = await connect(world, { over, onReceive: (text) => void received.push(text) })
    expect((await agent.call('slow', {})).isError ?? false).toBe(false)
    expect(received.filter((text) => text.includes('notifications/progress'))).toEqual([])
    const listening = await connect(world, { over })
    const { seen, onprogress } = progressOf(world, 2)
    const answer = await listening.call('slow', {}, undefined, onprogress)
    expect(seen).toEqual([
      [1, '{"done":1}'],
      [2, '{"done":2}'],
    ])
    expect(answer.structuredContent).toEqual({})
  })
})

it('S11: a message of progress is cut after 1,000 characters', async () => {
  const slow = async (_: object, { progress }: { readonly progress: (payload: unknown) => Promise<void> }) => {
    await progress('x'.repeat(998))
    await progress('x'.repeat(999))
    return {}
  }
  const world = await startWorld({ handlers: { slow } })
  const agent = await modern(world, { over: 'stdio' })
  const seen: (string | undefined)[] = []
  await agent.call('slow', {}, undefined, ({ message }) => void seen.push(message))
  expect(seen).toEqual([`"${'x'.repeat(998)}"`, `"${'x'.repeat(999)}`])
})
