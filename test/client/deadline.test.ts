import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { connect, TransportError, type Governance } from '../../src/client/index.js'

interface Plain extends Governance<Plain> {}

let server: Server
let baseUrl: string
/** /svc/permissions hangs; the trail trickles for ever. */
beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url !== '/svc/audit') return
    response.writeHead(200)
    const drip = setInterval(() => response.write(' '), 20)
    response.on('close', () => clearInterval(drip))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const clientOf = (timeoutMs: number): Plain => connect<Plain>({ baseUrl, timeoutMs, retries: 0, credential: 'key' }, {})

describe('L8: a service that does not answer', () => {
  it.each<[string, (client: Plain) => Promise<unknown>]>([
    ['hangs', (client) => client.permissions()],
    ['trickles', (client) => client.audit()],
  ])('is waited for no longer than the time limit where it %s', async (_, ask) => {
    const asked = ask(clientOf(150))
    await expect(asked).rejects.toThrow(`gave no answer within 150 ms (timeoutMs).`)
    await expect(asked).rejects.toThrow(TransportError)
  })

  it('ends with the reason of a signal that comes first', async () => {
    const signal = AbortSignal.timeout(20)
    await expect(clientOf(5000).approvals.read('apr_1', { signal })).rejects.toThrow(/timeout/iu)
  })

  it('is not asked at all by a call whose signal was aborted before', async () => {
    const asked: string[] = []
    const fetch = async (address: string | URL | Request, { signal }: RequestInit = {}) => {
      signal?.throwIfAborted()
      asked.push(String(address))
      return new Response('{}')
    }
    const client = connect<Plain>({ baseUrl, fetch, retries: 0, credential: 'key' }, {})
    await expect(client.approvals.read('apr_1', { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough')
    expect(asked).toEqual([])
  }) // prettier-ignore

  it.each([2 ** 40, Infinity])('is waited for as long as a timer can count where the limit is %s ms', async (limit) => {
    vi.useFakeTimers()
    const fetch: typeof globalThis.fetch = (_, init) =>
      new Promise((resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error))
        setTimeout(() => resolve(Response.json({ available: [], restricted: [], denied: [] })), 60_000)
      })
    const asked = connect<Plain>({ baseUrl, timeoutMs: limit, retries: 0, fetch }, {}).permissions()
    await vi.advanceTimersByTimeAsync(60_000)
    vi.useRealTimers()
    expect(await asked).toMatchObject({ success: true })
  })

  it.each([0, -1, Number.NaN])('has a time limit of more than %s ms', (timeoutMs) => {
    expect(() => clientOf(timeoutMs)).toThrow(`timeoutMs is ${timeoutMs}; it is a number of ms, such as 30000, or`)
  })
})

describe('L8: a credential', () => {
  const at = (address: string, more: object = {}) =>
    connect<Plain>({ baseUrl: address, credential: 'key', ...more }, {})

  it.each([
    'http://flights.example',
    'http://10.0.0.5:4100',
    'http://localhost.example',
    'http://evillocalhost',
    'http://127.0.0.1.example',
  ])('is not sent in the clear to %s', (address) => {
    expect(() => at(address)).toThrow('would send the credential in the clear; use https, or set insecureHttp: true')
    expect(() => at(address, { insecureHttp: true })).not.toThrow()
    expect(() => at(address, { credential: undefined })).not.toThrow()
  })

  it.each(['https://flights.example', 'http://localhost:4100', 'http://127.0.0.1', 'http://127.20.30.254:80', 'http://[::1]:4100', 'http://svc.localhost'])(
    'is sent to %s',
    (address) => expect(() => at(address)).not.toThrow(),
  ) // prettier-ignore

  it.each(['https://flights.example', 'https://flights.example/', 'https://flights.example///'])('goes to %s with one slash', async (address) => {
    const asked: string[] = []
    const fetch: typeof globalThis.fetch = async (input) => (asked.push(String(input)), Response.json({}))
    await at(address, { fetch, retries: 0 }).permissions().catch(() => undefined)
    expect(asked).toEqual(['https://flights.example/svc/permissions'])
  }) // prettier-ignore
})
