/** A model that makes two calls at once: each waits for its own request, and a yes to one and a no to the other stay apart (S16, S17). */
import { Command, MemorySaver, MessagesAnnotation, StateGraph } from '@langchain/langgraph'
import { ToolNode } from '@langchain/langgraph/prebuilt'
import { Agent, RunState, Runner, Usage } from '@openai/agents'
import { generateText, type ModelMessage } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { AIMessage, createAgent, fakeModel } from 'langchain'
import { describe, expect, it } from 'vitest'
import { canonicalText } from '../../src/crypto/json/canonical.js'
import { sha256Hex } from '../../src/crypto/json/digest.js'
import * as aiSdk from '../../src/adapters/ai-sdk.js'
import * as langChain from '../../src/adapters/langchain.js'
import * as openAi from '../../src/adapters/openai-agents.js'
import { clientOf } from './agents/typed-client.js'
import { startWorld, type World } from './world.js'

const NAME = 'trip__book'
const CALLS = ['Ritz', 'Savoy'].map((hotel) => ({ id: `call_${hotel}`, input: { hotel } }))
const DIGEST_OF_THE_RITZ = `sha256:${sha256Hex(canonicalText(CALLS[0]!.input))}`
const isYes = (hotel: string): boolean => hotel === 'Ritz'

/** Runs until the calls wait, and gives what goes on with a yes to the Ritz and a no to the Savoy, in new tools. */
type Framework = (world: World) => Promise<() => Promise<unknown>>

const usage = { inputTokens: {}, outputTokens: {} } as never

const ofTheAiSdk: Framework = async ({ place }) => {
  const client = clientOf(place)
  const run = async (messages: ModelMessage[], content: readonly object[], reason: string) => {
    const model = new MockLanguageModelV3({ doGenerate: { content, finishReason: { unified: reason }, usage, warnings: [] } as never }) // prettier-ignore
    const result = await generateText({ model, messages, ...(await aiSdk.serviceTools(client, place.tools)) })
    return { result, messages: structuredClone([...messages, ...result.response.messages]) }
  }
  const made = CALLS.map(({ id, input }) => ({ type: 'tool-call', toolCallId: id, toolName: NAME, input: JSON.stringify(input) })) // prettier-ignore
  const { result, messages } = await run([{ role: 'user', content: 'Go.' }], made, 'tool-calls')
  const requests = result.content.filter((part) => part.type === 'tool-approval-request')
  const answers = requests.map(({ approvalId, toolCall }) => ({ type: 'tool-approval-response' as const, approvalId, approved: isYes((toolCall.input as { hotel: string }).hotel) })) // prettier-ignore
  return () => run([...messages, { role: 'tool', content: answers }], [{ type: 'text', text: 'Done.' }], 'stop')
}

const ofOpenAi: Framework = async ({ place }) => {
  const runner = new Runner({ tracingDisabled: true })
  const agentThat = async (output: readonly object[]) => {
    const answers = [output]
    const done = { type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'Done.' }] }
    const model = { getResponse: async () => ({ usage: new Usage(), output: answers.pop() ?? [done] }) } as never
    return new Agent({ name: 'Agent', model, tools: await openAi.serviceTools(clientOf(place), place.tools) })
  } // prettier-ignore
  const made = CALLS.map(({ id, input }) => ({ type: 'function_call', callId: id, name: NAME, status: 'completed', arguments: JSON.stringify(input) })) // prettier-ignore
  const paused = (await runner.run(await agentThat(made), 'Go.')).state.toString()
  return async () => {
    const agent = await agentThat([])
    const state = await RunState.fromString(agent, paused)
    for (const each of state.getInterruptions()) {
      if (isYes((JSON.parse((each.rawItem as { arguments: string }).arguments) as { hotel: string }).hotel)) state.approve(each)
      else state.reject(each)
    }
    return runner.run(agent, state)
  } // prettier-ignore
}

interface Interrupted {
  readonly __interrupt__: readonly { readonly id: string; readonly value: { readonly input: { readonly hotel: string } } }[] // prettier-ignore
}

const ofLangChain: Framework = async ({ place }) => {
  const checkpointer = new MemorySaver()
  const run = async (model: ReturnType<typeof fakeModel>, input: unknown) => {
    const agent = createAgent({
      model,
      tools: await langChain.serviceTools(clientOf(place), place.tools),
      checkpointer,
    })
    return agent.invoke(input as never, { configurable: { thread_id: 'thread' } })
  }
  const made = CALLS.map(({ id, input }) => ({ name: NAME, args: input, id }))
  const paused = (await run(fakeModel().respondWithTools(made as never), { messages: [{ role: 'user', content: 'Go.' }] })) as never as Interrupted // prettier-ignore
  const { __interrupt__: asked } = paused
  const resume = Object.fromEntries(asked.map(({ id, value }) => [id, isYes(value.input.hotel)]))
  return () => run(fakeModel().respond(new AIMessage('Done.')), new Command({ resume }))
}

it.each<[string, Framework]>([
  ['the AI SDK', ofTheAiSdk],
  ['OpenAI Agents', ofOpenAi],
  ['LangChain', ofLangChain],
])('two calls at once of %s are two requests: one is approved, the other withdrawn', async (_, framework) => {
  const world = await startWorld()
  const goOn = await framework(world)
  const asked = await world.requests()
  expect([asked.map(({ status }) => status), world.effects]).toEqual([['pending', 'pending'], []])
  for (const { approval_request_id } of asked) {
    const { body } = await world.fixture.call('GET', `/svc/approval_requests/${approval_request_id}`, { bearer: 'bob-key' })
    if (String(body['requested_parameters_digest']) === DIGEST_OF_THE_RITZ) await world.approve(approval_request_id)
  }
  await goOn()
  expect(world.effects).toEqual([{ hotel: 'Ritz' }])
  expect((await world.requests()).map(({ status }) => status).toSorted()).toEqual(['approved', 'withdrawn'])
}) // prettier-ignore

interface Shown {
  readonly type: string
  readonly approval_request_id: string
}

/** Calls that run at once in one `ToolNode`, in a new graph each time, as after a restart. */
async function toolNode(world: World, checkpointer: MemorySaver, input: unknown) {
  const tools = await langChain.serviceTools(clientOf(world.place), world.place.tools)
  const calls = CALLS.map(({ id, input: args }) => ({ name: NAME, args, id, type: 'tool_call' as const }))
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('agent', () => ({ messages: [new AIMessage({ content: '', tool_calls: calls })] }))
    .addNode('tools', new ToolNode(tools))
    .addEdge('__start__', 'agent')
    .addEdge('agent', 'tools')
    .compile({ checkpointer })
  const state = await graph.invoke(input as never, { configurable: { thread_id: 'thread' } })
  const { __interrupt__: asked = [] } = state as never as {
    readonly __interrupt__?: readonly { readonly value: Shown }[]
  }
  return asked.map(({ value }) => value)
}

describe('of two calls that wait in one ToolNode', () => {
  /** The graph waits; `requestOf` gives the request of a hotel. */
  async function waiting() {
    const world = await startWorld()
    const checkpointer = new MemorySaver()
    const shown = await toolNode(world, checkpointer, { messages: [] })
    const requests = new Map<string, string>()
    for (const { approval_request_id } of await world.requests()) {
      const { body } = await world.fixture.call('GET', `/svc/approval_requests/${approval_request_id}`, { bearer: 'bob-key' })
      requests.set(String(body['requested_parameters_digest']) === DIGEST_OF_THE_RITZ ? 'Ritz' : 'Savoy', approval_request_id)
    }
    const resume = (answer: unknown) => toolNode(world, checkpointer, new Command({ resume: answer }))
    const states = async () => {
      const found = new Map((await world.requests()).map((each) => [each.approval_request_id, each.status]))
      return ['Ritz', 'Savoy'].map((hotel) => found.get(requests.get(hotel)!))
    }
    return { world, shown, requestOf: (hotel: string) => requests.get(hotel)!, resume, states }
  } // prettier-ignore

  it.each([
    ['Ritz', 'Savoy'],
    ['Savoy', 'Ritz'],
  ])('an answer decides the request that it names: no to the %s, then yes to the %s', async (declined, approved) => {
    const { world, shown, requestOf, resume, states } = await waiting()
    expect(shown).toMatchObject([{ type: 'approval_required', approval_request_id: expect.any(String) as string }])
    await world.approve(requestOf(approved))
    const left = await resume({ approval_request_id: requestOf(declined), approved: false })
    expect(left.map((each) => each.approval_request_id)).toEqual([requestOf(approved)])
    expect(await states()).toEqual(CALLS.map(({ input }) => (input.hotel === declined ? 'withdrawn' : 'approved')))
    expect(world.effects).toEqual([])
    expect(await resume({ approval_request_id: requestOf(approved), approved: true })).toEqual([])
    expect(world.effects).toEqual([{ hotel: approved }])
  })

  it('an answer that names none decides the request that is shown, the first call first', async () => {
    const { world, shown, requestOf, resume, states } = await waiting()
    expect(shown.map((each) => each.approval_request_id)).toEqual([requestOf('Ritz')])
    await world.approve(requestOf('Savoy'))
    expect((await resume(false)).map((each) => each.approval_request_id)).toEqual([requestOf('Savoy')])
    expect([await states(), world.effects]).toEqual([['withdrawn', 'approved'], []])
    expect(await resume(true)).toEqual([])
    expect(world.effects).toEqual([{ hotel: 'Savoy' }])
  })
})
