/** A caller's trace over MCP: what `_meta` says reaches the handler, else what the HTTP header says (decisions, section 13). */
import { describe, expect, it } from 'vitest'
import { credentialFile, ERAS, throughBridge } from './bridge-world.js'
import { CLIENTS, modern, startWorld } from './mcp-world.js'

const GIVEN = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
const OTHER = '00-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-bbbbbbbbbbbbbbbb-00'

async function start() {
  const seen: unknown[] = []
  const world = await startWorld({
    handlers: {
      search: (_: object, { trace }: { readonly trace?: object }) => (seen.push(trace), { found: 'x' }),
      'trip.book': (_: object, { trace }: { readonly trace?: object }) => (seen.push(trace), { booked: 'x' }),
    },
  })
  return { world, seen }
}

describe.each(CLIENTS)('a client of the %s era over %s', (_, over, connect) => {
  it('hands its trace to the handler, with what vendors added; what is no trace is none', async () => {
    const { world, seen } = await start()
    const agent = await connect(world, { over })
    await agent.call('search', { city: 'Faro' }, { traceparent: GIVEN, tracestate: 'vendor=1' })
    await agent.call('search', { city: 'Faro' }, { traceparent: GIVEN }, () => undefined)
    await agent.call('search', { city: 'Faro' }, { traceparent: 'x'.repeat(10_000), tracestate: 'vendor=1' })
    await agent.call('search', { city: 'Faro' })
    const context = { traceparent: GIVEN }
    expect(seen).toEqual([{ ...context, tracestate: 'vendor=1' }, context, undefined, undefined])
  })

  it('hands it over when a call goes on after an approval', async () => {
    const { world, seen } = await start()
    const agent = await connect(world, { over })
    const asked = await agent.call('trip__book', { hotel: 'Ritz' }, { traceparent: OTHER })
    const { approval_request_id } = asked.structuredContent!['failure'] as unknown as { approval_request_id: string }
    await world.approve(approval_request_id)
    await agent.call('trip__book', { hotel: 'Ritz' }, { traceparent: GIVEN })
    expect(seen).toEqual([{ traceparent: GIVEN }])
  })
})

it('reaches the handler by the HTTP header, unless the message says another: plain calls and others', async () => {
  const { world, seen } = await start()
  const send = async (meta: object, title: object) => {
    const response = await fetch(`${world.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${world.token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'search',
        traceparent: GIVEN,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'search', arguments: { city: 'Faro' }, _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1', ...title }, 'io.modelcontextprotocol/clientCapabilities': {}, ...meta } } }),
    }) // prettier-ignore
    expect(response.status).toBe(200)
    await response.text()
  }
  for (const title of [{}, { title: 'Raw' }]) {
    await send({}, title)
    await send({ traceparent: OTHER }, title)
    await send({ traceparent: 'no trace' }, title)
  }
  const each = [{ traceparent: GIVEN }, { traceparent: OTHER }, { traceparent: GIVEN }]
  expect(seen).toEqual([...each, ...each])
})

it.each(ERAS)('goes through the bridge with a client of the %s era', async (era) => {
  const { world, seen } = await start()
  const { client } = await throughBridge(era, world.url, credentialFile(world.token))
  await client.callTool({ name: 'search', arguments: { city: 'Faro' }, _meta: { traceparent: GIVEN } })
  expect(seen).toEqual([{ traceparent: GIVEN }])
})

it('is a trace of its own for each call of one connection', async () => {
  const { world, seen } = await start()
  const agent = await modern(world, { over: 'stdio' })
  const given = [GIVEN, OTHER]
  await Promise.all(given.map((traceparent) => agent.call('search', { city: 'Faro' }, { traceparent })))
  expect(new Set(seen)).toEqual(new Set(given.map((traceparent) => ({ traceparent }))))
})
