/** Plain calls are answered without the SDK: byte for byte as with it. */
import { expect, it } from 'vitest'
import { startWorld, type World } from './mcp-world.js'

const VERSION = '2026-07-28'

const envelope = (client: object, capabilities: object) => ({
  'io.modelcontextprotocol/protocolVersion': VERSION,
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1', ...client },
  'io.modelcontextprotocol/clientCapabilities': capabilities,
})

async function send(
  world: World,
  name: string,
  args: object | undefined,
  client: object,
  meta: object,
  capabilities = {},
  headers: { readonly [name: string]: string } = {},
) {
  const params = { name, ...(args && { arguments: args }), _meta: { ...envelope(client, capabilities), ...meta } }
  const response = await fetch(`${world.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${world.token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': VERSION,
      'mcp-method': 'tools/call',
      'mcp-name': name,
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 'a', method: 'tools/call', params }),
  })
  const text = (await response.text()).replaceAll(/inv-[0-9a-f]+/gu, 'inv').replaceAll(/apr_[\w-]+/gu, 'apr')
  const answered = Array.from(response.headers).filter(([header]) => header !== 'date')
  return { status: response.status, headers: answered, text: text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/gu, 'then') }
}

it.each<[string, string, object | undefined, object?]>([
  ['a result', 'search', { city: 'Faro' }],
  ['a result for a task', 'search', { city: 'Faro' }, { 'svc-kit/task_id': 't', 'svc-kit/client_reference_id': 'r' }],
  ['a repeated call', 'search', { city: 'Faro' }, { 'svc-kit/idempotency_key': 'k' }],
  ['an input too few', 'search', {}],
  ['no arguments', 'search', undefined],
  ['an input too many', 'search', { city: 'Faro', extra: [1, { a: null }] }],
  ['an unknown tool', 'nothing', {}],
  ['a tool that is not listed', 'secret', {}],
  ['a call that needs an approval', 'trip__book', { hotel: 'Ritz' }],
  ['a call of an approval that nobody knows', 'trip__book', { hotel: 'Ritz' }, { 'svc-kit/approval_request': 'apr_1' }],
  ['a question', 'ask', {}],
  ['no text in our part of _meta', 'search', { city: 'x' }, { 'svc-kit/task_id': 7 }],
  ['a trace', 'search', { city: 'x' }, { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' }],
])('%s', async (_, name, args, meta = {}) => {
  const world = await startWorld()
  const plain = await send(world, name, args, {}, meta)
  // A client with a title is not what is plain.
  const whole = await send(world, name, args, { title: 'Raw' }, meta)
  expect(plain).toEqual(whole)
  const entries = (await world.fixture.trail(world.token)).filter(({ entry_type }) => entry_type === 'invocation')
  const [second, first] = entries.map(({ capability, success, failure_type, parameters }) => [capability, success, failure_type, parameters]) // prettier-ignore
  expect(first ?? second).toEqual(second)
})

const WITHOUT_STATE = /"requestState":"[^"]+"/gu

it.each<[string, string, object, object]>([
  ['a page for an approval', 'trip__book', { hotel: 'Ritz' }, { elicitation: { url: {}, form: {} } }],
  ['a form', 'ask', {}, { elicitation: { form: {} } }],
  ['a form for a client that says no more', 'ask', {}, { elicitation: {} }],
  ['no form for a client that shows pages', 'ask', {}, { elicitation: { url: {} } }],
  ['other abilities', 'search', { city: 'Faro' }, { roots: {}, sampling: {} }],
  ['abilities with settings', 'search', { city: 'Faro' }, { roots: { listChanged: true } }],
  ['abilities that are none', 'search', { city: 'Faro' }, { elicitation: 'yes' }],
])('with what the client can do: %s', async (_, name, args, capabilities) => {
  const world = await startWorld({}, { approvalUrl: (id) => `https://approve.example/${id}` })
  const plain = await send(world, name, args, {}, {}, capabilities)
  const whole = await send(world, name, args, { title: 'Raw' }, {}, capabilities)
  for (const each of [plain, whole]) each.text = each.text.replaceAll(WITHOUT_STATE, '"requestState":""')
  expect(JSON.parse(plain.text)).toEqual(JSON.parse(whole.text))
  expect({ ...plain, text: '' }).toEqual({ ...whole, text: '' })
})

it.each<[string, { readonly [name: string]: string }]>([
  ['another tool than the message', { 'mcp-name': 'secret' }],
  ['another version of the protocol', { 'mcp-protocol-version': '2026-07-29' }],
  ['another method', { 'mcp-method': 'tools/list' }],
])('a request whose headers name %s is refused, and calls nothing', async (_, headers) => {
  const world = await startWorld()
  const { status, text } = await send(world, 'search', { city: 'Faro' }, {}, {}, {}, headers)
  expect([status, Object.keys(JSON.parse(text) as object)]).toEqual([400, ['jsonrpc', 'error', 'id']])
  const trail = await world.fixture.trail(world.token)
  expect(trail.filter(({ entry_type }) => entry_type === 'invocation')).toEqual([])
})

it.each([
  ['plain', {}],
  ['with a title', { title: 'Raw' }],
])('the log of a refused call says where it came from: a client that is %s', async (_, client) => {
  const world = await startWorld()
  await send(world, 'search', { city: 'x' }, client, { 'svc-kit/task_id': 7 })
  const refused = world.fixture.logged.filter((line) => line.includes('A request was refused.'))
  expect(refused.map((line) => (/"client":"([^"]*)"/u.exec(line) ?? [])[1])).toEqual(['127.0.0.1'])
})
