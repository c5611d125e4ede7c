/** What the tools of each framework make of one outcome and of one word of its user, before a client that says what a test gives it. */
import { RunContext } from '@openai/agents'
import type * as LangGraph from '@langchain/langgraph'
import { describe, expect, it, vi } from 'vitest'
import * as aiSdk from '../../src/adapters/ai-sdk.js'
import { askedRequest, withdrawCall } from '../../src/adapters/asked.js'
import { outputOf, shownOf } from '../../src/adapters/answer.js'
import * as langChain from '../../src/adapters/langchain.js'
import * as openAi from '../../src/adapters/openai-agents.js'
import type { ToolClient, ToolOptions } from '../../src/adapters/options.js'
import { referenceOf } from '../../src/adapters/reference.js'
import type { Tool } from '../../src/protocol/tools.js'

/** What a graph is resumed with; it is interrupted where there is nothing. */
const resumed: { value: unknown } = { value: undefined }
vi.mock('@langchain/langgraph', async (original) => ({
  ...(await original<typeof LangGraph>()),
  interrupt: () => {
    if (resumed.value instanceof Error) throw resumed.value
    return resumed.value
  },
}))

const TOOL = { name: 'book', capability: 'trip.book', title: 'Book a room', description: 'Books a room.', input_schema: { type: 'object' }, approval: 'always', effect: 'write', financial: false } as unknown as Tool // prettier-ignore
const PENDING = { approval_request_id: 'apr_1', status: 'pending' }
const WAITS = { success: false, invocation_id: 'inv-1', failure: { type: 'approval_required', detail: 'Somebody must.', approval_request_id: 'apr_1' } } // prettier-ignore

/** A client whose calls end so; and what it was asked. */
function clientThat(outcome: unknown, requests: readonly object[] = []) {
  const asked: unknown[][] = []
  const client = {
    permissions: async () => ({ success: true, result: { available: [{ capability: 'trip.book' }] } }),
    invoke: async (...given: unknown[]) => (asked.push(['invoke', ...given.slice(0, 2)]), outcome),
    audit: async (filter: object) => (asked.push(['audit', filter]), { success: true, result: { entries: requests } }),
    approvals: {
      read: async (id: string) => ({ success: true, result: requests.find((each) => 'approval_request_id' in each && each.approval_request_id === id) }), // prettier-ignore
      withdraw: async (id: string) => void asked.push(['withdraw', id]),
    },
  }
  return { client: client as never as ToolClient, asked }
}
const done = (result: unknown) => ({ success: true, invocation_id: 'inv-1', result })

describe('LangChain', () => {
  const call = async (client: ToolClient) => {
    const [tool] = await langChain.serviceTools(client, [TOOL])
    return (await tool!.invoke({ type: 'tool_call', id: 'call_1', name: 'book', args: {} } as never)) as { readonly content: string; readonly status: string; readonly artifact: object } // prettier-ignore
  }

  it.each([[false], [{ approved: false }], [{ type: 'reject' }]])('takes %j for a no: the request is withdrawn, and nothing is called', async (value) => {
    resumed.value = value
    const { client, asked } = clientThat(done({}), [PENDING])
    const { content, status } = await call(client)
    expect(asked.map(([what]) => what)).toEqual(['audit', 'withdraw'])
    expect([status, JSON.parse(content)]).toMatchObject(['error', { failure: { type: 'approval_required', detail: 'The user declined the call, and its approval request was withdrawn.', approval_request_id: 'apr_1' } }])
  }) // prettier-ignore

  it.each([[true], [{ approved: true }], [{ type: 'approve' }], ['no'], [undefined], [null]])('goes on with %j', async (value) => {
    resumed.value = value
    const { client, asked } = clientThat(done({ id: 'b-1' }), [PENDING])
    const { content, status, artifact } = await call(client)
    expect(asked.map(([what]) => what)).toEqual(['audit', 'invoke'])
    expect([status, JSON.parse(content), artifact]).toEqual(['success', { id: 'b-1' }, { success: true, invocation_id: 'inv-1', result: { id: 'b-1' } }])
  }) // prettier-ignore
})

describe('LangChain, where a graph', () => {
  const call = async (client: ToolClient) => {
    const [tool] = await langChain.serviceTools(client, [TOOL])
    return tool!.invoke({ type: 'tool_call', id: 'call_1', name: 'book', args: {} } as never) as Promise<{ readonly content: string }> // prettier-ignore
  }

  it.each([[[]], [[PENDING]]])('cannot be interrupted, gives the answer of the service: of %j', async (requests) => {
    resumed.value = new Error('Called interrupt() outside the context of a graph.')
    const { client, asked } = clientThat(WAITS, requests)
    expect(JSON.parse((await call(client)).content)).toMatchObject({ failure: { approval_request_id: 'apr_1' } })
    expect(asked.map(([what]) => what)).toEqual(['audit', 'invoke'])
  })

  it('is interrupted, says nothing: it is resumed later', async () => {
    const { GraphInterrupt } = await import('@langchain/langgraph')
    resumed.value = new GraphInterrupt([])
    await expect(call(clientThat(WAITS).client)).rejects.toBe(resumed.value)
    const again = clientThat(WAITS, [PENDING])
    await expect(call(again.client)).rejects.toBe(resumed.value)
    expect(again.asked.map(([what]) => what)).toEqual(['audit'])
  })
})

describe('LangChain, beside pausing', () => {
  it('names its answers after the tool, and gives the bare text where no call was named', async () => {
    const [tool] = await langChain.serviceTools(clientThat(done({ id: 'b-1' })).client, [TOOL])
    expect(await tool!.invoke({ type: 'tool_call', id: 'call_1', name: 'book', args: {} } as never)).toMatchObject({ name: 'book', tool_call_id: 'call_1' }) // prettier-ignore
    expect(await tool!.invoke({})).toBe('{"id":"b-1"}')
  })

  it.each([
    ['could not be read', () => Promise.reject(new Error('away')), 'service_unavailable', [[new Error('away'), TOOL]]],
    ['was refused', async () => ({ success: false, failure: { type: 'token_revoked', detail: 'Gone.' } }), 'token_revoked', []],
  ])('calls nothing where the trail %s: nobody has heard whether the user said no', async (_, audit, type, told) => {
    const { client, asked } = clientThat(done({}))
    const errors: unknown[] = []
    const [tool] = await langChain.serviceTools({ ...client, audit } as ToolClient, [TOOL], { onError: (...given) => void errors.push(given) })
    const { content } = (await tool!.invoke({ type: 'tool_call', id: 'call_1', name: 'book', args: {} } as never)) as { readonly content: string }
    expect(JSON.parse(content)).toMatchObject({ failure: { type } })
    expect([asked, errors]).toEqual([[], told])
  }) // prettier-ignore
})

describe('OpenAI Agents', () => {
  const toolsOf = async (client: ToolClient, tool: Tool = TOOL) => (await openAi.serviceTools(client, [tool]))[0]!

  it('has inputs that may be left out, as the manifest says', async () => {
    const { name, description, strict } = await toolsOf(clientThat(done({})).client)
    expect([name, description, strict]).toEqual(['book', 'Books a room.', false])
  })

  it('answers arguments that are no JSON with a failure, and calls nothing', async () => {
    const { client, asked } = clientThat(done({}))
    const shown = await (await toolsOf(client)).invoke(new RunContext(), '{', { toolCall: { type: 'function_call', callId: 'c', name: 'book', arguments: '{' } } as never) // prettier-ignore
    expect(JSON.parse(String(shown))).toMatchObject({ failure: { type: 'invalid_parameters', detail: 'The arguments of the tool are not a JSON object.' } }) // prettier-ignore
    expect(asked).toEqual([])
  })

  it.each([
    ['always', [['withdraw', 'apr_1'], ['withdraw', 'apr_1']]],
    ['never', []],
  ])('is there in each turn, and withdraws once each call that was rejected; a tool that needs approval %s: %j', async (approval, withdrawn) => {
    const { client, asked } = clientThat(WAITS, [PENDING])
    const { isEnabled } = await toolsOf(client, { ...TOOL, approval } as Tool)
    const runContext = { toJSON: () => ({ approvals: { book: { approved: [], rejected: ['call_1', 'call_2'] } } }) }
    for (let turn = 0; turn < 2; turn++) expect(await isEnabled(runContext as never, {} as never)).toBe(true)
    expect(asked.filter(([what]) => what === 'withdraw')).toEqual(withdrawn)
  }) // prettier-ignore
})

describe('the AI SDK', () => {
  const made = { toolCallId: 'call_1', messages: [] }

  it('has a title, and tells the model of a failure that it is one', async () => {
    const { tools } = await aiSdk.serviceTools(clientThat(done({})).client, [TOOL])
    const { title, description, toModelOutput } = tools['book'] as unknown as { readonly title: string; readonly description: string; readonly toModelOutput: (given: object) => unknown } // prettier-ignore
    expect([title, description]).toEqual(['Book a room', 'Books a room.'])
    expect(toModelOutput({ output: { success: true, invocation_id: 'i', result: { a: 1 } } })).toEqual({ type: 'json', value: { a: 1 } }) // prettier-ignore
    expect(toModelOutput({ output: { success: false, failure: { type: 'x', detail: 'No.', retry: false, resolution: { action: 'a' } } } })).toEqual({ type: 'error-json', value: { failure: { type: 'x', detail: 'No.', retry: false, resolution: { action: 'a' } } } }) // prettier-ignore
  })

  it('says for which request a call waits, and of a run that is resumed only that it did', async () => {
    const { client, asked } = clientThat(WAITS)
    const { toolApproval } = await aiSdk.serviceTools(client, [TOOL])
    expect(await toolApproval['book']!({}, made)).toEqual({ type: 'user-approval', reason: 'The service waits for an approver: apr_1' }) // prettier-ignore
    const messages = [{ role: 'assistant', content: [{ type: 'tool-approval-request', toolCallId: 'call_1' }] }]
    expect(await toolApproval['book']!({}, { ...made, messages } as never)).toEqual({ type: 'user-approval' })
    expect(asked).toHaveLength(1)
  })

  it.each<[ToolOptions, string, readonly string[]]>([
    [{}, 'always', ['book']],
    [{}, 'never', []],
    [{ approval: 'wait' }, 'always', []],
  ])('with %j pauses for a tool that needs approval %s: %j', async (options, approval, names) => {
    const { toolApproval } = await aiSdk.serviceTools(clientThat(WAITS).client, [{ ...TOOL, approval } as Tool], options) // prettier-ignore
    expect(Object.keys(toolApproval)).toEqual(names)
  })

  it('withdraws what was declined as a run begins, and not again in its later steps', async () => {
    const { client, asked } = clientThat(WAITS, [PENDING])
    const { prepareStep } = await aiSdk.serviceTools(client, [TOOL])
    const messages = [
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'call_1', toolName: 'book' }, { type: 'tool-approval-request', toolCallId: 'call_1', approvalId: 'a' }] },
      { role: 'tool', content: [{ type: 'tool-approval-response', approvalId: 'a', approved: false }] },
    ] as never // prettier-ignore
    expect([await prepareStep({ stepNumber: 1, messages }), asked]).toEqual([{}, []])
    expect(await prepareStep({ stepNumber: 0, messages })).toEqual({})
    expect(asked.at(-1)).toEqual(['withdraw', 'apr_1'])
  })

  it('withdraws each of several calls that were declined, under the tool that it named', async () => {
    const { client, asked } = clientThat(WAITS, [PENDING])
    const other = { ...TOOL, name: 'cancel', capability: 'trip.cancel' } as Tool
    const both = { ...client, permissions: async () => ({ success: true, result: { available: [TOOL, other] } }) } as never
    const { prepareStep } = await aiSdk.serviceTools(both, [TOOL, other])
    const called = ['book', 'cancel'].flatMap((toolName) => [{ type: 'tool-call', toolCallId: toolName, toolName }, { type: 'tool-approval-request', toolCallId: toolName, approvalId: toolName }])
    const answered = ['book', 'cancel'].map((approvalId) => ({ type: 'tool-approval-response', approvalId, approved: false }))
    await prepareStep({ stepNumber: 0, messages: [{ role: 'assistant', content: called }, { role: 'tool', content: answered }] as never })
    expect(asked).toMatchObject([
      ['audit', { client_reference_id: '/book/book', capability: 'trip.book' }],
      ['withdraw', 'apr_1'],
      ['audit', { client_reference_id: '/cancel/cancel', capability: 'trip.cancel' }],
      ['withdraw', 'apr_1'],
    ])
  }) // prettier-ignore
})

it('finds the request of a call by its own name and capability, among the newest 20 entries', async () => {
  const { client, asked } = clientThat(WAITS)
  expect(await askedRequest({ client, options: { conversation: 'c' } }, { tool: TOOL, callId: 'call_1' })).toEqual({ success: true, result: undefined }) // prettier-ignore
  expect(asked).toEqual([['audit', { client_reference_id: 'c/book/call_1', capability: 'trip.book', limit: 20 }]])
  expect(await askedRequest({ client, options: {} }, { tool: TOOL, callId: undefined })).toEqual({ success: true, result: undefined }) // prettier-ignore
  expect(asked).toHaveLength(1)
})

it('tells what was thrown while a request was withdrawn, and goes on', async () => {
  const errors: unknown[] = []
  const client = { audit: async () => Promise.reject(new Error('away')) } as never as ToolClient
  await withdrawCall({ client, options: { onError: (...given) => void errors.push(given) } }, { tool: TOOL, callId: 'call_1' }) // prettier-ignore
  expect(errors).toEqual([[new Error('away'), TOOL]])
})

it.each([
  [[1], { result: [1] }],
  ['text', { result: 'text' }],
  [null, { result: null }],
  [undefined, { result: null }],
  [{ a: 1 }, { a: 1 }],
])('a result of %j is shown as %j', (result, shown) => {
  expect(shownOf(outputOf(done(result) as never, {}))).toEqual(shown)
})

it('200,000 characters of a result are shown where nothing else is said', () => {
  const beside = JSON.stringify(outputOf(done({ text: '' }) as never, {})).length
  const ofLength = (length: number) => outputOf(done({ text: 'x'.repeat(length - beside) }) as never, {}).success
  expect([ofLength(200_000), ofLength(200_001)]).toEqual([true, false])
})

it('a name of up to 200 characters stands as it is, a longer one as its digest', async () => {
  const nameOf = (length: number) => referenceOf({}, { tool: TOOL, callId: 'x'.repeat(length - '/book/'.length) })
  expect([(await nameOf(200)).length, await nameOf(201)]).toEqual([200, expect.stringMatching(/^[0-9a-f]{64}$/u)])
})
