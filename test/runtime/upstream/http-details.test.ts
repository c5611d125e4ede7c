/** What a call upstream sends, and what becomes of each answer: one row each. */
import { Refusal } from '../../../src/runtime/errors/refusal.js'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { HandlerContext } from '../../../src/runtime/definition.js'
import { HandlerFailed, testContext } from '../../../src/runtime/testing/index.js'
import { mayBeHeader } from '../../../src/runtime/upstream/http-request.js'
import { httpUpstream, UpstreamUncertain, type HttpOperation, type HttpOutput, type HttpSettings, type UpstreamContext } from '../../../src/runtime/upstream/index.js' // prettier-ignore

let seen: { readonly url: string; readonly headers: IncomingMessage['headers']; readonly body: string }[]
let answer: (response: ServerResponse) => void
const server = createServer((request, response) => {
  let body = ''
  request.setEncoding('utf8').on('data', (part: string) => (body += part))
  request.on('end', () => {
    seen.push({ url: request.url!, headers: request.headers, body })
    answer(response)
  })
})
let url: string
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close())
beforeEach(() => {
  seen = []
  answer = text('{}')
})
afterEach(() => vi.restoreAllMocks())

const text =
  (body: string, type = 'application/json', status = 200) =>
  (response: ServerResponse): void =>
    void response.writeHead(status, { 'Content-Type': type }).end(body)

const contextOf = (more: object = {}) => testContext<HandlerContext>(more).context as UpstreamContext
const operationOf = (more: Partial<HttpOperation> = {}): HttpOperation => ({ method: 'POST', path: '/x', inputs: {}, body: { type: 'application/json', as: 'json' }, output: { as: 'status' }, ...more }) // prettier-ignore
const call = (
  operation: HttpOperation,
  input: object = {},
  settings: Partial<HttpSettings> = {},
  context = contextOf(),
) =>
  // prettier-ignore
  httpUpstream('desk', () => ({ url, ...settings })).call(operation, input, context)
/** How a call ended: as which failure, or that nobody knows. */
const ended = (operation: HttpOperation, input: object = {}, context = contextOf()): Promise<string> =>
  call(operation, input, {}, context).then(
    () => 'well',
    (error: unknown) =>
      error instanceof HandlerFailed
        ? error.type
        : error instanceof Refusal
          ? error.failure.type
          : (error as Error).name,
  )

it.each([
  'authorization', 'connection', 'content-length', 'content-type', 'cookie', 'expect', 'forwarded', 'host', 'idempotency-key', 'keep-alive',
  'origin', 'proxy-authorization', 'proxy-connection', 'referer', 'te', 'traceparent', 'tracestate', 'trailer', 'transfer-encoding', 'upgrade', 'via',
  'Cookie', 'X-Forwarded-For', 'x-forwarded-host', 'Sec-Fetch-Site', 'sec-x', 'a b', 'a:b', '', 'x'.repeat(129),
])('no input is the header %j', (name) => {
  expect(mayBeHeader(name)).toBe(false)
}) // prettier-ignore

it.each(['x-trace', 'X-Forwarded', 'security', 'accept-language', 'x'.repeat(128)])(
  'an input may be the header %j',
  (name) => {
    // prettier-ignore
    expect(mayBeHeader(name)).toBe(true)
  },
)

it.each<[number, string, string]>([
  [200, 'well', 'well'],
  [204, 'well', 'well'],
  [302, 'upstream_unavailable', 'UpstreamUncertain'],
  [303, 'upstream_unavailable', 'UpstreamUncertain'],
  [304, 'upstream_unavailable', 'UpstreamUncertain'],
  [399, 'upstream_unavailable', 'UpstreamUncertain'],
  [400, 'upstream_refused', 'upstream_refused'],
  [401, 'upstream_unavailable', 'upstream_unavailable'],
  [403, 'upstream_unavailable', 'upstream_unavailable'],
  [404, 'upstream_refused', 'upstream_refused'],
  [408, 'upstream_unavailable', 'UpstreamUncertain'],
  [409, 'upstream_refused', 'upstream_refused'],
  [429, 'rate_limited', 'rate_limited'],
  [499, 'upstream_refused', 'upstream_refused'],
  [500, 'upstream_unavailable', 'UpstreamUncertain'],
  [503, 'upstream_unavailable', 'UpstreamUncertain'],
])('the status %i ends a read as %s, and a change as %s', async (status, read, change) => {
  answer = (response) => void response.writeHead(status).end()
  expect([await ended(operationOf({ method: 'GET' })), await ended(operationOf())]).toEqual([read, change])
})

it.each([
  ['GET', 'read', 'upstream_unavailable'],
  ['GET', 'write', 'UpstreamUncertain'],
  ['POST', 'read', 'upstream_unavailable'],
  ['POST', 'irreversible', 'UpstreamUncertain'],
] as const)('an answer is missing to %s of a capability declared as %s: %s', async (method, sideEffect, expected) => {
  for (const status of [303, 500]) {
    answer = (response) => void response.writeHead(status).end()
    expect(await ended(operationOf({ method }), {}, contextOf({ sideEffect }))).toBe(expected)
  }
})

it.each<[string, string]>([
  ['ECONNREFUSED', 'upstream_unavailable'],
  ['ENOTFOUND', 'upstream_unavailable'],
  ['EAI_AGAIN', 'upstream_unavailable'],
  ['EHOSTUNREACH', 'upstream_unavailable'],
  ['ENETUNREACH', 'upstream_unavailable'],
  ['UND_ERR_CONNECT_TIMEOUT', 'upstream_unavailable'],
  ['ECONNRESET', 'UpstreamUncertain'],
  ['EPIPE', 'UpstreamUncertain'],
  ['ETIMEDOUT', 'UpstreamUncertain'],
  ['UND_ERR_SOCKET', 'UpstreamUncertain'],
  ['UND_ERR_HEADERS_TIMEOUT', 'UpstreamUncertain'],
])('a change whose request fails with %s ends as %s', async (code, expected) => {
  const cause = Object.assign(new Error('no answer'), { code })
  vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('fetch failed', { cause }))
  expect(await ended(operationOf())).toBe(expected)
})

it.each<[object, unknown, string]>([
  [{}, ['a', 'b,c'], '/x/a,b%2Cc/y'],
  [{ explode: true }, { R: 1, G: 'a b' }, '/x/R=1,G=a%20b/y'],
  [{ style: 'label' }, ['a', 'b'], '/x/.a,b/y'],
  [{ style: 'label', explode: true }, { R: 1 }, '/x/.R=1/y'],
  [{ style: 'matrix' }, 5, '/x/;n=5/y'],
  [{ style: 'matrix' }, ['a', 'b'], '/x/;n=a,b/y'],
  [{ style: 'matrix', explode: true }, ['a', 'b'], '/x/;n=a;n=b/y'],
  [{ style: 'matrix', explode: true }, { R: 1, G: ';' }, 'unsafe_parameter'],
  [{ style: 'pipeDelimited' }, ['a', 'b'], '/x/a%7Cb/y'],
])('a path with a parameter as %j, of %j, is %s', async (how, value, expected) => {
  const inputs = { n: { in: 'path', name: 'n', ...how } } as const
  const outcome = await ended(operationOf({ path: '/x/{n}/y', inputs }), { n: value })
  expect(outcome === 'well' ? seen[0]!.url : outcome).toBe(expected)
})

describe('the answer', () => {
  it.each<[string, string, HttpOutput, object]>([
    ['application/json', '{"a":1}', { as: 'value' }, { value: { a: 1 } }],
    ['application/problem+json; charset=utf-8', '[1,2]', { as: 'items' }, { items: [1, 2] }],
    ['APPLICATION/JSON', '7', { as: 'value' }, { value: 7 }],
    ['text/plain', '{"a":1}', { as: 'value' }, { value: { a: 1 } }],
    ['application/json', '{"a":1,"the-b":2,"c":3}', { members: ['a', 'b', 'd'], renamed: { b: 'the-b' } }, { a: 1, b: 2, d: null }],
    ['application/json', '{"b":1,"the-b":2}', { members: ['b'], renamed: { b: 'the-b' } }, { b: 2 }],
    ['application/json', '[1]', { members: ['length'] }, {}],
    ['application/json', '{}', { members: ['toString'] }, { toString: null }],
  ])('of the type %s, %j, as %j is %j', async (type, body, output, expected) => {
    answer = text(body, type)
    expect(await call(operationOf({ output }))).toEqual(expected)
  }) // prettier-ignore

  it('may have 8 MiB and no more, and may take 20 seconds, unless the settings say otherwise', async () => {
    const most = 8 * 1024 * 1024
    const timeout = vi.spyOn(AbortSignal, 'timeout')
    answer = text('x'.repeat(most), 'text/plain')
    const plain = { 200: ['text/plain'] }
    expect(await call(operationOf({ output: { as: 'value' }, answers: plain }))).toEqual({ value: 'x'.repeat(most) })
    expect(timeout.mock.calls).toContainEqual([20_000])
    answer = text('x'.repeat(most + 1), 'text/plain')
    await expect(call(operationOf({ output: { as: 'value' } }))).rejects.toThrow(UpstreamUncertain)
  })
})

describe('the request', () => {
  const inputs = {
    id: { in: 'path', name: 'id' },
    other: { in: 'path', name: 'other' },
    page: { in: 'query', name: 'page' },
    note: { in: 'header', name: 'X-Note' },
    item: { in: 'body', name: 'the-item' },
  } as const

  it('has null in its body alone, and nothing of what was not given', async () => {
    const { id: _, other: __, ...rest } = inputs
    await call(operationOf({ inputs: rest }), { page: null, note: null, item: null })
    expect([seen[0]!.url, seen[0]!.headers['x-note'], seen[0]!.body]).toEqual(['/x', undefined, '{"the-item":null}'])
    await call(operationOf({ inputs: rest }), { more: 1 })
    expect([seen[1]!.url, seen[1]!.headers['content-type'], seen[1]!.body]).toEqual(['/x', undefined, ''])
  })

  it('is the whole body where an input is', async () => {
    await call(operationOf({ inputs: { all: { in: 'whole-body', name: 'all' } } }), { all: [1, { a: 2 }] })
    expect(seen[0]!.body).toBe('[1,{"a":2}]')
  })

  it('names the first input that leads elsewhere', async () => {
    const operation = operationOf({ path: '/{id}/{other}', inputs })
    await expect(call(operation, { id: '..', other: '..' })).rejects.toThrow('`id` is part of a path')
    await expect(call(operation, { id: 'a', other: '%0d' })).rejects.toThrow('`other` is part of a path')
  })

  it.each<[string, string]>([
    ['plain ~', 'well'],
    ['a\tb', 'well'],
    ['ä', 'unsafe_parameter'],
    ['\u007f', 'unsafe_parameter'],
    ['a\u0001b', 'unsafe_parameter'],
    ['a\nb', 'unsafe_parameter'],
  ])('with %j in a header ends %s', async (note, expected) => {
    expect(await ended(operationOf({ inputs: { note: inputs.note } }), { note })).toBe(expected)
  })

  it('goes on in the trace of its caller', async () => {
    const trace = { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`, tracestate: 'vendor=1' }
    await call(operationOf(), {}, {}, contextOf({ trace }))
    expect(seen[0]!.headers).toMatchObject(trace)
    await call(operationOf(), {}, {}, contextOf({ trace: { traceparent: trace.traceparent } }))
    expect([seen[1]!.headers['traceparent'], seen[1]!.headers['tracestate']]).toEqual([trace.traceparent, undefined])
  })

  it.each<[string, HttpSettings['credential'], string | undefined]>([
    ['none', undefined, undefined],
    ['one without a value', { in: 'header', name: 'Authorization', scheme: 'Bearer', value: undefined }, undefined],
    ['one that is empty', { in: 'header', name: 'Authorization', scheme: 'Bearer', value: '' }, undefined],
    ['one without a scheme', { in: 'header', name: 'Authorization', value: 'me:pw' }, 'me:pw'],
    ['one by which it is encoded', { in: 'header', name: 'Authorization', scheme: 'Basic', value: 'me:pw' }, 'Basic bWU6cHc='],
  ])('with the credential %s', async (_, credential, sent) => {
    await call(operationOf(), {}, credential && { credential })
    expect([seen[0]!.url, seen[0]!.headers['authorization']]).toEqual(['/x', sent])
  }) // prettier-ignore

  it('has no credential in a header that frames it', async () => {
    const credential = { in: 'header', name: 'Cookie', value: 'own' } as const
    await expect(call(operationOf(), {}, { credential })).rejects.toThrow('A credential cannot be the header Cookie.')
  })

  it.each(['https://desk.example#x', 'https://desk.example/?x', 'https://me@desk.example'])(
    'is not made to %s',
    async (address) => {
      // prettier-ignore
      const fetched = vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response('{}'))
      const outcome = await call(operationOf(), {}, { url: address }).catch((error: Error) => error.message)
      expect([outcome, fetched.mock.calls.length]).toEqual([expect.stringContaining('must be https'), 0])
    },
  )
})
