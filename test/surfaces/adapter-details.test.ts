/** What the tools of each framework do beside pausing: names of calls, lost processes, aborted waits and errors below them. */
import { RunContext } from '@openai/agents'
import { describe, expect, it } from 'vitest'
import * as aiSdk from '../../src/adapters/ai-sdk.js'
import * as langChain from '../../src/adapters/langchain.js'
import * as openAi from '../../src/adapters/openai-agents.js'
import type { ToolOptions } from '../../src/adapters/options.js'
import { clientOf } from './agents/typed-client.js'
import { startWorld, type World } from './world.js'

interface Call {
  readonly name: string
  readonly input: object
  readonly id: string
  readonly signal?: AbortSignal
}

/** A set of tools as a framework uses it: its approval hook, where it has one, and the execution. */
interface Tools {
  readonly hook?: (call: Call) => Promise<boolean>
  readonly execute: (call: Call) => Promise<Shown>
}

interface Shown {
  readonly failure?: { readonly type: string }
  readonly [member: string]: unknown
}

type Make = (world: World, options?: ToolOptions) => Promise<Tools>

const ofTheAiSdk: Make = async ({ place }, options) => {
  const { tools } = await aiSdk.serviceTools(clientOf(place), place.tools, options)
  const about = { messages: [] }
  return {
    hook: async ({ name, input, id }) => {
      const { needsApproval } = tools[name]!
      return (needsApproval as unknown as (...words: unknown[]) => Promise<boolean>)(input, { toolCallId: id, ...about })
    },
    execute: async ({ name, input, id, signal }) => {
      const tool = tools[name]!
      const output = (await tool.execute!(input as never, { toolCallId: id, ...about, ...(signal && { abortSignal: signal }) })) as never
      const shown = (tool.toModelOutput as never as (given: object) => { readonly value: Shown })({ output })
      return shown.value
    },
  } // prettier-ignore
}

const ofOpenAi: Make = async ({ place }, options) => {
  const tools = await openAi.serviceTools(clientOf(place), place.tools, options)
  const named = (name: string) => tools.find((tool) => tool.name === name)!
  return {
    hook: ({ name, input, id }) => named(name).needsApproval(new RunContext(), input as never, id),
    execute: async ({ name, input, id, signal }) => {
      const details = { toolCall: { type: 'function_call', callId: id, name, arguments: '' }, ...(signal && { signal }) }
      return JSON.parse(String(await named(name).invoke(new RunContext(), JSON.stringify(input), details as never))) as Shown
    },
  } // prettier-ignore
}

const ofLangChain: Make = async ({ place }, options) => {
  const tools = await langChain.serviceTools(clientOf(place), place.tools, options)
  return {
    execute: async ({ name, input, id, signal }) => {
      const tool = tools.find((each) => each.name === name)!
      const message = (await tool.invoke({ type: 'tool_call', id, name, args: input } as never, signal && { signal })) as { readonly content: string }
      return JSON.parse(message.content) as Shown
    },
  } // prettier-ignore
}

const FRAMEWORKS: readonly (readonly [string, Make])[] = [
  ['the AI SDK', ofTheAiSdk],
  ['OpenAI Agents', ofOpenAi],
  ['LangChain', ofLangChain],
]

const NOTE = { name: 'note', input: { text: 'x' }, id: 'call_1' }

describe.each(FRAMEWORKS)('the tools of %s', (_, make) => {
  it('keep the calls of one conversation apart from those of another, also after a restart', async () => {
    const world = await startWorld()
    for (const conversation of ['a', 'b', 'a', 'b']) await (await make(world, { conversation })).execute(NOTE)
    expect(world.effects).toHaveLength(2)
  })

  it('name the task of each call on the trail, and the call itself', async () => {
    const world = await startWorld()
    await (await make(world, { task_id: 'trip-7', conversation: 'chat' })).execute(NOTE)
    const [entry] = await world.trail()
    expect(entry).toMatchObject({ task_id: 'trip-7', client_reference_id: 'chat/note/call_1', success: true })
  })

  it('give what was thrown to onError, and the model no word of it', async () => {
    const world = await startWorld()
    const thrown: unknown[] = []
    const tools = await make({ ...world, place: { ...world.place, limits: { retries: 0 } } }, { onError: (error) => void thrown.push(error) }) // prettier-ignore
    await world.close()
    const shown = await tools.execute(NOTE)
    expect([shown.failure?.type, thrown.length]).toEqual(['outcome_unknown', 1])
    expect(JSON.stringify(shown)).not.toMatch(/ECONN|127\.0\.0\.1|fetch/u)
  })

  it('end a wait that is aborted, and the call goes on when it is made again after the approval', async () => {
    const world = await startWorld()
    const tools = await make(world, { approval: 'wait' })
    const leaving = new AbortController()
    const book = { name: 'trip__book', input: { hotel: 'Ritz' }, id: 'call_1' }
    const waiting = tools.execute({ ...book, signal: leaving.signal }).catch(() => 'left')
    await expect.poll(async () => (await world.requests()).length).toBe(1)
    leaving.abort()
    await waiting
    const [asked] = await world.requests()
    expect([asked!.status, world.effects]).toEqual(['pending', []])
    await world.approve(asked!.approval_request_id)
    expect(await (await make(world, { approval: 'wait' })).execute(book)).toEqual({ booked: 'Ritz' })
    expect([world.effects.length, (await world.requests()).length]).toEqual([1, 1])
  })
})

it.each([
  ['the graph’s thread is', {}, 'thread-1'],
  ['a conversation that was given comes before the thread, and is', { conversation: 'given' }, 'given'],
])('LangChain: %s the conversation of a call', async (_, options, conversation) => {
  const world = await startWorld()
  const tools = await langChain.serviceTools(clientOf(world.place), world.place.tools, options)
  const call = { type: 'tool_call', id: 'call_1', name: 'note', args: { text: 'x' } }
  await tools.find(({ name }) => name === 'note')!.invoke(call as never, { configurable: { thread_id: 'thread-1' } })
  const [entry] = await world.trail()
  expect(entry).toMatchObject({ client_reference_id: `${conversation}/note/call_1` })
})

describe.each(FRAMEWORKS.slice(0, 2))('the approval hook of %s', (_, make) => {
  it('has made the call that needs no approval: a process that comes after it gives the same answer, with one effect', async () => {
    const world = await startWorld()
    const refund = { name: 'refund', input: { amount: 50 }, id: 'call_1' }
    const [first, second] = [await make(world), await make(world)]
    expect(await first.hook!(refund)).toBe(false)
    expect(await second.execute(refund)).toEqual({ booked: 'refund of 50' })
    expect(await first.execute(refund)).toEqual({ booked: 'refund of 50' })
    expect(world.effects).toEqual([{ amount: 50 }])
  })

  it('opens one request however often it is asked, and has no effect', async () => {
    const world = await startWorld()
    const tools = await make(world)
    const book = { name: 'trip__book', input: { hotel: 'Ritz' }, id: 'call_1' }
    for (let n = 0; n < 3; n++) expect(await tools.hook!(book)).toBe(true)
    expect([world.effects, (await world.requests()).length]).toEqual([[], 1])
  })
})
