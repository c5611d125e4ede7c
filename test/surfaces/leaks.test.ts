/** S14: no token, key, preview or parameter is in a URL, a question to a person, a state or the log; secrets are on no wire at all. */
import { describe, expect, it } from 'vitest'
import { http } from './agents/http.js'
import { stdio } from './agents/stdio.js'
import { CLIENTS, startWorld, type Elicited, type World } from './mcp-world.js'

/** Each is found wherever it goes: as it is, in base64 or percent-encoded. */
const PARAMETER = 'parameter-Zq81'
const PREVIEW = 'preview-Kx27'
const OF_THE_HANDLER = 'of-the-handler-Wm54'

const page = { approvalUrl: (id: string) => `https://approve.example/${id}` }

const start = () =>
  startWorld(
    {
      implementation: { previews: { 'trip.book': ({ hotel }: { hotel: string }) => ({ shows: `${hotel} ${PREVIEW}` }) } },
      handlers: {
        search: () => Promise.reject(new Error(`postgresql://svc:${OF_THE_HANDLER}@db is away`)),
        'trip.book': () => ({ booked: 'yes' }),
        ask: () => ({}),
        slow: () => ({}),
      },
    },
    page,
  ) // prettier-ignore

/** A text, and what is encoded in it. */
function readable(text: string): string {
  const packed = [...text.matchAll(/[\w+/-]{12,}={0,2}/gu)].map(([each]) => Buffer.from(each, 'base64').toString('latin1'))
  const plain = text.replaceAll(/%(?:[0-9a-f]{2})/giu, (each) => String.fromCodePoint(Number.parseInt(each.slice(1), 16)))
  return [text, plain, ...packed].join('\n')
} // prettier-ignore

const found = (text: string, ...marks: readonly string[]): readonly string[] =>
  marks.filter((mark) => readable(text).includes(mark))

/** The states that a wire carried. */
const statesOn = (wire: string): readonly string[] =>
  [...wire.matchAll(/"requestState":"([^"]+)"/gu)].map(([, state = '']) => state)

/** Another root principal's token, which a call names where no token belongs. */
const misplaced = async ({ fixture }: World) => (await fixture.issued('eve-key', { scope: ['travel.search'] })).token

describe.each(CLIENTS)('S14: with a client of the %s era over %s', (era, over, connect) => {
  it('what must stay is in no URL, message, state or log', async () => {
    const world = await start()
    const wire: string[] = []
    const asked: Elicited[] = []
    const elicit = (each: Elicited) => {
      asked.push(each)
      if (each.url === undefined) return { action: 'accept', content: { place: PARAMETER } }
      void world.approve(each.url.split('/').at(-1)!)
      return { action: 'accept' }
    }
    const agent = await connect(world, { over, elicit, onReceive: (text) => void wire.push(text) })
    const other = await misplaced(world)
    await agent.list()
    await agent.call('search', { city: PARAMETER })
    await agent.call('search', { city: PARAMETER, token: other })
    await agent.call('trip__book', { hotel: PARAMETER })
    await agent.call('trip__book', { hotel: `${PARAMETER} again` }, { 'svc-kit/approval_request': other })
    await agent.call('ask', {})
    await agent.call('nothing', { x: PARAMETER }, { 'svc-kit/task_id': other, authorization: `Bearer ${other}` })
    await world.fixture.post('/svc/tokens/revoke', 'ana-key', { token_id: world.token_id })
    await agent.call('search', { city: PARAMETER }).catch(() => undefined)

    const received = wire.join('\n')
    const secrets = [world.token, other, 'ana-key', 'bob-key', OF_THE_HANDLER]
    expect(found(received, ...secrets)).toEqual([])
    expect(found(world.fixture.logged.filter((line) => !line.includes(OF_THE_HANDLER)).join('\n'), ...secrets, PARAMETER, PREVIEW)).toEqual([])
    expect(found(JSON.stringify(asked), ...secrets, PARAMETER, PREVIEW)).toEqual([])
    expect(found(statesOn(received).join('\n'), ...secrets, PARAMETER, PREVIEW)).toEqual([])
    // All of it was there to be found.
    expect(world.fixture.logged.join('\n')).toContain(OF_THE_HANDLER)
    if (era === 'modern') expect([asked.length >= 2, statesOn(received).length >= 2]).toEqual([true, true])
    expect(received).toMatch(/approval_required|needs an approval/u)
  }) // prettier-ignore
})

it.each([
  ['HTTP', http],
  ['stdio', stdio],
] as const)('S14: over %s, what must stay is in no answer and in no log', async (_, connect) => {
  const world = await start()
  const agent = await connect({ url: world.url, token: world.token, tools: [] }, world.fixture.service)
  const other = await misplaced(world)
  const turns = [
    await agent.call('search', { city: PARAMETER }),
    await agent.call('search', { city: PARAMETER, token: other }),
    await agent.call('trip.book', { hotel: PARAMETER }),
    await agent.call('nothing', {}, { task: other }),
  ]
  const secrets = [world.token, other, 'ana-key', 'bob-key', OF_THE_HANDLER]
  expect(found(JSON.stringify(turns.map(({ shown }) => shown)), ...secrets)).toEqual([])
  const logged = world.fixture.logged.filter((line) => !line.includes(OF_THE_HANDLER))
  expect(found(logged.join('\n'), ...secrets, PARAMETER, PREVIEW)).toEqual([])
})

it('the search of S14 finds a mark in a URL and in base64', () => {
  const text = `https://x.example/?q=${encodeURIComponent('p rameter')} ${Buffer.from(`{"a":"${PARAMETER}"}`).toString('base64url')}`
  expect([found(text, 'p rameter'), found(text, PARAMETER), found(text, PREVIEW)]).toEqual([['p rameter'], [PARAMETER], []]) // prettier-ignore
})
