/** Servers of MCP behind a service act in the account of the person, whose agent calls (RFC 9728, 8414, 8707). */
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { mcpUpstream, upstreamToolDigest } from '../../src/runtime/upstream/index.js'
import { capability } from '../runtime/fixture/manifest.js'
import { agentOf, authorizationServer, connectedAs, consented, startMail } from './world.js'

const { issuer, control } = authorizationServer()
const digestOf = (name: string) =>
  upstreamToolDigest({ name, title: '', description: '', inputSchema: { type: 'object' }, outputSchema: undefined, readOnly: false }) // prettier-ignore
const server = { url: '', credential: 'TOOLS_CREDENTIAL', connection: { furtherScopes: ['mail.send'] } }
const tools = { look: digestOf('look'), send: digestOf('send') }
const environment: Record<string, string> = {}
const upstream = mcpUpstream({ name: 'tools', server, tools }, () => environment)

async function called(tool: string, context: never) {
  const { structured } = await upstream.call<{ readonly structured: object }>({ tool, reads: true }, {}, context)
  return structured
}

const failures = { tool_changed: 'No.', upstream_refused: 'No.', upstream_unavailable: 'No.' }
const extensions = { 'x-upstream': { connection: 'tools' }, 'x-failures': failures }
const output = { type: 'mail', fields: [{ name: 'account', type: 'string' as const }] }
const reading = capability({ output, extensions })
const start = (given: object = {}) =>
  startMail({
    capabilities: { look: reading, send: reading },
    handlers: {
      look: (_: object, context: never) => called('look', context),
      send: (_: object, context: never) => called('send', context),
    },
    ...given,
  })

beforeAll(() => void (server.url = `${issuer()}/mcp`))
beforeEach(async () => {
  delete environment['TOOLS_CREDENTIAL']
  await control({ sent: [], reused: 0, delay: 0, fail: 0, metadataAt: '', resource: '', sessions: 0, lifetime: 600 })
})

it('are called in the account of each person, in a session of their own', async () => {
  const world = await start()
  const [anas, bobs] = await Promise.all(['ana-key', 'bob-key'].map((key) => agentOf(world, key)))
  expect(await anas!.call('look')).toMatchObject({
    status: 403,
    type: 'connection_required',
    connection_url: `${world.url}/-/console/connections?connect=tools`,
  })
  await connectedAs(world, 'ana-key', 'ana@mail.example', 'tools')
  await connectedAs(world, 'bob-key', 'bob@mail.example', 'tools')
  const answers = await Promise.all([anas, bobs, anas, bobs].map((each) => each!.call('look')))
  expect(answers.map(({ account, type }) => account ?? type)).toEqual([
    'ana@mail.example',
    'bob@mail.example',
    'ana@mail.example',
    'bob@mail.example',
  ])
  expect(await control()).toMatchObject({ sessions: 2 })
})

it('ask for more scope, which the person gives', async () => {
  const world = await start()
  const agent = await agentOf(world, 'ana-key')
  await connectedAs(world, 'ana-key', 'ana@mail.example', 'tools')
  expect(await agent.call('send')).toMatchObject({
    type: 'connection_required',
    detail: expect.stringContaining('It asks for more: mail.send.'),
  })
  await connectedAs(world, 'ana-key', 'ana@mail.example', 'tools')
  expect(await agent.call('send')).toMatchObject({ status: 200, account: 'ana@mail.example' })
})

it('are renewed for the resource that was connected', async () => {
  const world = await start()
  const agent = await agentOf(world, 'ana-key')
  const { page } = await connectedAs(world, 'ana-key', 'ana@mail.example', 'tools')
  expect(page).toBe('/-/console/connections?connected=tools')
  expect(await agent.call('look')).toMatchObject({ account: 'ana@mail.example' })
  world.fixture.service.connections.held.clear()
  expect(await agent.call('look')).toMatchObject({ account: 'ana@mail.example' })
  expect((await control()).sent.length).toBeGreaterThan(0)
})

it.each([
  [
    'metadata of another host',
    { metadataAt: 'http://127.0.0.1:1/metadata' },
    'The MCP server names metadata of another host.',
  ],
  [
    'another resource',
    { resource: 'https://files.example/mcp' },
    'The metadata of the MCP server is of another resource.',
  ],
  ['a resource beside it', { resource: 'BELOW' }, 'The metadata of the MCP server is of another resource.'],
])('that name %s are not connected to', async (_, changes, why) => {
  const resource = 'resource' in changes ? changes.resource.replace('BELOW', `${issuer()}/mc`) : ''
  await control({ ...changes, resource })
  const world = await start()
  const ana = world.browser()
  await ana.byKey('ana-key')
  await expect(consented(ana, world.url, 'ana@mail.example', 'tools')).rejects.toThrow(why)
})
