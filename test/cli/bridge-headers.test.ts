import { expect, it } from 'vitest'
import { mcpHeadersOf } from '../../src/cli/mcp/bridge/headers.js'

const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }

it.each([
  ['tools/call', { name: 'a' }, 'a'],
  ['prompts/get', { name: 'b' }, 'b'],
  ['resources/read', { uri: 'svc://c' }, 'svc://c'],
  ['tasks/get', { taskId: 'd' }, 'd'],
  ['tasks/update', { taskId: 'e' }, 'e'],
  ['tasks/cancel', { taskId: 'f' }, 'f'],
  ['tools/list', { name: 'g' }, undefined],
])('the header Mcp-Name of %s with %j is %s', (method, params, name) => {
  const headers = mcpHeadersOf({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } }, undefined)
  expect(headers['mcp-name']).toBe(name)
})
