/** What a handler can tell and ask its caller: bounded, by declared abilities alone, and an answer is never authority. */
import { Client as ModernClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js'
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { StreamableHTTPClientTransport as LegacyHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Caller, Questions } from '../../src/protocol/questions.js'
import { answerIn } from '../../src/runtime/call/execute/answers.js'
import type { McpOptions } from '../../src/runtime/surfaces/mcp/index.js'
import { keptLog } from '../../src/runtime/testing/log.js'
import { serve } from '../../src/runtime/node.js'
import { mcp } from '../../src/runtime/surfaces/mcp/index.js'
import { capability, input } from '../runtime/fixture/manifest.js'
import { lineTransport } from './line-transport.js'
import { startWorld, type World } from './mcp-world.js'
import { validating } from './validator.js'

const COLOR = { color: { form: 'Which color?', fields: { color: { type: 'string', enum: ['red', 'blue'] } }, required: ['color'] } } as const // prettier-ignore
const SIZE = { size: { form: 'Which size?', fields: { size: { type: 'integer', minimum: 1 } }, required: ['size'] } } as const // prettier-ignore
const WISH = { wish: { model: 'Make a wish.', maxTokens: 10, system: 'Be brief.' } } as const

type Context = { readonly caller: Caller }

const OUTPUT = { type: 'object', fields: [{ name: 'answers', type: 'any' }] } as never
const declared = (more: object = {}) => capability({ output: OUTPUT, ...more })
const once =
  (questions: Questions) =>
  async (_: object, { caller }: Context) => ({
    answers: await caller.ask(questions),
  })

const policy = { allowed_grant_types: ['one_time'], default_grant_type: 'one_time', expires_in_seconds: 900, max_uses: 1 } as const // prettier-ignore

async function asking(ask: Questions = {}, options: McpOptions = {}) {
  const effects: unknown[] = []
  const abilities: unknown[] = []
  const { log, lines } = keptLog()
  const world = await startWorld(
    {
      log,
      capabilities: {
        paint: declared({ side_effect: { type: 'write' } }),
        both: declared(),
        wish: declared(),
        folders: declared(),
        odd: declared(),
        approved: declared({
          side_effect: { type: 'irreversible' },
          approval: { required: 'always', grant_policy: policy },
        }),
        tells: declared({ inputs: [input('text')] }),
      } as never,
      handlers: {
        paint: async (_: object, { caller }: Context) => {
          const { color } = await caller.ask(COLOR)
          effects.push(color)
          return { answers: color }
        },
        both: async (_: object, { caller }: Context) => {
          const first = await caller.ask(COLOR)
          const second = await caller.ask(SIZE)
          return { answers: { ...first, ...second } }
        },
        wish: once(WISH),
        folders: once({ folders: { roots: true } }),
        odd: once(ask),
        approved: async (_: object, { caller }: Context) => {
          abilities.push(caller.can)
          return { answers: null }
        },
        tells: async ({ text }: { readonly text: string }, { caller }: Context) => {
          await caller.tell('debug', 'For nobody.')
          await caller.tell('warning', text === 'much' ? { much: 'x'.repeat(2000) } : text)
          return { answers: null }
        },
      } as never,
    },
    options,
  )
  return { world, effects, abilities, lines }
}

const headersOf = ({ token }: World) => ({ requestInit: { headers: { authorization: `Bearer ${token}` } } })

type Said = (asked: { readonly params: never }) => unknown
interface Answering {
  readonly form?: Said
  readonly model?: Said
  readonly roots?: Said
}

const CAPABILITIES = { form: { elicitation: { form: {} } }, model: { sampling: {} }, roots: { roots: {} } }
const capabilitiesOf = (answering: Answering) =>
  Object.assign({}, ...(Object.keys(answering) as (keyof Answering)[]).map((kind) => CAPABILITIES[kind])) as object

async function modern(world: World, answering: Answering) {
  const client = new ModernClient(
    { name: 'modern', version: '1.0.0' },
    { versionNegotiation: { mode: 'auto' }, capabilities: capabilitiesOf(answering), ...validating },
  )
  if (answering.form) client.setRequestHandler('elicitation/create', answering.form as never)
  if (answering.model) client.setRequestHandler('sampling/createMessage', answering.model as never)
  if (answering.roots) client.setRequestHandler('roots/list', answering.roots as never)
  await client.connect(new StreamableHTTPClientTransport(new URL(`${world.url}/mcp`), headersOf(world)) as never)
  onTestFinished(() => client.close())
  return client
}

function legacyClient(answering: Answering) {
  const client = new LegacyClient(
    { name: 'legacy', version: '1.0.0' },
    { capabilities: capabilitiesOf(answering), ...validating },
  )
  if (answering.form) client.setRequestHandler(ElicitRequestSchema, answering.form as never)
  if (answering.model) client.setRequestHandler(CreateMessageRequestSchema, answering.model as never)
  if (answering.roots) client.setRequestHandler(ListRootsRequestSchema, answering.roots as never)
  return client
}

async function legacyOverLines(world: World, answering: Answering) {
  const client = legacyClient(answering)
  await client.connect(lineTransport(world.fixture.service, {}, { token: world.token }) as never)
  onTestFinished(() => client.close())
  return client as object as Awaited<ReturnType<typeof modern>>
}

/** In a session: its transport tells the session's id. */
async function legacyInSession(world: World, answering: Answering) {
  const client = legacyClient(answering)
  const transport = new LegacyHttp(new URL(`${world.url}/mcp`), headersOf(world))
  await client.connect(transport as never)
  onTestFinished(() => client.close())
  return client as object as Awaited<ReturnType<typeof modern>>
}

const CONNECTIONS = [
  ['2026-07-28', modern, {}],
  ['2025-11-25 over stdio', legacyOverLines, {}],
  ['2025-11-25 in a session', legacyInSession, { sessions: true }],
] as const

const answersOf = (called: object) =>
  (called as { readonly structuredContent?: { readonly answers?: unknown } }).structuredContent?.answers
const failureOf = (called: object) =>
  (called as { readonly structuredContent?: { readonly failure?: { readonly type: string; readonly detail: string } } })
    .structuredContent?.failure

const endings = async ({ fixture, token }: World) =>
  (await fixture.trail(token))
    .filter(({ entry_type }) => entry_type === 'invocation')
    .map(({ success, failure_type }) => (success === true ? 'done' : failure_type))

const red = () => ({ action: 'accept', content: { color: 'red' } })

describe.each(CONNECTIONS)('a handler asks a client of %s', (_, connect, options) => {
  it('for a form: one effect, with each run on the trail', async () => {
    const { world, effects } = await asking({}, options)
    const client = await connect(world, { form: red })
    expect(answersOf(await client.callTool({ name: 'paint' }))).toEqual({ action: 'accept', content: { color: 'red' } })
    expect(effects).toEqual([{ action: 'accept', content: { color: 'red' } }])
    expect((await endings(world)).toSorted()).toEqual(['clarification_required', 'done'])
  })

  it('under an idempotency key: the key belongs to the run that acts', async () => {
    const { world, effects } = await asking({}, options)
    const client = await connect(world, { form: red })
    const call = { name: 'paint', _meta: { 'svc-kit/idempotency_key': 'a-key-of-a-call' } }
    const first = answersOf(await client.callTool(call))
    expect(answersOf(await client.callTool(call))).toEqual(first)
    expect(effects).toHaveLength(1)
  })

  it('who declines or cancels, and hears of it', async () => {
    const { world } = await asking({}, options)
    for (const action of ['decline', 'cancel']) {
      const client = await connect(world, { form: () => ({ action }) })
      expect(answersOf(await client.callTool({ name: 'paint' }))).toEqual({ action })
    }
  })

  it('twice, each question by itself', async () => {
    const { world } = await asking({}, options)
    const asked: unknown[] = []
    const client = await connect(world, {
      form: ({ params }) => {
        const { message } = params as { readonly message: string }
        asked.push(message)
        return { action: 'accept', content: message === 'Which color?' ? { color: 'blue' } : { size: 3 } }
      },
    })
    expect(answersOf(await client.callTool({ name: 'both' }))).toEqual({
      color: { action: 'accept', content: { color: 'blue' } },
      size: { action: 'accept', content: { size: 3 } },
    })
    expect(asked).toEqual(['Which color?', 'Which size?'])
  })

  it('for its model, and for its folders', async () => {
    const { world } = await asking({}, options)
    const prompts: unknown[] = []
    const client = await connect(world, {
      model: ({ params }) => {
        prompts.push(params)
        return { role: 'assistant', model: 'm', content: { type: 'text', text: 'Rain.' } }
      },
      roots: () => ({ roots: [{ uri: 'file:///home', name: 'Home' }] }),
    })
    expect(answersOf(await client.callTool({ name: 'wish' }))).toEqual({ wish: { text: 'Rain.', model: 'm' } })
    expect(prompts).toMatchObject([
      {
        messages: [{ role: 'user', content: { type: 'text', text: 'Make a wish.' } }],
        maxTokens: 10,
        systemPrompt: 'Be brief.',
      },
    ])
    expect(answersOf(await client.callTool({ name: 'folders' }))).toEqual({
      folders: [{ uri: 'file:///home', name: 'Home' }],
    })
  })

  it('again where its answer is none, and no more than eight times', async () => {
    const { world, effects } = await asking({}, options)
    let asked = 0
    const client = await connect(world, { form: () => (asked++, { action: 'accept', content: { color: 'green' } }) })
    const called = await client.callTool({ name: 'paint' }).catch((error: Error) => error)
    expect(JSON.stringify(called)).not.toContain('green')
    expect(asked).toBeLessThanOrEqual(8)
    expect(effects).toEqual([])
  })

  it('never with a grant in hand, which the question would spend', async () => {
    const { world, abilities } = await asking({}, options)
    const client = await connect(world, { form: red })
    const id = (failureOf(await client.callTool({ name: 'approved' })) as { approval_request_id?: string })
      .approval_request_id!
    expect((await world.approve(id)).status).toBe(200)
    expect(answersOf(await client.callTool({ name: 'approved' }))).toBe(null)
    expect(abilities).toEqual([{ form: false, model: false, roots: false }])
  })
})

describe('a client that cannot be asked', () => {
  it('of 2026-07-28 is told what it lacks, as the protocol demands', async () => {
    const { world, effects } = await asking()
    const client = await modern(world, { roots: () => ({ roots: [] }) })
    await expect(client.callTool({ name: 'wish' })).rejects.toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { sampling: {} } },
    })
    await expect(client.callTool({ name: 'paint' })).rejects.toMatchObject({ code: -32021 })
    expect(effects).toEqual([])
    expect(await endings(world)).toEqual(['clarification_required', 'clarification_required'])
  })

  it.each(['plain', 'with progress'])('of 2026-07-28 gets status 400 (%s)', async (kind) => {
    const { world } = await asking()
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
      ...(kind === 'with progress' && { progressToken: 1 }),
    }
    const response = await fetch(`${world.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${world.token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'wish',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'wish', _meta: meta } }),
    })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      id: 1,
      error: { code: -32021, data: { requiredCapabilities: { sampling: {} } } },
    })
  })

  it('of an older revision gets a refusal', async () => {
    const { world } = await asking()
    const client = await legacyOverLines(world, {})
    expect(failureOf(await client.callTool({ name: 'paint' }))).toMatchObject({
      type: 'clarification_required',
      detail: 'The capability asks its caller: color.',
    })
  })

  it('because it calls over HTTP gets a refusal that says so', async () => {
    const { world } = await asking()
    const { status, body } = await world.fixture.post('/svc/invoke/paint', world.token, { parameters: {} })
    expect([status, body['failure']]).toMatchObject([
      422,
      {
        type: 'clarification_required',
        detail: 'The capability asks its caller: color. Call it over MCP, from a client that can be asked.',
      },
    ])
  })
})

it('answers of a call have a bound', async () => {
  const { world } = await asking()
  const client = await modern(world, { form: () => ({ action: 'accept', content: { color: 'r'.repeat(65 * 1024) } }) })
  await expect(client.callTool({ name: 'paint' })).rejects.toMatchObject({
    code: -32602,
    message: expect.stringContaining('All answers have at most 65536 characters.'),
  })
})

it.each<readonly [Questions, string]>([
  [{}, '1 to 16 questions can be asked at once'],
  [Object.fromEntries(Array.from({ length: 17 }, (_, at) => [`q${at}`, COLOR.color])), '1 to 16 questions'],
  [{ approval: COLOR.color }, '"approval" cannot name a question'],
  [{ 'a b': COLOR.color }, '"a b" cannot name a question'],
  [{ a: { form: 'Your key?', fields: { api_key: { type: 'string' } } } }, 'a form never asks for a secret'],
  [{ a: { model: 'Long.', maxTokens: 100_001 } }, 'maxTokens must be 1 to 100000'],
  [{ a: { model: 'x'.repeat(33 * 1024), maxTokens: 1 } }, 'questions have at most 32768 characters'],
])('a handler cannot ask where $1', async (questions, problem) => {
  const { world, lines } = await asking(questions)
  const client = await modern(world, { form: red, model: red })
  expect(failureOf(await client.callTool({ name: 'odd' }))).toMatchObject({ type: 'internal_error' })
  expect(JSON.stringify(lines)).toContain(JSON.stringify(problem).slice(1, -1))
})

describe('messages of a handler', () => {
  it.each([
    ['over stdio', legacyOverLines, {}],
    ['in a session', legacyInSession, { sessions: true }],
  ] as const)('come to a client %s, from its level on, and cut', async (_, connect, options) => {
    const { world } = await asking({}, options)
    const client = (await connect(world, {})) as object as LegacyClient
    const told: unknown[] = []
    client.fallbackNotificationHandler = async ({ method, params }) => void told.push([method, params])
    await client.setLoggingLevel('info')
    await client.callTool({ name: 'tells', arguments: { text: 'Half done.' } })
    await client.callTool({ name: 'tells', arguments: { text: 'much' } })
    expect(told).toEqual([
      ['notifications/message', { level: 'warning', data: 'Half done.' }],
      ['notifications/message', { level: 'warning', data: `{"much":"${'x'.repeat(991)}` }],
    ])
  })

  it('come to no client of 2026-07-28 that has named no level', async () => {
    const { world } = await asking()
    const client = await modern(world, {})
    const told: unknown[] = []
    client.fallbackNotificationHandler = async (each: unknown) => void told.push(each)
    const call = { name: 'tells', arguments: { text: 'Half done.' } }
    await client.callTool(call)
    expect(told).toEqual([])
    await client.callTool({ ...call, _meta: { 'io.modelcontextprotocol/logLevel': 'info' } })
    expect(told).toMatchObject([{ params: { level: 'warning', data: 'Half done.' } }])
  })
})

describe('an answer', () => {
  const form = (field: object, required: readonly string[] = []) =>
    ({ form: 'A form.', fields: { a: field }, required }) as Questions[string]
  const accepted = (a: unknown) => ({ action: 'accept', content: { a } }) as never
  const titled = [{ const: 'x', title: 'X' }]

  it.each([
    [{ type: 'string' }, 'x', true],
    [{ type: 'string' }, 1, false],
    [{ type: 'string', maxLength: 1 }, '😀', true],
    [{ type: 'string', maxLength: 1 }, 'xy', false],
    [{ type: 'string', minLength: 2 }, 'x', false],
    [{ type: 'string', enum: ['x'] }, 'y', false],
    [{ type: 'string', oneOf: titled }, 'x', true],
    [{ type: 'string', oneOf: titled }, 'X', false],
    [{ type: 'integer' }, 1.5, false],
    [{ type: 'number' }, 1.5, true],
    [{ type: 'number', minimum: 1, maximum: 2 }, 3, false],
    [{ type: 'number' }, '1', false],
    [{ type: 'boolean' }, false, true],
    [{ type: 'boolean' }, 'false', false],
    [{ type: 'array', items: { enum: ['x'] } }, ['x'], true],
    [{ type: 'array', items: { enum: ['x'] } }, ['y'], false],
    [{ type: 'array', items: { anyOf: titled } }, ['x'], true],
    [{ type: 'array', maxItems: 1 }, ['x', 'y'], false],
    [{ type: 'array' }, 'x', false],
  ])('to a field %o is %o: %s', (field, value, fits) => {
    expect(answerIn(form(field), accepted(value))).toEqual(
      fits ? { action: 'accept', content: { a: value } } : undefined,
    )
  })

  it.each([
    [form({ type: 'string' }, ['a']), { action: 'accept', content: {} }, undefined],
    [form({ type: 'string' }), { action: 'accept' }, { action: 'accept', content: {} }],
    [form({ type: 'string' }), { action: 'accept', content: { b: 1 } }, { action: 'accept', content: {} }],
    [form({ type: 'string' }), { action: 'approve' }, undefined],
    [form({ type: 'string' }), 12345, undefined],
    [WISH.wish, { model: 'm', content: [{ type: 'text', text: 'a' }, { type: 'image' }] }, { text: 'a', model: 'm' }],
    [WISH.wish, { content: { type: 'text', text: 'a' } }, undefined],
    [{ roots: true }, { roots: [{ uri: 1 }] }, undefined],
    [{ roots: true }, { roots: Array.from({ length: 101 }, () => ({ uri: 'file:///a' })) }, undefined],
  ] as const)('to %o is read from %o', (question, value, answer) => {
    expect(answerIn(question as never, value as never)).toEqual(answer)
  })
})

describe('a session over HTTP', () => {
  const AT_FIRST = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: { elicitation: { form: {} }, sampling: {} },
      clientInfo: { name: 'raw', version: '1' },
    },
  }

  const post = (world: World, body: object, token = world.token, session?: string) =>
    fetch(`${world.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(session !== undefined && { 'mcp-session-id': session }),
      },
      body: JSON.stringify(body),
    })

  const begun = async (world: World) => {
    const response = await post(world, AT_FIRST)
    await response.text()
    return response.headers.get('mcp-session-id')!
  }

  const PAINT = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'paint', arguments: {} } }

  /** The question of a call, and the rest of its stream. */
  async function questionOf(response: Response) {
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    const next = async () => {
      let text = ''
      for (;;) {
        const { value, done } = await reader.read()
        text += value ?? ''
        const data = /^data: (\{.*\})$/mu.exec(text)?.[1]
        if (data !== undefined) return JSON.parse(data) as { readonly id: string; readonly method?: string }
        if (done) return undefined
      }
    }
    return { question: (await next())!, next, leave: () => reader.cancel() }
  }

  const accepted = (id: unknown) => ({ jsonrpc: '2.0', id, result: { action: 'accept', content: { color: 'red' } } })

  it('is offered by option only', async () => {
    const { world } = await asking()
    expect(await begun(world)).toBe(null)
  })

  it.each(['svc-kit/session', '', 0, 'initialize'])('answers a request of the id %j', async (id) => {
    const { world } = await asking({}, { sessions: true })
    const response = await post(world, { jsonrpc: '2.0', id, method: 'ping' }, world.token, await begun(world))
    const { question: answer } = await questionOf(response)
    expect(answer).toEqual({ jsonrpc: '2.0', id, result: {} })
  })

  it('is known to every process of the service, which remember none', async () => {
    const { world } = await asking({}, { sessions: true })
    const session = await begun(world)
    const other = await serve(world.fixture.service, { port: 0, surfaces: [mcp({ sessions: true })] })
    onTestFinished(other.close)
    const call = await post({ ...world, url: other.url }, PAINT, world.token, session)
    const { question, next } = await questionOf(call)
    expect(question.method).toBe('elicitation/create')
    const elsewhere = await post(world, accepted(question.id), world.token, session)
    expect([elsewhere.status, await elsewhere.json()]).toMatchObject([
      400,
      { error: { message: 'Nobody waits for this answer here.' } },
    ])
    expect((await post({ ...world, url: other.url }, accepted(question.id), world.token, session)).status).toBe(202)
    expect(await next()).toMatchObject({ id: 2, result: { structuredContent: { answers: { action: 'accept' } } } })
  })

  it('is none of another caller, and none with a stroke changed', async () => {
    const { world, effects } = await asking({}, { sessions: true })
    const session = await begun(world)
    const { token: others } = await world.fixture.root({ subject: 'agent:other' })
    const forged = session.slice(0, -2) + (session.endsWith('AA') ? 'BB' : 'AA')
    for (const [token, id] of [
      [others, session],
      [world.token, forged],
      [world.token, 'x'.repeat(3000)],
    ] as const) {
      const response = await post(world, PAINT, token, id)
      expect([response.status, await response.json()]).toMatchObject([
        404,
        { error: { message: 'There is no such session: begin a new one.' } },
      ])
    }
    const { question, next } = await questionOf(await post(world, PAINT, world.token, session))
    const othersSession = (await post(world, AT_FIRST, others)).headers.get('mcp-session-id')!
    expect((await post(world, accepted(question.id), others, othersSession)).status).toBe(400)
    expect((await post(world, accepted('made-up'), world.token, session)).status).toBe(400)
    expect(effects).toEqual([])
    expect((await post(world, accepted(question.id), world.token, session)).status).toBe(202)
    await next()
    expect((await post(world, accepted(question.id), world.token, session)).status).toBe(400)
    expect(effects).toHaveLength(1)
  })

  it('holds no more questions than a caller has streams, and forgets those of a client that left', async () => {
    const { world } = await asking({}, { sessions: true })
    const session = await begun(world)
    const asked = []
    for (let at = 0; at < 16; at++) asked.push(await questionOf(await post(world, PAINT, world.token, session)))
    expect(asked.every(({ question }) => question.method === 'elicitation/create')).toBe(true)
    const { question: last } = await questionOf(await post(world, PAINT, world.token, session))
    expect(JSON.stringify(last)).toContain('Too many streams of this principal are open.')
    for (const { leave } of asked) await leave()
    await expect
      .poll(async () => {
        const { question, leave } = await questionOf(await post(world, PAINT, world.token, session))
        await leave()
        return question.method
      })
      .toBe('elicitation/create')
    expect((await post(world, accepted(asked[0]!.question.id), world.token, session)).status).toBe(400)
  })
})
