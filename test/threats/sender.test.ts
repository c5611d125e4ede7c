/** N29: a sender of bytes at every endpoint that there is; whoever must stop them is answered meanwhile. */
import { createServer, type Server } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { webConsole } from '../../src/console/index.js'
import { answerOverHttp } from '../../src/runtime/http/answer.js'
import type { AnswerOverHttp } from '../../src/runtime/http/exchange.js'
import { listener } from '../../src/runtime/http/listener.js'
import { nodeServer } from '../../src/runtime/http/server.js'
import { besideSurfaces } from '../../src/runtime/surfaces/surface.js'
import { startFixture } from '../runtime/fixture/service.js'
import { holesIn, KINDS, portOf, rowsOf, type Attacked, type Row } from './sender.js'

const open: Server[] = []
afterEach(() => {
  for (const server of open.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

type Serve = (answer: AnswerOverHttp, limits: Parameters<typeof nodeServer>[1]) => Server

/** A service with its console and few connections, and the requests of those who must be answered. */
async function attacked(serveWith: Serve = nodeServer, limits: object = {}): Promise<Attacked> {
  const { service } = await startFixture({ limits: { connections: 20, requestTimeoutMs: 1_000, badCredentialsPerMinute: 1e9, ...limits } })
  let port = 0
  const context = { publicUrl: undefined, base: '', address: () => `http://127.0.0.1:${port}`, listensOnLoopback: true }
  const answer = await besideSurfaces(service, answerOverHttp(service), [webConsole({ development: true })], context)
  const server = serveWith(answer, service.limits)
  open.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = portOf(server)
  const headers = { authorization: 'Bearer op-key', 'content-type': 'application/json', connection: 'close' }
  const body = JSON.stringify({ principal: 'human:nobody', reason: 'test' })
  return {
    port,
    answers: async () => {
      const signal = AbortSignal.timeout(10_000)
      const live = await fetch(`http://127.0.0.1:${port}/-/live`, { headers: { connection: 'close' }, signal })
      const revoked = await fetch(`http://127.0.0.1:${port}/-/tokens/revoke`, { method: 'POST', headers, body, signal })
      return live.status === 200 && revoked.status === 200 ? undefined : `health is ${live.status}, revocation ${revoked.status}.`
    },
  }
} // prettier-ignore

describe('N29 a sender of bytes', () => {
  it('keeps nobody from being answered, at any endpoint', async () => {
    const rows = rowsOf()
    const { holes, attacks } = await holesIn(await attacked(), rows)
    expect(holes).toEqual([])
    process.stdout.write(`sender: ${rows.length} endpoints, ${attacks} attacks\n`)
  }, 120_000)
})

describe('the harness finds a planted hole', () => {
  const ROOM = { most: Infinity, take: () => true, end: () => undefined, whenEnded: () => undefined }
  const TOKENS: readonly Row[] = [{ method: 'POST', path: '/svc/tokens' }]

  it('connections that make no room for others', async () => {
    const bare: Serve = (answer, { connections, requestTimeoutMs }) =>
      Object.assign(createServer({ requestTimeout: requestTimeoutMs }, listener(answer)), { maxConnections: connections })
    const { holes } = await holesIn(await attacked(bare), TOKENS, ['unfinished'])
    expect(holes).toEqual([expect.stringContaining('POST /svc/tokens, unfinished: those who must be answered are not: TypeError')])
  }) // prettier-ignore

  it('requests that may take for ever', async () => {
    const { holes } = await holesIn(await attacked(nodeServer, { requestTimeoutMs: 600_000 }), TOKENS, ['slow'])
    expect(holes).toEqual(['POST /svc/tokens, slow: is still read after 8000 ms, a byte at a time.'])
  }, 30_000)

  it('an endpoint that reads whatever comes', async () => {
    const greedy: Serve = (answer, limits) =>
      nodeServer(async (request) => {
        if (request.target !== '/svc/tokens') return answer(request)
        await request.body(Infinity, ROOM as never)
        return { status: 200, headers: [], body: '{}' } as never
      }, limits)
    const { holes } = await holesIn(await attacked(greedy), TOKENS, ['large'])
    expect(holes).toEqual(['POST /svc/tokens, large: takes 2 MB: 200.'])
  })

  it('an endpoint that answers nobody, and a kind without an attack', async () => {
    const silent: Serve = (answer, limits) =>
      nodeServer(async (request) => {
        if (request.target !== '/svc/tokens') return answer(request)
        await request.body(Infinity, ROOM as never)
        return new Promise(() => undefined)
      }, limits)
    const { holes } = await holesIn(await attacked(silent), TOKENS, ['many', 'backwards'])
    expect(holes).toEqual([
      expect.stringContaining('POST /svc/tokens, many: those who must be answered are not:'),
      'POST /svc/tokens, backwards: there is no attack; write it in sender.ts.',
    ])
  }) // prettier-ignore

  it('and tries each kind', () => expect([...KINDS]).toEqual(['unfinished', 'slow', 'many', 'large']))
})
