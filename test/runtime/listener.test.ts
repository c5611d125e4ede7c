import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { answerOverHttp } from '../../src/runtime/http/answer.js'
import { listen, nodeServer } from '../../src/runtime/http/server.js'
import type { HttpRequest } from '../../src/runtime/http/exchange.js'
import { DEFAULT_LIMITS } from '../../src/runtime/limits.js'
import { collectGarbage } from '../collect.js'
import { capability } from './fixture/manifest.js'
import { startFixture, type Given } from './fixture/service.js'

async function started(given: Given = {}) {
  const fixture = await startFixture(given)
  const server = nodeServer(answerOverHttp(fixture.service), fixture.service.limits)
  const { port } = await listen(server, '127.0.0.1', 0)
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { ...fixture, port }
}

/** Sends parts of a text, each after the first once something came back; gives all that came until the connection ended. */
const talk = (port: number, text: string, leave?: (answer: string) => boolean): Promise<string> =>
  new Promise((resolve) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    socket.on('data', (part) => {
      answer += part.toString()
      if (leave?.(answer) === true) socket.destroy()
    })
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(answer))
  })

const post = (path: string, token: string, body: string, headers = '') =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${token}\r\n${headers}` +
  `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`

it('shows two Authorization headers as two', async () => {
  const { port, root } = await started()
  const { token } = await root()
  const answer = await talk(port, post('/svc/permissions', token, '', `Authorization: Bearer ${token}\r\n`))
  expect(answer).toMatch(/^HTTP\/1\.1 401 .*authentication_required/su)
})

it.each([
  ['Cookie: a=1\r\nCookie: b=2\r\n', 'cookie', 'a=1; b=2'],
  ['cookie: a=1,x\r\nCOOKIE: b=2\r\n', 'cookie', 'a=1,x; b=2'],
  ['X-Note: a=1\r\nX-Note: b=2\r\n', 'x-note', 'a=1, b=2'],
])('joins %j as %s: %s', async (headers, name, joined) => {
  const seen: (string | null)[] = []
  const answer = async (request: HttpRequest) => (
    seen.push(request.header(name)),
    { status: 200, headers: [], body: '' }
  )
  const server = nodeServer(answer, DEFAULT_LIMITS)
  const { port } = await listen(server, '127.0.0.1', 0)
  onTestFinished(() => void server.close())
  await talk(port, `GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`)
  expect(seen).toEqual([joined])
})

it('takes a request that names the whole address, and knows no other target', async () => {
  const { port } = await started()
  const ask = (target: string) => talk(port, `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
  expect(await ask('http://x/-/live')).toMatch(/^HTTP\/1\.1 200 .*\{"status":"live"\}$/su)
  expect(await ask('http://x/svc/checkpoints')).toMatch(/^HTTP\/1\.1 200 /u)
  expect(await ask('http://x/svc/checkpoints?limit=none')).toMatch(/^HTTP\/1\.1 400 /u)
  for (const target of ['*', '/-/../-/live', '/-%2flive', '//-/live', '/-/live/'])
    expect(await ask(target)).toMatch(/^HTTP\/1\.1 (?:400|404) /u)
})

it('reads a body that comes in chunks', async () => {
  const { port, root } = await started()
  const { token } = await root()
  const head = `POST /svc/invoke/search HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${token}\r\n`
  const body =
    'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n8\r\n{"parame\r\na\r\nters": {}}\r\n0\r\n\r\n'
  expect(await talk(port, head + body)).toMatch(/^HTTP\/1\.1 200 .*"success":true/su)
})

it('ends a call whose body never comes whole, and leaves nothing of it', async () => {
  const { port, root, logged, trail } = await started()
  const { token } = await root()
  const cut = post('/svc/invoke/search', token, '{"parameters":{}}').slice(0, -5)
  const socket = connect(port, '127.0.0.1', () => socket.write(cut, () => setTimeout(() => socket.destroy(), 50)))
  await expect.poll(() => logged.some((line) => line.includes('"operation":"invoke"'))).toBe(true)
  expect(logged.filter((line) => line.includes('A request failed'))).toEqual([])
  expect((await trail(token)).filter((entry) => entry['entry_type'] === 'invocation')).toEqual([])
})

it('survives a client that leaves before its answer, and records what was done', async () => {
  let answerNow = (): void => undefined
  const { port, root, trail } = await started({
    handlers: { search: () => new Promise((resolve) => (answerNow = () => resolve({}))) },
  })
  const { token } = await root()
  const socket = connect(port, '127.0.0.1', () => socket.write(post('/svc/invoke/search', token, '{"parameters":{}}')))
  await expect.poll(() => answerNow.length === 0 && answerNow.toString().includes('resolve')).toBe(true)
  await new Promise<void>((resolve) => socket.once('close', () => resolve()).destroy())
  answerNow()
  await expect.poll(async () => (await trail(token)).map((entry) => entry['success'])).toEqual([true, true])
})

it('ends a connection whose unread body does not end', async () => {
  const { port } = await started()
  const head = 'POST /svc/permissions HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{'
  expect(await talk(port, head)).toMatch(/^HTTP\/1\.1 401 /u)
})

it('tells a stream that its client has left', async () => {
  const summary: boolean[] = []
  const { port, root, service } = await started({
    capabilities: { search: capability({ response_modes: ['unary', 'streaming'] }) },
    handlers: {
      search: async (_: never, context: { progress(data: number): Promise<void> }) => {
        for (let count = 0; !summary.includes(true) && count < 200; count++) {
          await context.progress(count)
          await new Promise((resolve) => setTimeout(resolve, 5))
        }
        return {}
      },
    } as never,
  })
  const { token } = await root()
  const body = '{"parameters":{},"stream":true}'
  const answer = await talk(port, post('/svc/invoke/search', token, body), (text) => text.includes('event: progress'))
  summary.push(true)
  expect(answer).toContain('content-type: text/event-stream')
  await expect.poll(() => service.places.size).toBe(0)
})

const many = Array.from({ length: 120 }, (_, index) => `X-${index}: 1\r\n`).join('')

it.each([
  ['what is no HTTP', 'garbage\r\n\r\n', 400, 'invalid_parameters'],
  ['no host', 'GET /-/live HTTP/1.1\r\n\r\n', 400, 'invalid_parameters'],
  ['two hosts', 'GET /-/live HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n', 400, 'invalid_parameters'],
  ['too many headers', `GET /-/live HTTP/1.1\r\nHost: x\r\n${many}\r\n`, 431, 'invalid_parameters'],
  ['large headers', `GET /-/live HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`, 431, 'invalid_parameters'],
  ['a head that never ends', 'GET /-/live HTTP/1.1\r\nHost: x\r\nX: ', 408, 'service_unavailable'],
])('answers %s with a typed failure', async (_, text, status, type) => {
  const { port } = await started({ limits: { requestTimeoutMs: 500 } })
  const [head = '', body = ''] = (await talk(port, text)).split('\r\n\r\n')
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} .*content-length: ${body.length}`, 'isu'))
  expect(JSON.parse(body)).toMatchObject({ success: false, failure: { type } })
})

it('takes the cookies of a sign-in at a load balancer of AWS', async () => {
  const { port } = await started()
  const cookies = [0, 1, 2, 3].map((part) => `AWSELBAuthSessionCookie-${part}=${'x'.repeat(4_000)}`).join('; ')
  const answer = await talk(port, `GET /-/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\nCookie: ${cookies}\r\n\r\n`)
  expect(answer).toMatch(/^HTTP\/1\.1 200 /u)
})

const LIVE = 'GET /-/live HTTP/1.1\r\nHost: x\r\n\r\n'
const GARBAGE = 'garbage\r\n\r\n'

it('tears no answer in two that is on its way', async () => {
  const { port } = await started()
  const answer = await talk(port, `${LIVE}${GARBAGE}`)
  expect(answer).toMatch(/^HTTP\/1\.1 (?:200 .*\{"status":"live"\}|400 .*invalid_parameters)/su)
})

it('answers what is no HTTP after an answer that was whole', async () => {
  const { port } = await started()
  let told = ''
  const socket = connect(port, '127.0.0.1', () => socket.write(LIVE))
  socket.on('data', (part) => {
    if (told === '') setTimeout(() => socket.write(GARBAGE), 20)
    told += part.toString()
  })
  await new Promise((resolve) => socket.once('close', resolve))
  expect(told.match(/HTTP\/1\.1 \d+/gu)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400'])
})

it.each([
  ['alone', GARBAGE],
  ['behind a request that waits', `${LIVE}${GARBAGE}`],
])('ends a stream for what is no HTTP, %s, and writes no answer into it', async (_, next) => {
  const { port, root } = await started({
    capabilities: { search: capability({ response_modes: ['unary', 'streaming'] }) },
    handlers: {
      search: async (_: never, context: { progress(data: number): Promise<void> }) => {
        await context.progress(1)
        return new Promise((resolve) => setTimeout(resolve, 300, {}))
      },
    } as never,
  })
  const { token } = await root()
  let told = ''
  const ask = post('/svc/invoke/search', token, '{"parameters":{},"stream":true}').replace('Connection: close\r\n', '')
  const socket = connect(port, '127.0.0.1', () => socket.write(ask))
  socket.on('data', (part) => {
    if (!told.includes('event: progress') && part.includes('event: progress')) socket.write(next)
    told += part.toString()
  })
  socket.on('error', () => undefined)
  await new Promise((resolve) => socket.once('close', resolve))
  expect(told.match(/HTTP\/1\.1 \d+|event: \w+/gu)).toEqual(['HTTP/1.1 200', 'event: progress'])
})

it('keeps no body of a connection that stays open', async () => {
  const { port, root } = await started()
  const { token } = await root()
  const ask = post('/svc/invoke/search', token, `{"parameters":{},"x":"${'x'.repeat(500_000)}"}`)
  const sockets = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const socket = connect(port, '127.0.0.1', () => socket.write(ask.replace('Connection: close\r\n', '')))
      await new Promise((resolve) => socket.once('data', resolve))
      return socket
    }),
  )
  await expect.poll(() => (collectGarbage(), process.memoryUsage().arrayBuffers)).toBeLessThan(5_000_000)
  expect(sockets.filter((socket) => socket.closed)).toEqual([])
  for (const socket of sockets) socket.destroy()
})

it.each([
  ['as it is unless told otherwise', {}, { headersTimeout: 10_000, requestTimeout: 30_000, maxConnections: 10_000, keepAliveTimeout: 65_000 }],
  ['as its limits say', { requestTimeoutMs: 7_000, connections: 3, keepAliveMs: 400_000 }, { headersTimeout: 7_000, requestTimeout: 7_000, maxConnections: 3, keepAliveTimeout: 400_000 }],
])('a server bounds times and numbers, %s', async (_, limits, bounds) => {
  const { service } = await startFixture({ limits })
  const server = nodeServer(answerOverHttp(service), service.limits)
  expect(server).toMatchObject({ ...bounds, maxHeadersCount: 0, maxRequestsPerSocket: 10_000 })
}) // prettier-ignore

it('who is still sending a body that is too large has time to read the answer', async () => {
  const { port, root } = await started()
  const { token } = await root()
  const socket = connect(port, '127.0.0.1')
  let isEnded = false
  socket.on('end', () => (isEnded = true)).on('error', () => undefined)
  const closed = new Promise((done) => socket.on('close', done))
  const head = `POST /svc/permissions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`
  socket.write(`${head}Content-Length: 2000000\r\n\r\n"`)
  const answer = await new Promise<string>((done) => socket.once('data', (part) => done(part.toString())))
  expect(answer).toMatch(/^HTTP\/1\.1 413 /u)
  await sleep(50)
  expect(isEnded).toBe(false)
  socket.write('x'.repeat(1_999_999))
  await closed
  expect(isEnded).toBe(true)
})
