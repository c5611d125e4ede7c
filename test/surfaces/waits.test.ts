/** S3, S4, S5: what becomes of a call that needs an approval, by what the client can do. */
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { refusalForModel } from '../../src/protocol/refusal-for-model.js'
import { CLIENTS, modern, startWorld, type Answered, type Elicited, type Peering, type World } from './mcp-world.js'

const page = { approvalUrl: (id: string) => `https://approve.example/${id}` }
const requestOf = ({ url }: Elicited) => url!.split('/').at(-1)!

interface Refused {
  readonly type: string
  readonly retry: boolean
  readonly approval_request_id: string
  readonly resolution: { readonly action: string }
}

const failureOf = ({ structuredContent }: Answered) => structuredContent!['failure'] as unknown as Refused

/** Counts the messages by which one tool call is made. */
function counted() {
  const sent: string[] = []
  const onSend: Peering['onSend'] = ({ method }) => void (method === 'tools/call' && sent.push(method))
  return { sent, onSend }
}

const OVER = ['HTTP', 'stdio'] as const

/** In the whole suite a second is one, and a round of waiting takes its 20; where time is short all is 20 times as quick. */
const PACE = process.env['SURFACES'] === 'one' ? 20 : 1

describe.each(OVER)('S3: a modern client that shows pages, over %s', (over) => {
  it('gets the result of one call after a decision at 0.3, 7 and 25 s: one prompt, one effect', async () => {
    const world = await startWorld({ limits: { longPollSeconds: 20 / PACE } }, page)
    const waited = await Promise.all([0.3, 7, 25].map((seconds) => decidedAfter(world, over, seconds)))
    for (const { hotel, prompts, answer } of waited) {
      expect(prompts).toEqual([{ mode: 'url', message: expect.stringContaining('needs an approval') as string }])
      expect(answer).toMatchObject({ structuredContent: { booked: hotel } })
    }
    // The page and a round; who is decided about after a round has ended needs another one.
    expect(waited.map(({ messages }, index) => messages >= [2, 2, 3][index]!)).toEqual([true, true, true])
    expect(world.effects).toHaveLength(3)
    expect(new Set(world.effects.map((each) => (each as { hotel: string }).hotel)).size).toBe(3)
    const { body } = await world.fixture.call('GET', '/svc/approval_requests', { bearer: 'bob-key' })
    const requests = body['approval_requests'] as unknown as { readonly status: string }[]
    expect(requests.map(({ status }) => status)).toEqual(['approved', 'approved', 'approved'])
  })
})

async function decidedAfter(world: World, over: 'HTTP' | 'stdio', seconds: number) {
  const prompts: object[] = []
  const { sent, onSend: count } = counted()
  let begin: (value?: unknown) => void = () => undefined
  const secondRound = new Promise((resolve) => (begin = resolve))
  const onSend: Peering['onSend'] = (message) => {
    count!(message)
    if (sent.length === 3) begin()
  }
  const elicit = (asked: Elicited) => {
    prompts.push({ mode: asked.mode, message: asked.message })
    const decided = [pause((seconds * 1000) / PACE), ...(seconds > 20 ? [secondRound] : [])]
    void Promise.all(decided).then(() => world.approve(requestOf(asked)))
    return { action: 'accept' }
  }
  const agent = await modern(world, { over, elicit, onSend })
  const hotel = `after ${seconds} s`
  const answer = await agent.call('trip__book', { hotel })
  return { hotel, prompts, answer, messages: sent.length }
}

describe.each(OVER)('S4: where nobody decides, over %s', (over) => {
  const start = () => startWorld({ limits: { longPollSeconds: 0.25 } }, page)

  it('the wait ends before the client gives up, with a whole result, and goes on by the same call', async () => {
    const world = await start()
    const { sent, onSend } = counted()
    const asked: string[] = []
    const elicit = (shown: Elicited) => (asked.push(requestOf(shown)), { action: 'accept' })
    const agent = await modern(world, { over, elicit, onSend })
    const first = await agent.call('trip__book', { hotel: 'Ritz' })
    expect(first.isError).toBe(true)
    expect(failureOf(first)).toMatchObject({ type: 'approval_required', retry: true, approval_request_id: asked[0] })
    expect(JSON.parse(first.content[0]!.text!)).toEqual(refusalForModel(first.structuredContent as never))
    // One message that asks, eight that wait: a client gives up after ten.
    expect(sent).toHaveLength(9)
    await world.approve(asked[0]!)
    const done = await agent.call('trip__book', { hotel: 'Ritz' })
    expect([done.structuredContent, sent.length, asked.length]).toEqual([{ booked: 'Ritz' }, 10, 1])
    expect(world.effects).toHaveLength(1)
  })

  it('the wait can be taken up again before the decision, for the same request', async () => {
    const world = await start()
    const asked: string[] = []
    const elicit = async (shown: Elicited) => {
      asked.push(requestOf(shown))
      if (asked.length === 2) await world.approve(requestOf(shown))
      return { action: 'accept' }
    }
    const agent = await modern(world, { over, elicit })
    expect(failureOf(await agent.call('trip__book', { hotel: 'Ritz' })).retry).toBe(true)
    expect((await agent.call('trip__book', { hotel: 'Ritz' })).structuredContent).toEqual({ booked: 'Ritz' })
    expect([asked.length, new Set(asked).size, world.effects.length]).toEqual([2, 1, 1])
  })
})

describe.each(CLIENTS)('S5: a client of the %s era over %s that can ask nobody', (_, over, connect) => {
  it('gets complete answers, never an error of the protocol', async () => {
    const world = await startWorld({}, page)
    const agent = await connect(world, { over })
    const question = await agent.call('ask', {})
    expect([question.isError, failureOf(question).type]).toEqual([true, 'clarification_required'])
    const asked = await agent.call('trip__book', { hotel: 'Ritz' })
    expect([asked.isError, failureOf(asked).type]).toEqual([true, 'approval_required'])
    for (const { content, structuredContent } of [question, asked]) {
      expect(JSON.parse(content[0]!.text!)).toEqual(refusalForModel(structuredContent as never))
      expect(content[0]!.text).not.toMatch(/-32021|request input|elicitation/iu)
    }
    await world.approve(failureOf(asked).approval_request_id)
    expect((await agent.call('trip__book', { hotel: 'Ritz' })).structuredContent).toEqual({ booked: 'Ritz' })
    expect(world.effects).toHaveLength(1)
  })
})
