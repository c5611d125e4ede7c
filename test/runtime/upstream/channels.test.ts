/** The ways to an MCP server behind: what is sent, what is taken for an answer, and what ends the connection. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { MOST_BYTES, type McpChannel } from '../../../src/runtime/upstream/mcp/channel.js'
import { nodePermissions } from '../../../src/runtime/upstream/mcp/confined.js'
import { remedyFor, wallsOf } from '../../../src/runtime/upstream/mcp/confinement.js'
import { httpChannel } from '../../../src/runtime/upstream/mcp/http-channel.js'
import { lineReader } from '../../../src/runtime/upstream/mcp/line-reader.js'
import { lineChannel } from '../../../src/runtime/upstream/mcp/lines.js'
import { unmarked } from '../../../src/runtime/upstream/mcp/marked.js'
import { startedChannel } from '../../../src/runtime/upstream/mcp/process.js'
import type { PinnedProcess } from '../../../src/runtime/upstream/mcp/pinned.js'
import { listUpstreamTools } from '../../../src/runtime/upstream/mcp/session.js'
import { isAtOrBelow, pathOfChild, childViewOf } from '../../../src/runtime/upstream/mcp/view.js'

const never = new AbortController().signal

/** A child of which a test holds the other ends. */
function lines() {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const happened: string[] = []
  const channel = lineChannel(
    { input, output, close: () => void happened.push('closed'), release: () => void happened.push('released') },
    (method) => void happened.push(method),
  )
  const sent = (): readonly unknown[] =>
    String(input.read() ?? '').split('\n').filter(Boolean).map((line) => JSON.parse(line) as unknown) // prettier-ignore
  const say = (message: object | string) =>
    output.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`)
  return { channel, happened, input, output, sent, say }
}

describe('the errors of a child', () => {
  it('are read at a pace, so that writing them without end is no work for the service', async () => {
    const floods = `let parts = 0; const { writeSync } = require('node:fs')
      const end = performance.now() + 300
      while (performance.now() < end) try { writeSync(2, 'x'.repeat(65536)); parts += 1 } catch {}
      console.log(JSON.stringify({ id: 1, result: { parts } }))`
    const settings = { cwd: tmpdir(), env: process.env }
    let forget = (): void => undefined
    const ended = new Promise<void>((done) => (forget = done))
    const channel = startedChannel(
      [process.execPath, '-e', floods],
      settings,
      () => undefined,
      () => forget(),
    )
    const { parts } = await channel.ask('a', {}, never)
    expect(parts).toBeLessThan(100)
    await ended
    expect(channel.said?.()).toMatch(/^x{4000}$/u)
  })
})

describe('over the lines of a child', () => {
  it('requests are numbered, and each answer goes to who asked, whichever comes first', async () => {
    const { channel, sent, say } = lines()
    const asked = [channel.ask('a', { x: 1 }, never), channel.ask('b', {}, never)]
    expect(sent()).toEqual([
      { jsonrpc: '2.0', id: 1, method: 'a', params: { x: 1 } },
      { jsonrpc: '2.0', id: 2, method: 'b', params: {} },
    ])
    say({ id: 2, result: { of: 'b' } })
    say({ id: 9, result: { of: 'nobody' } })
    say({ id: 1, result: { of: 'a' } })
    expect(await Promise.all(asked)).toEqual([{ of: 'a' }, { of: 'b' }])
  })

  it.each([
    [{ error: { code: -32_000, message: 'secret' } }, 'The server answered with the error -32000.'],
    [{ error: { code: 'x' } }, 'The server answered with the error 0.'],
    [{ result: [] }, 'The server answered with the error 0.'],
    [{ result: null }, 'The server answered with the error 0.'],
  ])('%j is no result', async (answer, why) => {
    const { channel, say } = lines()
    const asked = channel.ask('a', {}, never)
    say({ id: 1, ...answer })
    await expect(asked).rejects.toThrow(why)
    expect(channel.isClosed()).toBe(false)
  })

  it('what is no message is skipped, a notice is heard, and a request of the server is refused', async () => {
    const { channel, happened, sent, say } = lines()
    for (const line of ['', 'not JSON', '7', 'null', '[{"id":1,"result":{}}]']) say(line)
    say({ method: 'notifications/tools/list_changed' })
    say({ id: 'p', method: 'ping' })
    say({ id: 'q', method: 'sampling/createMessage' })
    const asked = channel.ask('a', {}, never)
    for (const line of [
      { id: 1, level: 30, msg: 'a log' },
      { id: 1, error: 'a log' },
    ])
      say(line)
    say({ id: 1, result: { ä: 'ö' } })
    expect(await asked).toEqual({ ä: 'ö' })
    expect(happened).toEqual(['notifications/tools/list_changed'])
    const messages = sent()
    expect(messages).toContainEqual({ jsonrpc: '2.0', id: 'p', result: {} })
    expect(messages).toContainEqual({ jsonrpc: '2.0', id: 'q', error: { code: -32_601, message: 'Method not found' } })
  })

  it('progress of a request is heard by who asked for it', async () => {
    const { channel, happened, sent, say } = lines()
    let heard = 0
    const asked = channel.ask('a', { _meta: { x: 1 } }, never, () => (heard += 1))
    expect(sent()).toEqual([{ jsonrpc: '2.0', id: 1, method: 'a', params: { _meta: { x: 1, progressToken: 1 } } }])
    for (const progressToken of [1, 1, 7, undefined])
      say({ method: 'notifications/progress', params: { progressToken } })
    say({ method: 'notifications/progress' })
    say({ id: 1, result: {} })
    await asked
    expect([heard, happened]).toEqual([2, []])
  })

  it('a session begins in the newest revision with sessions, and then says so', async () => {
    const { channel, sent, say } = lines()
    const begun = channel.begin(never)
    expect(sent()).toMatchObject([
      { method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {} } },
    ])
    say({ id: 1, result: { protocolVersion: '2024-11-05' } })
    await begun
    void channel.ask('a', {}, never)
    expect(sent()).toEqual([
      { jsonrpc: '2.0', method: 'notifications/initialized', params: {} },
      { jsonrpc: '2.0', id: 2, method: 'a', params: {} },
    ])
  })

  it('a server without sessions is asked what it is, and each request names the revision', async () => {
    const { channel, sent, say } = lines()
    const begun = channel.begin(never)
    say({ id: 1, error: { code: -32_601 } })
    await vi.waitFor(() => expect(sent().at(-1)).toMatchObject({ method: 'server/discover' }))
    say({ id: 2, result: {} })
    await begun
    void channel.ask('a', { _meta: { traceparent: 't' } }, never)
    expect(sent()).toEqual([{ jsonrpc: '2.0', id: 3, method: 'a', params: { _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'svc-kit', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
      traceparent: 't',
    } } }]) // prettier-ignore
  })

  it.each([
    [{ tools: { listChanged: true } }, ['subscriptions/listen']],
    [{ tools: {} }, []],
    [{ tools: null }, []],
    ['x', []],
  ])('a server without sessions that can do %j is sent %j', async (capabilities, methods) => {
    const { channel, sent, say } = lines()
    const stopping = new AbortController()
    const begun = channel.begin(stopping.signal)
    say({ id: 1, error: { code: -32_601 } })
    await vi.waitFor(() => expect(sent().at(-1)).toMatchObject({ method: 'server/discover' }))
    say({ id: 2, result: { capabilities } })
    await begun
    stopping.abort()
    expect(sent().map((each) => (each as { readonly method: string }).method)).toEqual(methods)
  })

  it('a revision that nobody here speaks is no session', async () => {
    const { channel, say } = lines()
    const begun = channel.begin(never)
    say({ id: 1, result: { protocolVersion: '2031-01-01' } })
    await expect(begun).rejects.toThrow('The server speaks MCP "2031-01-01", which this service does not.')
  })

  it('a message may come in parts, of characters too', async () => {
    const { channel, output } = lines()
    const asked = channel.ask('a', {}, never)
    const bytes = Buffer.from('{"id":1,"result":{"name":"Zoë"}}\n')
    for (const byte of bytes) output.write(Buffer.from([byte]))
    expect(await asked).toEqual({ name: 'Zoë' })
  })

  it.each([
    [0, undefined],
    [1, `A message had more than ${MOST_BYTES} bytes.`],
  ])('a whole line of %i bytes too many ends with %s', async (more, why) => {
    const { channel, output } = lines()
    const asked = channel.ask('a', {}, never).then(() => undefined, (error: Error) => error.message) // prettier-ignore
    const [head, tail] = ['{"id":1,"result":{"x":"', '"}}']
    output.write(`${head}${'x'.repeat(MOST_BYTES - head.length - tail.length + more)}${tail}\n`)
    expect([await asked, channel.isClosed()]).toEqual([why, why !== undefined])
  })

  it('an answer that is awaited no longer is cancelled at the server, and comes to nobody', async () => {
    const { channel, sent, say } = lines()
    const stopping = new AbortController()
    const asked = channel.ask('a', {}, stopping.signal)
    stopping.abort()
    await expect(asked).rejects.toMatchObject({ message: 'The server did not answer in time.', sent: true })
    expect(sent().at(-1)).toEqual({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })
    say({ id: 1, result: {} })
    const late = channel.ask('b', {}, stopping.signal)
    await expect(late).rejects.toMatchObject({ message: 'There is no time left.', sent: false })
    expect(sent()).toEqual([])
  })

  it.each([
    ['ends', (ends: ReturnType<typeof lines>) => ends.output.destroy(), 'The server ended.'],
    ['breaks off', (ends: ReturnType<typeof lines>) => ends.output.destroy(new Error('x')), 'The server broke off.'],
    ['takes nothing', (ends: ReturnType<typeof lines>) => ends.input.destroy(new Error('x')), 'The server broke off.'],
    ['is closed', (ends: ReturnType<typeof lines>) => ends.channel.close(), 'The connection was closed.'],
  ])('a server that %s leaves its callers uncertain, and is of no more use', async (_, end, why) => {
    const all = lines()
    const asked = [all.channel.ask('a', {}, never), all.channel.ask('b', {}, never)]
    end(all)
    for (const each of asked) await expect(each).rejects.toMatchObject({ message: why, sent: true })
    expect([all.happened, all.channel.isClosed()]).toEqual([['closed'], true])
    const late = all.channel.ask('c', {}, never)
    await expect(late).rejects.toMatchObject({ message: 'The server has ended.', sent: false })
    all.channel.close()
    expect(all.happened).toEqual(['closed'])
  })
})

interface Seen {
  readonly headers: IncomingMessage['headers']
  readonly message: { readonly id?: number; readonly method: string }
}

/** A server over HTTP with which a session has begun, and which then answers as a test says. */
async function served(answer: (response: ServerResponse, seen: Seen) => void, credential?: string) {
  const seen: Seen[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (part: string) => (text += part))
    request.on('end', () => {
      if (request.method === 'DELETE') return void response.writeHead(200).end()
      const one = { headers: request.headers, message: JSON.parse(text) as Seen['message'] }
      seen.push(one)
      const { id, method } = one.message
      if (id === undefined) return void response.writeHead(202).end()
      if (method === 'server/discover') return json(response, { id, error: { code: -32_601, message: 'no' } })
      if (method === 'initialize') return json(response, { id, result: BEGUN }, { 'mcp-session-id': `s${id}` })
      answer(response, one)
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
  const channel = httpChannel({ url, credential: 'X' }, credential, () => undefined)
  await channel.begin(never)
  const began = seen.splice(0)
  return { began, seen, channel }
}

const BEGUN = { protocolVersion: '2025-03-26', capabilities: { tools: {} }, serverInfo: { name: 'n', version: '1' } }

const json = (response: ServerResponse, message: object, headers = {}): void =>
  void response
    .writeHead(200, { 'content-type': 'application/json', ...headers })
    .end(JSON.stringify({ jsonrpc: '2.0', ...message }))

const CALL = ['tools/call', { name: 'a' }] as const

describe('over HTTP', () => {
  it('session and version of the first answer go with all that follow, and the credential with each', async () => {
    const { began, seen, channel } = await served((response, { message: { id } }) => json(response, { id, result: { tools: [] } }), 'own') // prettier-ignore
    await channel.ask('tools/list', {}, never)
    const told = [...began, ...seen].map(({ headers, message }) => [message.method, headers['mcp-session-id'], headers['mcp-protocol-version'], headers.authorization]) // prettier-ignore
    expect(told).toEqual([
      ['server/discover', undefined, '2026-07-28', 'Bearer own'],
      ['initialize', undefined, undefined, 'Bearer own'],
      ['notifications/initialized', expect.stringMatching(/^s/u), '2025-03-26', 'Bearer own'],
      ['tools/list', expect.stringMatching(/^s/u), '2025-03-26', 'Bearer own'],
    ])
    expect(began[1]!.message).toMatchObject({ params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'svc-kit', version: '1' } } }) // prettier-ignore
    expect(seen[0]!.headers.accept).toBe('application/json, text/event-stream')
  })

  it.each([undefined, ''])('without a credential (%j) none is sent', async (credential) => {
    const { began } = await served(() => undefined, credential)
    expect(began.filter(({ headers }) => 'authorization' in headers)).toEqual([])
  })

  it('among events the answer is found, in several lines, after notices and requests with its id', async () => {
    const { channel } = await served((response, { message: { id } }) => {
      const events = [
        'data: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":99,"progress":1}}',
        `data: {"jsonrpc":"2.0","id":${id},"method":"ping"}`,
        'data: {"jsonrpc":"2.0","id":77,"result":{"of":"another"}}',
        `data: {"jsonrpc":"2.0","id":${id},\r\ndata:"result":\r\ndata:{"of":10765432100123456789}}`,
        '',
      ]
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' }).end(events.join('\r\n\r\n'))
    })
    expect(unmarked(await channel.ask(...CALL, never), String)).toEqual({ of: '10765432100123456789' })
  })

  it.each([
    ['nothing', ''],
    ['another request', 'data: {"jsonrpc":"2.0","id":77,"result":{}}\n\n'],
  ])('an answer to %s is none', async (_, events) => {
    const { channel } = await served((response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(events)) // prettier-ignore
    await expect(channel.ask(...CALL, never)).rejects.toMatchObject({
      message: 'The server gave no answer to the request.',
      sent: true,
    })
  })

  it.each([
    ['a text of HTML', 'text/html', '<html>'],
    ['broken JSON', 'application/json', '{"id":'],
    ['JSON of no message', 'application/json', '[1]'],
    ['9 MB', 'application/json', `"${'x'.repeat(9 * 1024 * 1024)}"`],
    ['an event of 9 MB', 'text/event-stream', `data:"${'x'.repeat(9 * 1024 * 1024)}"\n\n`],
    ['events without end', 'text/event-stream', `${`data:${'x'.repeat(1000)}\n`.repeat(9000)}\n`],
  ])('%s is no answer, and ends the session', async (_, type, body) => {
    const { channel } = await served((response) => response.writeHead(200, { 'content-type': type }).end(body))
    await expect(channel.ask(...CALL, never)).rejects.toMatchObject({ name: 'Unreachable', sent: true })
    expect(channel.isClosed()).toBe(true)
  })

  it('a result of any shape is given as it came, and a list without what is no tool', async () => {
    const odd = { content: [{ type: 'hologram', depth: 3 }], structuredContent: [1] }
    const { channel } = await served((response, { message: { id, method } }) =>
      json(response, { id, result: method === 'tools/call' ? odd : { tools: [7, null, { name: 'a' }] } }),
    )
    expect(await channel.ask('tools/list', {}, never)).toEqual({ tools: [{ name: 'a' }] })
    expect(await channel.ask(...CALL, never)).toEqual(odd)
  })

  it.each([
    [302, true],
    [303, true],
    [400, false],
    [401, false],
    [403, false],
    [404, false],
    [408, true],
    [499, false],
    [500, true],
    [503, true],
  ])('status %i ends the session; that it may have acted: %s', async (status, sent) => {
    const headers = { location: '/other', 'www-authenticate': 'Bearer error="insufficient_scope", scope="more"' }
    const { channel, seen } = await served((response) => response.writeHead(status, headers).end())
    await expect(channel.ask(...CALL, never)).rejects.toMatchObject({
      message: `The server answered ${status}.`,
      sent,
    })
    expect([channel.isClosed(), seen.length]).toEqual([true, 1])
  })

  it('a connection that breaks leaves the caller uncertain', async () => {
    const { channel } = await served((response) => response.destroy())
    await expect(channel.ask(...CALL, never)).rejects.toMatchObject({ message: 'The server did not answer.', sent: true }) // prettier-ignore
    channel.close()
    expect(channel.isClosed()).toBe(true)
  })

  it('a call that is awaited no longer is cancelled at the server', async () => {
    const stopping = new AbortController()
    const { channel, seen } = await served(() => stopping.abort())
    await expect(channel.ask(...CALL, stopping.signal)).rejects.toMatchObject({ message: 'The server did not answer in time.', sent: true }) // prettier-ignore
    await vi.waitFor(() => expect(seen.at(-1)!.message.method).toBe('notifications/cancelled'))
    await expect(channel.ask(...CALL, stopping.signal)).rejects.toMatchObject({ sent: false })
  })

  it.each(['http://mcp.example/mcp', 'http://127.0.0.1.evil.example/mcp', 'ftp://127.0.0.1/mcp'])(
    '%s is not reached',
    (url) => {
      expect(() => httpChannel({ url, credential: 'X' }, 'own', () => undefined)).toThrow(
        'must be https, or at a loopback address',
      )
    },
  )
})

describe('the tools of a server', () => {
  const of = (...pages: readonly object[]): McpChannel => {
    let page = 0
    return { ask: async (_: string, { cursor }: { cursor?: string }) => (expect(cursor).toBe(page === 0 ? undefined : `c${page}`), pages[page++] ?? {}) } as never // prettier-ignore
  }

  it('are read page by page, each as it is described, and what is no tool is left out', async () => {
    const first = {
      tools: [
        { name: 'a', title: 'A', description: 'Does a.', inputSchema: { x: 1 }, outputSchema: { y: 1 }, annotations: { title: 'no', readOnlyHint: true } },
        { name: '' }, { description: 'no name' }, 7, null, { name: 'x'.repeat(129) },
      ],
      nextCursor: 'c1',
    } // prettier-ignore
    const second = { tools: [{ name: 'x'.repeat(128), annotations: { title: 'B', readOnlyHint: 'yes' } }], nextCursor: 7 } // prettier-ignore
    expect(await listUpstreamTools(of(first, second), never)).toEqual([
      { name: 'a', title: 'A', description: 'Does a.', inputSchema: { x: 1 }, outputSchema: { y: 1 }, readOnly: true },
      { name: 'x'.repeat(128), title: 'B', description: '', inputSchema: {}, outputSchema: undefined, readOnly: false },
    ])
  })

  it('end where a cursor leads back to a page, each tool once', async () => {
    const page = { tools: [{ name: 'a' }, { name: 'b' }], nextCursor: 'c1' }
    const listed = await listUpstreamTools(of(page, page), never)
    expect(listed.map(({ name }) => name)).toEqual(['a', 'b'])
  })

  it.each([
    [1000, false],
    [1001, true],
  ])('may be %i: refused %s', async (count, refused) => {
    const tools = Array.from({ length: count }, (_, index) => ({ name: `t${index}` }))
    const listed = listUpstreamTools(of({ tools }), never).then(
      ({ length }) => length,
      (error: Error) => error.message,
    )
    expect(await listed).toBe(refused ? 'The server has more than 1000 tools.' : count)
  })
})

describe('what a child may open', () => {
  const folder = () => {
    const made = realpathSync(mkdtempSync(join(tmpdir(), 'svc-confined-')))
    onTestFinished(() => rmSync(made, { recursive: true, force: true, maxRetries: 20 }))
    return made
  }

  it('is the widest folder of packages around it that does not hold the service', () => {
    const root = folder()
    const home = join(root, 'node_modules/a/node_modules/b')
    mkdirSync(home, { recursive: true })
    const readable = (own: string) => childViewOf({ paths: [] }, { home, own }, root).readable
    expect(readable(root)).toEqual([join(root, 'node_modules')])
    expect(readable(join(root, 'node_modules/own'))).toEqual([join(root, 'node_modules/a/node_modules')])
  })

  it('are its paths, to read and to write, and each power that was given', () => {
    const root = folder()
    for (const name of ['own', 'docs', 'home']) mkdirSync(join(root, name))
    const place = { home: join(root, 'home'), own: join(root, 'own') }
    const view = childViewOf({ paths: [join(root, 'docs')] }, place, place.home)
    expect(view).toEqual({ readable: [place.home], writable: [join(root, 'docs')], own: place.home })
    expect(nodePermissions(view, { allow: ['child-process', 'worker', 'addons'] }).slice(-8)).toEqual([
      `--allow-fs-read=${place.home}/`,
      `--allow-fs-read=${join(root, 'docs')}/`,
      `--allow-fs-read=${place.home}/`,
      `--allow-fs-write=${join(root, 'docs')}/`,
      `--allow-fs-write=${place.home}/`,
      '--allow-child-process',
      '--allow-worker',
      '--allow-addons',
    ])
    const withComma = join(root, 'a,b')
    mkdirSync(withComma)
    const odd = childViewOf({ paths: [withComma] }, place, place.home)
    expect(() => nodePermissions(odd, { allow: [] })).toThrow('has a * or a comma')
  })

  it.each([
    ['own', true],
    ['.', true],
    ['./', true],
    ['./..', true],
    ['own/..', true],
    ['link-to-own', true],
    ['link-to-root', true],
    ['link-to-link', true],
    ['own/link-to-root', true],
    ['./link-to-root', true],
    ['own/data', false],
    ['./data', false],
    ['own-too', false],
    ['link-to-data', false],
    ['link-to-own-too', false],
  ])('is no path that holds the service, by whatever name: %s is refused: %s', (name, isRefused) => {
    const root = folder()
    for (const made of ['own/data', 'own-too', 'home']) mkdirSync(join(root, made), { recursive: true })
    const links = { own: 'own', root: '.', data: 'own/data', 'own-too': 'own-too', link: 'link-to-own' }
    for (const [to, target] of Object.entries(links)) symlinkSync(join(root, target), join(root, `link-to-${to}`))
    symlinkSync(root, join(root, 'own/link-to-root'))
    const path = name.startsWith('./') ? name : join(root, name)
    const open = () => childViewOf({ paths: [path] }, { home: join(root, 'home'), own: join(root, 'own') }, root).writable[0] // prettier-ignore
    if (isRefused) expect(open).toThrow('holds the service with its keys')
    else expect(open()).toBe(realpathSync(pathOfChild(path, join(root, 'own'))))
  })

  it.each([
    ['/a', '/a', true],
    ['/a/b', '/a', true],
    ['/ab', '/a', false],
    ['/a', '/', true],
    ['/', '/a', false],
  ])('%s is at or below %s: %s', (path, above, is) => {
    expect(isAtOrBelow(path, above)).toBe(is)
  })

  it('are paths of the service where they begin with a dot', () => {
    expect([pathOfChild('./docs', '/srv/own'), pathOfChild('/docs', '/srv/own'), pathOfChild('.docs', '/srv')]).toEqual(
      ['/srv/own/docs', '/docs', '.docs'],
    )
  })
})

describe('where nothing confines a child', () => {
  it.each([
    ['linux', false, 'Run: apt-get install bubblewrap'],
    ['linux', true, 'svc import mcp -- http://127.0.0.1:<port>/mcp'],
    ['darwin', false, 'svc import mcp --container <name>@sha256:<digest> -- <arguments>'],
    ['win32', false, 'svc import mcp --container <name>@sha256:<digest> -- <arguments>'],
  ])('%s (refuses namespaces: %s) is answered with the command: %s', (platform, refusesNamespaces, command) => {
    expect(remedyFor({ platform, refusesNamespaces })).toContain(command)
  })

  it('nothing is started: the command is the refusal', () => {
    const bare = { PATH: '/nowhere' }
    const folder = { own: '/nowhere/own', root: '/nowhere/root' }
    expect(() => wallsOf(CHILD, { readable: [], writable: [], own: '/nowhere/own' }, folder, bare)).toThrow(
      `Nothing here confines notes, so it is not started. ${remedyFor({ platform: process.platform, refusesNamespaces: false })}`,
    )
  })

  it('goes without walls only for a reason', () => {
    const without = (reason?: string) => () =>
      wallsOf({ ...CHILD, confinement: 'none', ...(reason !== undefined && { reason }) }, { readable: [], writable: [], own: '/nowhere/own' }, { own: '', root: '' }, {}) // prettier-ignore
    expect(without('It is ours.')()).toEqual([])
    for (const reason of [undefined, '', ' ']) expect(without(reason)).toThrow('without a reason')
  })
})

const CHILD: PinnedProcess = { package: 'notes', version: '1.0.0', integrity: 'x', files: 'x', file: 'x', args: [], env: [], paths: [], allow: [] } // prettier-ignore

describe('the lines of a child', () => {
  it('are read as they end, whatever the parts are', () => {
    const read = lineReader(8)
    const parts = ['a', 'b\nc', '\n\nde\n', '', 'Zoë'].map((part) => read(Buffer.from(part)))
    expect(parts.map(({ lines }) => lines)).toEqual([[], ['ab'], ['c', '', 'de'], [], []])
    expect(read(Buffer.from('12345\n'))).toEqual({ lines: [], isTooLong: true })
    expect(lineReader(8)(Buffer.from('12345678\n'))).toEqual({ lines: ['12345678'], isTooLong: false })
    expect(lineReader(8)(Buffer.from('123456789'))).toEqual({ lines: [], isTooLong: true })
  })

  it('cost what they are long: 4 MiB in parts of 64 bytes are copied a few times, not for each part', () => {
    const read = lineReader(MOST_BYTES)
    const part = Buffer.alloc(64, 120)
    const begun = process.cpuUsage()
    for (let sent = 0; sent < 4 * 1024 * 1024; sent += part.length) read(part)
    expect(read(Buffer.from('\n')).lines[0]).toHaveLength(4 * 1024 * 1024)
    expect(process.cpuUsage(begun).user / 1000).toBeLessThan(2_000)
  })

  it('that nobody asked for end the connection after 2,000, or 8 MiB, between two answers', async () => {
    const { channel, say } = lines()
    const notice = { method: 'notifications/message' }
    for (let sent = 0; sent < 2_000; sent++) say(notice)
    const asked = channel.ask('a', {}, never)
    say({ id: 1, result: {} })
    await asked
    for (let sent = 0; sent < 2_000; sent++) say(notice)
    expect(channel.isClosed()).toBe(false)
    say('what is no message')
    expect(channel.isClosed()).toBe(true)
  })
})
