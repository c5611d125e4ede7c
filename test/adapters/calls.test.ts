/** What every adapter does with a tool call, whatever its framework. */
import { describe, expect, it } from 'vitest'
import { deniedCalls, wasAsked } from '../../src/adapters/ai-sdk-messages.js'
import { outputOf, shownOf } from '../../src/adapters/answer.js'
import { askFirst, takeOrCall, type Kept } from '../../src/adapters/ask-first.js'
import { waitsFor, withdrawCall } from '../../src/adapters/asked.js'
import { availableTools } from '../../src/adapters/available.js'
import { callForModel } from '../../src/adapters/call-tool.js'
import type { ToolCall, Toolbox, ToolOptions } from '../../src/adapters/options.js'
import type { AnyOutcome } from '../../src/client/invoke.js'
import type { Tool } from '../../src/protocol/tools.js'

const tool = { name: 'book', capability: 'book', effect: 'irreversible', approval: 'sometimes', financial: false } as unknown as Tool // prettier-ignore
const call: ToolCall = { tool, input: { hotel: 'Ritz' }, callId: 'call_1' }
const done = { success: true, invocation_id: 'inv-1', result: { id: 'b-1' } } as unknown as AnyOutcome
const failedWith = (failure: object) => ({ success: false, invocation_id: 'inv-1', failure }) as unknown as AnyOutcome
const waiting = failedWith({ type: 'approval_required', approval_request_id: 'apr_1' })

/** A client that is asked for calls, and what it was asked for. */
function toolboxWith(invoke: () => Promise<AnyOutcome>, options: ToolOptions = {}) {
  const asked: unknown[][] = []
  const client = { invoke: async (...given: unknown[]) => (asked.push(given), invoke()) }
  return { toolbox: { client, options } as unknown as Toolbox, asked }
}

describe('a tool call', () => {
  it('has one key and one reference for its id and inputs, and takes task, signal and waiting with it', async () => {
    const { signal } = new AbortController()
    const { toolbox, asked } = toolboxWith(async () => done, { conversation: 'c', task_id: 't', approval: 'wait' })
    await callForModel(toolbox, { ...call, signal })
    await callForModel(toolbox, { ...call, signal })
    await callForModel(toolbox, { ...call, input: { hotel: 'Savoy' } })
    const [first, same, other] = asked.map(([, , options]) => options as { readonly idempotency_key: string })
    expect(asked[0]!.slice(0, 2)).toEqual(['book', { hotel: 'Ritz' }])
    expect(first).toMatchObject({ client_reference_id: 'c/book/call_1', task_id: 't', approval: 'wait', signal })
    expect([same!.idempotency_key === first!.idempotency_key, other!.idempotency_key === first!.idempotency_key]).toEqual([true, false]) // prettier-ignore
  })

  it.each([
    [undefined, {}],
    [null, {}],
    [0, 0],
    ['', ''],
    [false, false],
    [[1], [1]],
  ])('with the input %j asks with %j: the service says what is wrong with it', async (input, sent) => {
    const { toolbox, asked } = toolboxWith(async () => done)
    await callForModel(toolbox, { ...call, input })
    expect(asked[0]?.[1]).toEqual(sent)
  })

  it('without an id has neither, and pauses for nobody', async () => {
    const { toolbox, asked } = toolboxWith(async () => waiting)
    const byHand = { ...call, callId: undefined }
    expect(await askFirst(toolbox, new Map(), byHand)).toBeUndefined()
    expect(asked).toEqual([])
    expect(await takeOrCall(toolbox, new Map(), byHand)).toBe(waiting)
    expect(asked).toEqual([['book', { hotel: 'Ritz' }, {}]])
  })

  it.each([
    ['read', false, 'service_unavailable'],
    ['read', true, 'outcome_unknown'],
    ['write', false, 'outcome_unknown'],
  ] as const)('of effect %s, financial %s, without an answer is %s', async (effect, financial, type) => {
    const errors: unknown[] = []
    const onError = (error: unknown) => void errors.push(error)
    const { toolbox } = toolboxWith(() => Promise.reject(new Error('reset')), { onError })
    const outcome = await callForModel(toolbox, { ...call, tool: { ...tool, effect, financial } })
    expect(outcome).toMatchObject({ success: false, failure: { type } })
    expect(errors).toEqual([new Error('reset')])
  })

  it('that its own signal has ended throws the reason of that, and tells of no error', async () => {
    const errors: unknown[] = []
    const { toolbox } = toolboxWith(() => Promise.reject(new Error('reset')), { onError: (e) => void errors.push(e) })
    const signal = AbortSignal.abort(new Error('The user left.'))
    await expect(callForModel(toolbox, { ...call, signal })).rejects.toThrow('The user left.')
    expect(errors).toEqual([])
  })
})

describe('the call of an approval hook', () => {
  it('whose outcome is no question is made once: its execution takes what is kept, and only once', async () => {
    const { toolbox, asked } = toolboxWith(async () => done)
    const kept: Kept = new Map()
    expect(await askFirst(toolbox, kept, call)).toBeUndefined()
    expect(await takeOrCall(toolbox, kept, call)).toBe(done)
    expect(asked).toHaveLength(1)
    await takeOrCall(toolbox, kept, call)
    expect(asked).toHaveLength(2)
  })

  it('that must wait gives the request, and keeps nothing: the execution asks again', async () => {
    const { toolbox, asked } = toolboxWith(async () => waiting)
    const kept: Kept = new Map()
    expect(await askFirst(toolbox, kept, call)).toBe('apr_1')
    await takeOrCall(toolbox, kept, call)
    expect(asked).toHaveLength(2)
  })

  it('is not made where a tool never needs an approval, nor where calls wait themselves', async () => {
    const never = toolboxWith(async () => done)
    await askFirst(never.toolbox, new Map(), { ...call, tool: { ...tool, approval: 'never' } })
    const waits = toolboxWith(async () => done, { approval: 'wait' })
    await askFirst(waits.toolbox, new Map(), call)
    expect([never.asked, waits.asked]).toEqual([[], []])
  })

  it('keeps the outcome of one call from another, and the last 256', async () => {
    const { toolbox } = toolboxWith(async () => done)
    const kept: Kept = new Map()
    for (let n = 0; n < 257; n++) await askFirst(toolbox, kept, { ...call, callId: `call_${n}` })
    expect(kept.size).toBe(256)
    expect([...kept.keys()].some((key) => key.startsWith('/book/call_0/'))).toBe(false)
    await takeOrCall(toolbox, kept, { ...call, callId: 'call_256', input: { hotel: 'Savoy' } })
    expect(kept.size).toBe(256)
  })
})

it.each([
  ['an open request', waiting, 'apr_1'],
  ['a request that was decided', failedWith({ type: 'approval_required', approval_request_id: 'apr_1', decision: { status: 'denied' } }), undefined],
  ['no request', failedWith({ type: 'approval_required' }), undefined],
  ['another failure that names one', failedWith({ type: 'approval_grant_invalid', approval_request_id: 'apr_1' }), undefined],
  ['a success', done, undefined],
])('an outcome with %s waits for it or not', (_, outcome, request) => {
  expect(waitsFor(outcome)).toBe(request)
}) // prettier-ignore

it.each([
  ['pending', ['apr_1']],
  ['approved', ['apr_1']],
  ['denied', []],
  ['withdrawn', []],
])('what is declined takes back a request that is %s', async (status, taken) => {
  const withdrawn: string[] = []
  const client = {
    audit: async () => ({ success: true, result: { entries: [{ approval_request_id: 'apr_1' }] } }),
    approvals: {
      read: async (approval_request_id: string) => ({ success: true, result: { approval_request_id, status } }),
      withdraw: async (id: string) => void withdrawn.push(id),
    },
  }
  await withdrawCall({ client, options: {} } as unknown as Toolbox, call)
  expect(withdrawn).toEqual(taken)
})

describe('a model is shown', () => {
  it('the bare result, and of a failure neither the call once more nor what its approver saw', () => {
    const decision = { status: 'denied', reason: 'No.', decided_at: 'then', requested_parameters: { iban: 'x' } }
    const failure = {
      type: 'approval_denied',
      detail: 'No.',
      retry: false,
      resolution: { action: 'contact_service_owner' },
      pending: { parameters: { iban: 'x' } },
      decision,
    }
    expect(shownOf(outputOf(done, {}))).toEqual({ id: 'b-1' })
    expect(shownOf(outputOf(failedWith(failure), {}))).toEqual({
      invocation_id: 'inv-1',
      failure: {
        type: 'approval_denied',
        detail: 'No.',
        retry: false,
        resolution: { action: 'contact_service_owner' },
      },
    })
  })

  it.each([
    [{ status: 'expired' }, { status: 'expired', reason: null, decided_at: null }],
    [
      { status: 'denied', reason: 'No.' },
      { status: 'denied', reason: 'No.', decided_at: null },
    ],
    ['denied', { reason: null, decided_at: null }],
  ])('of the decision %j programs get this much: %j', (decision, shown) => {
    const { failure } = outputOf(failedWith({ type: 'approval_required', decision }), {}) as {
      readonly failure: object
    }
    expect(JSON.parse(JSON.stringify(failure))).toStrictEqual({ type: 'approval_required', decision: shown })
  })

  it('no more than may be, and that a call which succeeded is not to be repeated', () => {
    const length = JSON.stringify(outputOf(done, {})).length
    expect(outputOf(done, { maxResultCharacters: length })).toMatchObject({ success: true })
    const cut = outputOf(done, { maxResultCharacters: length - 1 })
    expect(cut).toMatchObject({ success: false, invocation_id: 'inv-1', failure: { type: 'payload_too_large', retry: false } }) // prettier-ignore
    expect(JSON.stringify(cut)).toContain('Do not repeat it')
    expect(outputOf(failedWith({ type: 'x', detail: 'y'.repeat(500) }), { maxResultCharacters: 99 })).toMatchObject({ failure: { type: 'internal_error' } }) // prettier-ignore
  })
})

it('a token has the tools that its permissions call available, and none where they are refused', async () => {
  const permissions = (answer: object) => ({ permissions: async () => answer }) as never
  const available = { available: [{ capability: 'book' }], restricted: [{ capability: 'pay' }], denied: [] }
  const tools = [tool, { ...tool, name: 'pay', capability: 'pay' }]
  expect(await availableTools(permissions({ success: true, result: available }), tools)).toEqual([tool])
  const refused = permissions({ success: false, failure: { type: 'token_revoked', detail: 'Revoked.' } })
  await expect(availableTools(refused, tools)).rejects.toThrow('token_revoked: Revoked.')
  await expect(availableTools(permissions({ success: true, result: {} }), tools)).rejects.toThrow('without a list')
})

describe('the messages of a conversation', () => {
  const made = (toolCallId: string) => ({ type: 'tool-call', toolCallId, toolName: 'book' })
  const question = (toolCallId: string) => ({
    type: 'tool-approval-request',
    toolCallId,
    approvalId: `a-${toolCallId}`,
  })
  const answer = (toolCallId: string, approved: boolean) => ({ role: 'tool', content: [{ type: 'tool-approval-response', approvalId: `a-${toolCallId}`, approved }] }) // prettier-ignore
  const spoke = (...content: object[]) => ({ role: 'assistant', content })

  it('name the calls that were declined since the model spoke, and no earlier or approved one', () => {
    const messages = [spoke(made('1'), question('1')), answer('1', false), spoke(made('2'), question('2'), made('3'), question('3')), answer('2', false), answer('3', true)] // prettier-ignore
    expect(deniedCalls(messages as never)).toEqual([{ toolCallId: '2', toolName: 'book' }])
    expect(deniedCalls([...messages, spoke()] as never)).toEqual([])
  })

  it('tell of which call the user was asked', () => {
    const messages = [spoke(made('1'), question('1'), made('2')), { role: 'user', content: 'Go on.' }]
    expect([wasAsked(messages as never, '1'), wasAsked(messages as never, '2')]).toEqual([true, false])
  })
})
