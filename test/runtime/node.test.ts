import { createServer, connect } from 'node:net'
import { afterEach, expect, it, vi } from 'vitest'
import { failure } from '../../src/protocol/failures.js'
import { Refusal } from '../../src/runtime/errors/refusal.js'
import { StartUpError } from '../../src/runtime/errors/start-up-error.js'
import { KeyTrouble } from '../../src/runtime/keys/key-directory.js'
import { serve, start as startProcess, type Running } from '../../src/runtime/node.js'
import { SchemaMismatch } from '../../src/runtime/storage/sql/migrate.js'
import { StorageUnavailable } from '../../src/runtime/storage/contract.js'
import { capability } from './fixture/manifest.js'
import { API_KEYS, startFixture, type Given } from './fixture/service.js'

let running: Running | undefined
afterEach(() => running?.close())

async function start(given: Given = {}) {
  const fixture = await startFixture(given)
  running = await serve(fixture.service, { port: 0 })
  return { ...fixture, url: running.url, close: running.close }
}

/** What a raw socket gets back. */
const raw = (url: string, text: string): Promise<string> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname, () => socket.write(text))
    let answer = ''
    socket.on('data', (part) => (answer += part.toString()))
    socket.on('close', () => resolve(answer))
    socket.setTimeout(2000, () => socket.destroy())
  })

it('serves over a socket', async () => {
  const { url, root } = await start()
  const { token } = await root()
  const response = await fetch(`${url}/svc/invoke/search`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{"parameters":{}}',
  })
  expect([response.status, response.headers.get('cache-control'), await response.json()]).toMatchObject([
    200,
    'no-store',
    { success: true },
  ])
})

it.each([
  [{}, 200],
  [{ publicUrl: 'http://127.0.0.1:4100' }, 200],
  [{ publicUrl: 'https://svc.example' }, 401],
  [{ host: '0.0.0.0' }, 401],
])(
  'knows an API key for development only where nobody but this machine reaches it: %j is %s',
  async (options, status) => {
    const keys = API_KEYS.map((key) => (key.id === 'eve' ? { ...key, development: true } : key))
    const { service, logged } = await startFixture({ apiKeys: keys, development: true })
    running = await serve(service, { port: 0, ...options })
    const response = await fetch(`${running.url.replace('0.0.0.0', '127.0.0.1')}/svc/tokens`, {
      method: 'POST',
      headers: { authorization: 'Bearer eve-key', 'content-type': 'application/json' },
      body: '{"scope":["travel.search"]}',
    })
    expect(response.status).toBe(status)
    expect(logged.join().includes('svc apikeys revoke eve')).toBe(status === 401)
  },
)

it.each([
  ['HTTP/1.1', 'Host: localhost:4100', 200],
  ['HTTP/1.1', 'Host: svc.example', 401],
  ['HTTP/1.0', 'Host: 127.0.0.1:4100', 401],
  ['HTTP/1.1', 'Host: 127.0.0.1:4100\r\nX-Forwarded-For: 203.0.113.9', 401],
  ['HTTP/1.1', 'Host: 127.0.0.1:4100\r\nX-Forwarded-For: 127.0.0.1', 401],
  ['HTTP/1.1', 'Host: 127.0.0.1:4100\r\nforwarded: for=203.0.113.9', 401],
  ['HTTP/1.1', 'Host: 127.0.0.1:4100\r\nVia: 1.1 proxy', 401],
  ['HTTP/1.1', 'Host: 127.0.0.1:4100\r\nX-Real-IP: 203.0.113.9', 401],
  ['HTTP/1.1', 'Host: 127.0.0.1:4100\r\nCF-Connecting-IP: 203.0.113.9', 401],
])('knows an API key for development behind no proxy: %s with %j is %s', async (version, headers, status) => {
  const keys = API_KEYS.map((key) => (key.id === 'eve' ? { ...key, development: true } : key))
  const { service } = await startFixture({ apiKeys: keys, development: true })
  running = await serve(service, { port: 0 })
  const body = '{"scope":["travel.search"]}'
  const more = `Authorization: Bearer eve-key\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`
  const answer = await raw(running.url, `POST /svc/tokens ${version}\r\n${headers}\r\n${more}\r\nConnection: close\r\n\r\n${body}`)
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `, 'u'))
}) // prettier-ignore

it('knows no API key for development unless somebody serves', async () => {
  const keys = API_KEYS.map((key) => (key.id === 'eve' ? { ...key, development: true } : key))
  const { post } = await startFixture({ apiKeys: keys, development: true })
  expect((await post('/svc/tokens', 'eve-key', { scope: ['travel.search'] })).status).toBe(401)
})

it.each([
  [true, 200, 0],
  [false, 401, 1],
  [undefined, 401, 1],
])('knows an API key for development only where it is told so: %s is %s', async (development, status, lines) => {
  const keys = API_KEYS.map((key) => (key.id === 'eve' ? { ...key, development: true } : key))
  const { service, logged } = await startFixture({ apiKeys: keys, development })
  running = await serve(service, { port: 0 })
  const ask = async () => {
    const headers = { authorization: 'Bearer eve-key', 'content-type': 'application/json' }
    const sent = { method: 'POST', headers, body: '{"scope":["travel.search"]}' }
    const response = await fetch(`${running!.url}/svc/tokens`, sent)
    await response.text()
    return response.status
  }
  expect([await ask(), await ask()]).toEqual([status, status])
  const told = logged.filter((line) => line.includes('outside of svc dev'))
  expect([told.length, told.join().includes('eve-key')]).toEqual([lines, false])
})

it.each(['', 'http', '4100x', '-1', '70000'])('takes %j for no port', async (port) => {
  const { service } = await startFixture({})
  await expect(serve(service, { port })).rejects.toThrow('The port must be a whole number from 0 to 65535')
})

it('says which port is in use and what to do', async () => {
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  const { port } = taken.address() as { port: number }
  const { service } = await startFixture()
  await expect(serve(service, { port })).rejects.toThrow(
    `Port ${port} on 127.0.0.1 is in use. Stop the process that uses it, or choose another port.`,
  )
  taken.close()
})

it.each([
  ['two lengths', 'POST /svc/tokens HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}'],
  [
    'a length and chunks',
    'POST /svc/tokens HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
  ['a NUL', 'GET /svc/\0manifest HTTP/1.1\r\nHost: x\r\n\r\n'],
])('refuses a request with %s', async (_, text) => {
  const { url } = await start()
  expect(await raw(url, text)).toMatch(/^HTTP\/1\.1 400 /u)
})

it('refuses a header block that is too large', async () => {
  const { url } = await start()
  expect(await raw(url, `GET /-/live HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(40_000)}\r\n\r\n`)).toMatch(
    /^HTTP\/1\.1 431 /u,
  )
})

it('does not let two Authorization headers in', async () => {
  const { url, root } = await start()
  const { token } = await root()
  const header = `Authorization: Bearer ${token}\r\n`
  const answer = await raw(
    url,
    `POST /svc/permissions HTTP/1.1\r\nHost: x\r\n${header}${header}Content-Length: 0\r\nConnection: close\r\n\r\n`,
  )
  expect(answer).toMatch(/^HTTP\/1\.1 401 /u)
})

it('never shows the Host that a client sends', async () => {
  const { url } = await start()
  const answer = await raw(
    url,
    'GET /.well-known/svc HTTP/1.1\r\nHost: evil.example\r\nX-Forwarded-Host: evil.example\r\nConnection: close\r\n\r\n',
  )
  expect(answer).toMatch(/^HTTP\/1\.1 200 /u)
  expect(answer).not.toContain('evil')
})

it('ends requests in flight before it closes', async () => {
  let begun: () => void = () => undefined
  const started = new Promise<void>((resolve) => (begun = resolve))
  const slow = async () => {
    begun()
    await new Promise((resolve) => setTimeout(resolve, 100))
    return {}
  }
  const { url, root, close, service } = await start({
    capabilities: { search: capability() },
    handlers: { search: slow },
  })
  const { token } = await root()
  const answer = fetch(`${url}/svc/invoke/search`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{"parameters":{}}',
  })
  await started
  await close()
  expect((await answer).status).toBe(200)
  expect(service.lifecycle.draining).toBe(true)
  await expect(fetch(`${url}/-/live`)).rejects.toThrow()
})

it.each([
  [
    'fails',
    () => Promise.reject(new StorageUnavailable('The store is away.')),
    'StorageUnavailable: The store is away.',
  ],
  ['does not answer', () => new Promise<never>(() => undefined), 'The time is over.'],
])('ends while the store %s, and says so', async (_, release, error) => {
  const { service, logged } = await startFixture({ limits: { shutdownMs: 0 } })
  Object.assign(service.storage.leases, { release })
  const { close } = await serve(service, { port: 0 })
  await close()
  const message = 'The service ends before the store has taken all: what is missing is recovered by the next process.'
  expect(logged.at(-1)).toBe(`${message} ${JSON.stringify({ error })}`)
})

it('answers who waits for a decision before it closes', async () => {
  const policy = {
    allowed_grant_types: ['one_time'],
    default_grant_type: 'one_time',
    expires_in_seconds: 60,
    max_uses: 1,
  } as const
  const book = capability({ approval: { required: 'always', grant_policy: policy } })
  const { url, root, close, invoke, service } = await start({ capabilities: { book } })
  const { token } = await root()
  const asked = (await invoke('book', token)).body['failure']?.['approval_request_id']
  const get = service.storage.approvals.get
  const looked = new Promise<void>((resolve) => {
    service.storage.approvals.get = (id) => (resolve(), get(id))
  })
  const reading = fetch(`${url}/svc/approval_requests/${String(asked)}?wait=25`, {
    headers: { authorization: `Bearer ${token}` },
  })
  await looked
  await Promise.all([reading, close()])
  expect(await (await reading).json()).toMatchObject({ status: 'pending' })
})

it('refuses more headers than it reads, and two hosts', async () => {
  const { url } = await start()
  const withHeaders = (count: number) => {
    const others = Array.from({ length: count - 2 }, (_, index) => `x-${index}: 1\r\n`).join('')
    return raw(url, `GET /-/live HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${others}\r\n`)
  }
  expect(await withHeaders(100)).toMatch(/^HTTP\/1\.1 200 /u)
  expect(await withHeaders(101)).toMatch(/^HTTP\/1\.1 431 /u)
  expect(await raw(url, 'GET /-/live HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /u)
})

it.each([
  ['a start-up error', new StartUpError('The port is in use.'), 'The port is in use.\n', 2],
  ['keys that cannot be used', new KeyTrouble('Others may read them.'), 'Others may read them.\n', 2],
  ['a store that is away', new StorageUnavailable('There is no such database.'), 'There is no such database.\n', 2],
  ['a signer that is away', new Refusal(failure('service_unavailable', 'It cannot sign.')), 'It cannot sign.\n', 2],
  ['another schema', new SchemaMismatch('Apply them with: svc migrate up'), 'Apply them with: svc migrate up\n', 2],
  ['what nobody foresaw', new TypeError('x is undefined'), undefined, undefined],
])('%s keeps a server from starting', async (_, error, printed, code) => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const exit = vi.spyOn(process, 'exit').mockImplementation(() => {
    throw error
  })
  await expect(startProcess(() => Promise.reject(error))).rejects.toBe(error)
  const told = [write.mock.calls[0]?.[0], exit.mock.calls[0]?.[0]]
  vi.restoreAllMocks()
  expect(told).toEqual([printed, code])
})

it('hears signals and crashes for as long as it serves, and its listener is closed before the trail is', async () => {
  const NAMES = ['SIGTERM', 'SIGINT', 'uncaughtExceptionMonitor'] as const
  const listening = () => NAMES.map((name) => process.listenerCount(name))
  const before = listening()
  const { service, url, close } = await start()
  expect(listening()).toEqual(before.map((count) => count + 1))
  const reachable: boolean[] = []
  const closeService = service.close
  Object.assign(service, {
    close: async () => {
      reachable.push(await fetch(`${url}/-/live`).then(() => true, () => false)) // prettier-ignore
      await closeService()
    },
  })
  await Promise.all([close(), close()])
  expect([reachable, service.lifecycle.draining, listening()]).toEqual([[false], true, before])
})
