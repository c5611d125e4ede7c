import { streamText, type ModelMessage } from 'ai'
import { MockLanguageModelV3, simulateReadableStream } from 'ai/test'
import { expect, it } from 'vitest'
import { serviceTools } from '../../src/adapters/ai-sdk.js'
import { clientOf } from './agents/typed-client.js'
import { startWorld, type World } from './world.js'

const usage = { inputTokens: {}, outputTokens: {} } as never
const streamOf = (...chunks: readonly object[]) => ({
  stream: simulateReadableStream({ chunks: [{ type: 'stream-start', warnings: [] }, ...chunks] as never }),
})
const books = () =>
  streamOf(
    { type: 'tool-call', toolCallId: 'call_1', toolName: 'trip__book', input: '{"hotel":"Ritz"}' },
    { type: 'finish', finishReason: { unified: 'tool-calls' }, usage },
  )
const done = () => streamOf({ type: 'text-start', id: '1' }, { type: 'text-delta', id: '1', delta: 'Done.' }, { type: 'text-end', id: '1' }, { type: 'finish', finishReason: { unified: 'stop' }, usage }) // prettier-ignore

async function run({ place }: World, doStream: never, messages: ModelMessage[]) {
  const model = new MockLanguageModelV3({ doStream })
  const settings = await serviceTools(clientOf(place), place.tools)
  const result = streamText({ model, messages, ...settings })
  const content = await result.content
  const answered = [...messages, ...(await result.response).messages]
  return { content, messages: JSON.parse(JSON.stringify(answered)) as ModelMessage[] }
}

it.each([
  [true, [{ hotel: 'Ritz' }], 'approved'],
  [false, [], 'withdrawn'],
])(
  'a streamed run of the AI SDK pauses, and goes on after the user said %s: S16, S17',
  async (approved, effects, status) => {
    const world = await startWorld()
    const paused = await run(world, books() as never, [{ role: 'user', content: 'Go.' }])
    const request = paused.content.find(({ type }) => type === 'tool-approval-request') as {
      readonly approvalId: string
    }
    const [asked] = await world.requests()
    if (approved) await world.approve(asked!.approval_request_id)
    const answer = { type: 'tool-approval-response', approvalId: request.approvalId, approved } as const
    await run(world, done() as never, [...paused.messages, { role: 'tool', content: [answer] }])
    expect([world.effects, (await world.requests()).map((each) => each.status)]).toEqual([effects, [status]])
  },
)
