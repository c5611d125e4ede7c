/** S1: a refusal reaches the caller with type, detail, retry and action, and no client takes it for a result of the wrong shape. */
import { describe, expect, it } from 'vitest'
import { refusalForModel } from '../../src/protocol/refusal-for-model.js'
import { CLIENTS, startWorld } from './mcp-world.js'
import { BROKEN, REFUSED, reachedIn } from './refusals.js'

describe.each(CLIENTS)('S1: a client of the %s era over %s, which knows the schemas of all outputs', (_, over, connect) => {
  it('is told of each refusal what it needs to go on, in structure and in text', async () => {
    const agent = await connect(await startWorld(BROKEN), { over })
    // Only who has listed the tools compares results with their schemas.
    await agent.list()
    for (const [name, args, reached] of REFUSED) {
      const { isError, structuredContent, content } = await agent.call(name, args)
      expect([isError, reachedIn(structuredContent)]).toEqual([true, reached])
      const text = JSON.stringify(refusalForModel(structuredContent as never))
      expect(content).toEqual([{ type: 'text', text }])
    }
  })
}) // prettier-ignore
