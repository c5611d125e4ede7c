/** Imported handlers whose service behind answers what may hide an effect: the hold stays until somebody finds out. */
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Capability } from '../../src/protocol/manifest.js'
import type { HandlerContext } from '../../src/runtime/index.js'
import type { Storage } from '../../src/runtime/storage/contract.js'
import { openPostgres } from '../../src/runtime/storage/postgres/index.js'
import { openSqlite } from '../../src/runtime/storage/sqlite/index.js'
import { httpUpstream, mcpUpstream, upstreamToolDigest } from '../../src/runtime/upstream/index.js'
import { capability, declares } from '../runtime/fixture/manifest.js'
import { startFixture } from '../runtime/fixture/service.js'
import { startPostgres, type PostgresServer } from '../runtime/storage/postgres-server.js'

const TOOL = { name: 'pay', description: 'Pay a bill.', inputSchema: { type: 'object' } }
const pay = upstreamToolDigest({ ...TOOL, title: '', outputSchema: undefined, readOnly: false })

let behind: Server
let url: string
let postgres: PostgresServer
let made = 0
let answer: (response: ServerResponse, id: unknown) => void

/** An API below `/api`, and an MCP server with one tool: both answer as a test says. */
beforeAll(async () => {
  postgres = await startPostgres()
  behind = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (part: string) => (text += part))
    request.on('end', () => {
      if (request.url !== '/mcp') return answer(response, undefined)
      const { id, method } = JSON.parse(text) as { readonly id?: number; readonly method: string }
      const known: { readonly [method: string]: object } = {
        initialize: { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'n', version: '1' } },
        'notifications/initialized': {},
        'tools/list': { tools: [TOOL] },
      }
      if (method === 'server/discover') return response.writeHead(404).end()
      response.setHeader('Content-Type', 'application/json')
      if (known[method] === undefined) return answer(response, id)
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: known[method] }))
    })
  })
  await new Promise<void>((resolve) => behind.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(behind.address() as AddressInfo).port}`
}, 120_000)
afterAll(async () => {
  behind.closeAllConnections()
  behind.close()
  await postgres.stop()
})

const STORES: readonly (readonly [string, () => Promise<Storage>])[] = [
  ['SQLite', () => openSqlite({ file: ':memory:' })],
  ['PostgreSQL', async () => openPostgres({ connectionString: await postgres.database(`imported_${++made}`), schema: 'migrate' })],
] // prettier-ignore

const says = (message: object) => (response: ServerResponse, id: unknown) =>
  void response.end(JSON.stringify({ jsonrpc: '2.0', id, ...message }))

describe.each(STORES)('on %s', (_, open) => {
  let storage: Storage
  beforeEach(async () => void (storage = await open()))
  afterEach(() => storage.close())

  /** What two calls of 10 EUR under a budget of 15 EUR in all are answered. */
  async function twice(act: (context: HandlerContext) => Promise<object>, declared: Partial<Capability> = {}) {
    const paid = capability({
      side_effect: { type: 'irreversible' },
      cost: { certainty: 'fixed', financial: { currency: 'EUR', amount: 10 } },
      ...declares('upstream_refused', 'upstream_unavailable'),
      ...declared,
    })
    const handlers = { act: (_: never, context: never) => act(context) }
    const { root, invoke } = await startFixture({ capabilities: { act: paid }, handlers, storage, clock: Date.now })
    const { token } = await root({ budget: { currency: 'EUR', max_amount: 15, mode: 'cumulative' } })
    const replies = [await invoke('act', token), await invoke('act', token)]
    return replies.map(({ body }) => body['failure']?.['type'])
  }

  const byHttp = (method: 'GET' | 'POST') => (context: HandlerContext) =>
    httpUpstream('desk', () => ({ url: `${url}/api` })).call<object>({ method, path: '/x', inputs: {}, output: { as: 'status' } }, {}, context as never) // prettier-ignore
  const byTool = (context: HandlerContext) =>
    mcpUpstream({ name: 'bank', server: { url: `${url}/mcp`, credential: 'BANK' }, tools: { pay } }, () => ({})).call<object>({ tool: 'pay' }, {}, context as never) // prettier-ignore

  const KEPT = ['outcome_unknown', 'budget_exceeded']
  const GIVEN_BACK = (type: string) => [type, type]

  it.each([302, 303, 307, 500])('N11 a change that is answered with %i keeps its hold', async (status) => {
    answer = (response) => void response.writeHead(status, { location: '/done' }).end()
    expect(await twice(byHttp('POST'))).toEqual(KEPT)
  })

  it('N11 an effect that is had by GET keeps its hold, and a read by POST gives it back', async () => {
    answer = (response) => void response.writeHead(303).end()
    expect(await twice(byHttp('GET'))).toEqual(KEPT)
    const read = { side_effect: { type: 'read' } } as const
    expect(await twice(byHttp('POST'), read)).toEqual(GIVEN_BACK('upstream_unavailable'))
  })

  it.each([
    ['reports an error', { result: { isError: true, content: [{ type: 'text', text: 'It failed.' }] } }],
    ['ends with an internal error', { error: { code: -32_603, message: '' } }],
    ['ends with an error of its own', { error: { code: -32_000, message: '' } }],
    ['gives what is no result', { result: 7 }],
  ])('N11 a tool with an effect that %s keeps its hold', async (_, message) => {
    answer = says(message)
    expect(await twice(byTool)).toEqual(KEPT)
  })

  it.each([-32_700, -32_600, -32_601, -32_602])('a tool that was not run (%i) gives it back', async (code) => {
    answer = says({ error: { code, message: '' } })
    expect(await twice(byTool)).toEqual(GIVEN_BACK('upstream_refused'))
  })
})
