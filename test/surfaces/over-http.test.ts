/** What a client of MCP over HTTP is answered, byte by byte: documents, refusals, tools, and who the server is. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ProtocolError } from '@modelcontextprotocol/server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { serve } from '../../src/runtime/node.js'
import { mcp } from '../../src/runtime/surfaces/mcp/index.js'
import { toolResultOf } from '../../src/runtime/surfaces/mcp/result.js'
import { withoutInternals } from '../../src/runtime/surfaces/mcp/server.js'
import { capability, input } from '../runtime/fixture/manifest.js'
import { startFixture, type Given } from '../runtime/fixture/service.js'
import { startWorld, type World } from './mcp-world.js'

const METADATA = '/.well-known/oauth-protected-resource/mcp'
const MODERN = '2026-07-28'

/** One message of the modern era. */
async function ask(world: Pick<World, 'url' | 'token'>, method: string, params: object = {}, query = '') {
  const { name, ['_meta']: meta } = params as { readonly name?: string; readonly _meta?: object }
  const envelope = {
    'io.modelcontextprotocol/protocolVersion': MODERN,
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const response = await fetch(`${world.url}/mcp${query}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${world.token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': MODERN,
      'mcp-method': method,
      ...(name !== undefined && { 'mcp-name': name }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: { ...envelope, ...meta } } }),
  })
  const text = await response.text()
  return { response, text, json: () => JSON.parse(text) as Answer }
}

interface Answer {
  readonly result: {
    readonly structuredContent: { readonly failure: { readonly type: string; readonly reason?: string } }
    readonly [member: string]: unknown
  }
}

describe('the metadata of the resource', () => {
  it('are for GET and HEAD, and nothing else', async () => {
    const { url } = await startWorld({}, { publicUrl: 'https://svc.example' })
    const statuses = []
    for (const method of ['GET', 'HEAD', 'POST', 'DELETE']) statuses.push((await fetch(url + METADATA, { method })).status) // prettier-ignore
    expect(statuses).toEqual([200, 200, 405, 405])
  })

  it('are not there where nobody has said what the service is called by', async () => {
    const { url } = await startWorld()
    const response = await fetch(url + METADATA)
    expect([response.status, ((await response.json()) as Failed).failure.type]).toEqual([404, 'not_found'])
  })

  it('name what the service is served as, unless the surface is told otherwise', async () => {
    const resourceOf = async (options: Parameters<typeof mcp>[0]) => {
      const { service } = await startFixture({ limits: { shutdownMs: 100 } })
      const { url, close } = await serve(service, { port: 0, publicUrl: 'https://svc.example', surfaces: [mcp(options)] }) // prettier-ignore
      onTestFinished(close)
      return ((await (await fetch(url + METADATA)).json()) as { readonly resource: string }).resource
    }
    expect(await resourceOf({})).toBe('https://svc.example/mcp')
    expect(await resourceOf({ publicUrl: 'https://other.example' })).toBe('https://other.example/mcp')
  })
})

interface Failed {
  readonly success: boolean
  readonly failure: { readonly type: string }
}

it('a query changes nothing of what is answered', async () => {
  const world = await startWorld()
  expect((await ask(world, 'tools/list', {}, '?x=/mcp')).response.status).toBe(200)
  for (const path of ['/mcp2', '/mcp/x', `${METADATA}2`]) expect((await fetch(world.url + path)).status).toBe(404)
})

it('whoever asks too often is told when to come back', async () => {
  const world = await startWorld({ limits: { mcpMessagesPerMinute: 1 } })
  await ask(world, 'tools/list')
  const { response, text } = await ask(world, 'tools/list')
  expect([response.status, (JSON.parse(text) as Failed).failure.type]).toEqual([429, 'rate_limited'])
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(response.headers.has('www-authenticate')).toBe(false)
})

it.each([
  ['an answer', {}, 'application/json'],
  ['a stream', { progressToken: 'p' }, 'text/event-stream'],
])('%s is kept by nobody, and is what it says it is', async (_, meta, type) => {
  const world = await startWorld()
  const { response } = await ask(world, 'tools/call', { name: 'slow', arguments: {}, _meta: meta })
  const { headers } = response
  expect([headers.get('cache-control'), headers.get('x-content-type-options')]).toEqual(['no-store', 'nosniff'])
  expect(headers.get('content-type')).toContain(type)
})

it('the server says who it is, what it can do, and what a refusal is', async () => {
  const world = await startWorld({ manifest: { service_identity: { id: 'travel', name: 'Travel desk' } as never } })
  const { result } = (await ask(world, 'server/discover')).json()
  expect(result).toMatchObject({
    capabilities: { tools: {} },
    instructions: expect.stringContaining('A refusal is a result with a failure') as string,
    _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'travel', title: 'Travel desk', version: '0.0.0', description: 'Governed by the service interface 0.24.0.' } }, // prettier-ignore
  })
})

it.each([
  ['{"openapi":"3.1.1","info":{"title":"Travel desk","version":"3.2.1"}}', '3.2.1'],
  ['{"openapi":"3.1.1"}', '0.0.0'],
])('the server is of the version that the OpenAPI document beside it is of: %s', async (document, version) => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-version-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'openapi.json'), document)
  const world = await startWorld({ openapi: pathToFileURL(join(folder, 'openapi.json')) })
  const { result } = (await ask(world, 'server/discover')).json()
  expect(result['_meta']).toMatchObject({ 'io.modelcontextprotocol/serverInfo': { version } })
})

const policy = { allowed_grant_types: ['one_time'], default_grant_type: 'one_time', expires_in_seconds: 900, max_uses: 1 } as const // prettier-ignore
const price = { certainty: 'fixed', financial: { currency: 'EUR', amount: 3 } } as const

const TOOLS: NonNullable<Given['capabilities']> = {
  read: capability({ description: 'Reads.' }),
  'note.add': capability({ side_effect: { type: 'write' } }),
  pay: capability({ side_effect: { type: 'transactional' }, cost: price, inputs: [input('what')] }),
  sink: capability({ side_effect: { type: 'irreversible' }, approval: { required: 'always', grant_policy: policy } }),
}

it('a tool says what it does and whom it is for', async () => {
  const world = await startWorld({ capabilities: TOOLS, handlers: {} })
  const { result } = (await ask(world, 'tools/list')).json()
  const tools = result['tools'] as { readonly name: string; readonly annotations: object; readonly _meta: object }[]
  expect(tools.map(({ name, annotations, _meta: meta }) => [name, annotations, meta])).toEqual([
    ['note__add', { title: 'Note add', readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false }, about('note.add', 'write', 'never')],
    ['pay', { title: 'Pay', readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true }, about('pay', 'transactional', 'never')],
    ['read', { title: 'Read', readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }, about('read', 'read', 'never')],
    ['sink', { title: 'Sink', readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false }, about('sink', 'irreversible', 'always')],
  ]) // prettier-ignore
  expect(tools[2]).toMatchObject({ title: 'Read', description: expect.stringContaining('Reads.') as string })
})

const about = (name: string, side_effect: string, approval: string) => ({
  'svc-kit/capability': { name, contract_version: '1.0.0', side_effect, minimum_scope: ['travel.search'], approval },
})

const REFUSED = { type: 'x', detail: 'No.', retry: false, resolution: { action: 'a' } }

it.each([
  [{ success: true, result: { a: 1 } }, { content: [{ type: 'text', text: '{"a":1}' }], structuredContent: { a: 1 } }],
  [{ success: true, result: [1] }, { content: [{ type: 'text', text: '{"result":[1]}' }], structuredContent: { result: [1] } }],
  [{ success: true }, { content: [{ type: 'text', text: '{"result":null}' }], structuredContent: { result: null } }],
  [{ success: false, failure: REFUSED }, { content: [{ type: 'text', text: '{"failure":{"resolution":{"action":"a"},"detail":"No.","type":"x","retry":false}}' }], structuredContent: { failure: REFUSED }, isError: true }],
])('%j becomes the result of a tool', (answer, result) => {
  expect(toolResultOf(answer)).toEqual({ ...result, _meta: { 'svc-kit/invocation': {} } })
}) // prettier-ignore

it('what an invocation says beside its result goes along, and nothing else', () => {
  const beside = {
    invocation_id: 'inv-1', client_reference_id: 'r', task_id: 't', parent_invocation_id: 'inv-0', cost_actual: null,
    budget_context: { a: 1 }, retry_after: 3,
  } // prettier-ignore
  const { _meta: meta, structuredContent } = toolResultOf({ success: false, failure: { type: 'x' }, ...beside, stream: 'no' }) // prettier-ignore
  expect(meta).toEqual({ 'svc-kit/invocation': beside })
  expect(structuredContent).toEqual({ failure: { type: 'x' }, invocation_id: 'inv-1' })
})

it('a refusal for a while says for how long, and a budget that is lowered how much is left', async () => {
  const capabilities = { pay: capability({ cost: price }) }
  const world = await startWorld({ capabilities, handlers: { pay: () => ({}) }, limits: { invocationsPerMinute: 2 } }) // prettier-ignore
  const { token } = await world.fixture.root({ subject: 'agent:poor', budget: { currency: 'EUR', max_amount: 5, mode: 'cumulative' } }) // prettier-ignore
  const poor = { ...world, token }
  const call = async () => (await ask(poor, 'tools/call', { name: 'pay', arguments: {} })).json().result
  const besideOf = ({ ['_meta']: meta }: Answer['result']) => (meta as { readonly [name: string]: object })['svc-kit/invocation'] // prettier-ignore
  expect(besideOf(await call())).toMatchObject({ cost_actual: { currency: 'EUR', amount: 3 } })
  expect((await call()).structuredContent.failure.type).toBe('budget_exceeded')
  const limited = await call()
  expect(limited.structuredContent.failure.type).toBe('rate_limited')
  expect(besideOf(limited)).toMatchObject({ budget_context: { budget_max: 5, cost_check_amount: 3 }, retry_after: 30 })
})

it.each([
  ['that nobody knows', () => `apr_${'a'.repeat(27)}`, 'approval_grant_invalid'],
  ['that is still open', (id: string) => id, 'approval_required'],
])('a call that goes on after a request %s finds out by itself', async (_, of, type) => {
  const world = await startWorld()
  const call = (meta: object) => ask(world, 'tools/call', { name: 'trip__book', arguments: { hotel: 'Ritz' }, _meta: meta }) // prettier-ignore
  const { failure } = (await call({})).json().result.structuredContent as never as { failure: { approval_request_id: string } } // prettier-ignore
  const answer = (await call({ 'svc-kit/approval_request': of(failure.approval_request_id) })).json()
  expect(answer.result.structuredContent.failure.type).toBe(type)
  expect(world.effects).toEqual([])
})

it('what nobody foresaw is told to the log alone', async () => {
  const { service, logged } = await startFixture()
  const failed = withoutInternals(service, Promise.reject(new Error('the password is x')))
  await expect(failed).rejects.toThrow(/^Internal error$/u)
  await expect(failed).rejects.toBeInstanceOf(ProtocolError)
  expect(logged.join()).toContain('An MCP message was not answered. {"error":"Error: the password is x')
})
