/** N36: an API behind that answers with anything. The outcome told is the outcome; bounded; no credential leaves. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { createServer as createTcp, type AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, it } from 'vitest'
import type { HandlerContext } from '../../src/runtime/definition.js'
import { Refusal } from '../../src/runtime/errors/refusal.js'
import { HandlerFailed, testContext } from '../../src/runtime/testing/index.js'
import { httpUpstream, UpstreamUncertain, type UpstreamContext } from '../../src/runtime/upstream/index.js'

const open: (() => void)[] = []
afterEach(() => open.splice(0).forEach((close) => close()))

const addressOf = (server: { address(): unknown }): string =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}`

async function listening(server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  open.push(() => (server.closeAllConnections(), void server.close()))
  return addressOf(server)
}

interface Answer {
  readonly status?: number
  readonly headers?: { readonly [name: string]: string }
  readonly body?: string | Uint8Array
}

const answering = ({ status = 200, headers = {}, body = '' }: Answer) =>
  listening(
    createServer((_, response) => {
      response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(body)
    }),
  )

const OPERATION = { path: '/x', inputs: {}, output: { members: ['id'] }, answers: { 200: ['application/json'], 204: [] } } as const // prettier-ignore

/** What is told of a call: its result, its failure with the seconds to wait, or that nobody knows. */
async function told(url: string, method: 'GET' | 'POST'): Promise<unknown> {
  const credential = { in: 'header', name: 'Authorization', scheme: 'Bearer', value: 'secret' } as const
  const upstream = httpUpstream('desk', () => ({ url, credential }))
  try {
    const context = testContext<HandlerContext>().context as UpstreamContext
    return await upstream.call({ method, ...OPERATION }, {}, context)
  } catch (error) {
    if (error instanceof UpstreamUncertain) return 'unknown'
    if (error instanceof HandlerFailed) return error.type
    if (!(error instanceof Refusal)) throw error
    return [error.failure.type, error.retryAfter].filter((each) => each !== undefined).join(' ')
  }
}

const BOMB = gzipSync(Buffer.alloc(100 * 1024 * 1024, ' '))

it.each<[string, Answer, unknown, unknown]>([
  ['a page to sign in', { headers: { 'Content-Type': 'text/html' }, body: '<form>' }, 'upstream_answer_invalid', 'unknown'],
  ['another media type', { headers: { 'Content-Type': 'application/xml' }, body: '<id/>' }, 'upstream_answer_invalid', 'unknown'],
  ['another shape', { body: '["id"]' }, 'upstream_answer_invalid', {}],
  ['broken JSON', { body: '{"id":' }, 'upstream_answer_invalid', {}],
  ['nothing', {}, 'upstream_answer_invalid', 'unknown'],
  ['100 MB', { headers: { 'Content-Encoding': 'gzip' }, body: BOMB }, 'upstream_unavailable', 'unknown'],
  ['a number beyond 2^53', { body: '{"id":9007199254740993}' }, { id: '9007199254740993' }, { id: '9007199254740993' }],
  ['a member that changes objects', { body: '{"__proto__":{"id":1}}' }, { id: null }, { id: null }],
  ['another 2xx', { status: 207, body: '{"id":1}' }, { id: 1 }, { id: 1 }],
  ['a failure', { status: 500, body: '{"id":1}' }, 'upstream_unavailable', 'unknown'],
  ['a refusal', { status: 409, body: '{"id":1}' }, 'upstream_refused', 'upstream_refused'],
])('N36 %s is told as what it is', async (_, answer, read, change) => {
  const url = await answering(answer)
  expect([await told(url, 'GET'), await told(url, 'POST')]).toEqual([read, change])
}) // prettier-ignore

it.each([301, 302, 303, 307, 308])('N36 no credential goes where %i leads', async (status) => {
  let reached = 0
  const elsewhere = await listening(
    createServer((_, response) => {
      reached += 1
      response.end('{"id":1}')
    }),
  )
  const url = await answering({ status, headers: { Location: `${elsewhere}/x` } })
  expect([await told(url, 'GET'), await told(url, 'POST'), reached]).toEqual(['upstream_unavailable', 'unknown', 0])
})

it.each<[string, string]>([
  ['7', 'rate_limited 7'],
  ['0', 'rate_limited 1'],
  ['-7', 'rate_limited 30'],
  ['1e9', 'rate_limited 30'],
  ['99999999999999999999', 'rate_limited 86400'],
  ['soon', 'rate_limited 30'],
  ['Wed, 21 Oct 2015 07:28:00 GMT', 'rate_limited 1'],
  ['Wed, 21 Oct 2099 07:28:00 GMT', 'rate_limited 86400'],
  ['2099-10-21', 'rate_limited 30'],
])('N36 Retry-After %j is told as %s', async (retryAfter, expected) => {
  const url = await answering({ status: 429, headers: { 'Retry-After': retryAfter } })
  expect(await told(url, 'POST')).toBe(expected)
})

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n'

it.each([
  ['ends in the middle', `${HEAD}Content-Length: 100\r\n\r\n{"id":1}`],
  ['has a header with a bare line end', `${HEAD}X: a\nb\r\n\r\n{"id":1}`],
  ['has two lengths', `${HEAD}Content-Length: 8\r\nContent-Length: 9\r\n\r\n{"id":1}`],
  ['is no HTTP', 'hello\r\n\r\n'],
  ['is nothing at all', ''],
])('N36 a read has no answer that %s, and of a change nobody knows', async (_, text) => {
  const server = createTcp((socket) => socket.on('error', () => undefined).once('data', () => socket.end(text)))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  open.push(() => void server.close())
  const url = addressOf(server)
  expect([await told(url, 'GET'), await told(url, 'POST')]).toEqual(['upstream_unavailable', 'unknown'])
})
