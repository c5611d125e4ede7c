/** Subscriptions to resources: what a session is told, and when it is told nothing. */
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as LegacyHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { McpOptions } from '../../src/runtime/surfaces/mcp/index.js'
import { afterChanges } from '../../src/runtime/surfaces/mcp/subscriptions.js'
import { subscriptionsInMemory } from '../../src/runtime/surfaces/mcp/subscription-store.js'
import { capability, input } from '../runtime/fixture/manifest.js'
import { lineTransport } from './line-transport.js'
import { startWorld, type World } from './mcp-world.js'
import { validating } from './validator.js'

const OUTPUT = { type: 'object', fields: [{ name: 'id', type: 'string' }] } as const

const GIVEN = {
  capabilities: {
    order: capability({ inputs: [input('id')], output: OUTPUT }),
    terms: capability({ output: OUTPUT }),
    cancel: capability({ side_effect: { type: 'write' } }),
    breaks: capability({ side_effect: { type: 'write' } }),
    hidden: capability({ minimum_scope: ['never.given'], output: OUTPUT }),
  } as never,
  handlers: {
    order: ({ id }: { readonly id: string }) => ({ id }),
    terms: () => ({ id: 'terms' }),
    cancel: () => ({}),
    breaks: () => Promise.reject(new Error('It breaks.')),
    hidden: () => ({ id: 'hidden' }),
  } as never,
}

const OPTIONS: McpOptions = {
  sessions: true,
  resources: {
    'shop://orders/{id}': { capability: 'order', changedBy: ['cancel', 'breaks'] },
    'shop://terms': { capability: 'terms' },
    'shop://hidden': { capability: 'hidden', changedBy: ['cancel'] },
  },
}

const overHttp = (world: World) =>
  new LegacyHttp(new URL(`${world.url}/mcp`), { requestInit: { headers: { authorization: `Bearer ${world.token}` } } })
const overLines = (world: World) => lineTransport(world.fixture.service, OPTIONS, { token: world.token })

async function connected(transport: object) {
  const client = new LegacyClient({ name: 'editor', version: '1.0.0' }, validating as never)
  const told: unknown[] = []
  client.fallbackNotificationHandler = async ({ method, params }) => void told.push([method, params])
  await client.connect(transport as never)
  onTestFinished(() => client.close())
  return { client, told }
}

const UPDATED = ['notifications/resources/updated', { uri: 'shop://orders/7' }]

describe.each([
  ['in a session over HTTP', overHttp],
  ['over stdio', overLines],
])('a client %s', (_, transportTo) => {
  const begun = async () => {
    const world = await startWorld(GIVEN, OPTIONS)
    return { world, ...(await connected(transportTo(world))) }
  }

  it('is told once of each change of what it has subscribed to', async () => {
    const { client, told } = await begun()
    expect(client.getServerCapabilities()!.resources).toEqual({ subscribe: true })
    await client.subscribeResource({ uri: 'shop://orders/7' })
    await client.subscribeResource({ uri: 'shop://terms' })
    await client.callTool({ name: 'cancel', arguments: {} })
    expect(told).toEqual([UPDATED])
    await client.readResource({ uri: 'shop://orders/7' })
    expect(told).toEqual([UPDATED])
  })

  it('is told where nobody knows whether a change was made', async () => {
    const { client, told } = await begun()
    await client.subscribeResource({ uri: 'shop://orders/7' })
    await client.callTool({ name: 'breaks', arguments: {} })
    expect(told).toEqual([UPDATED])
  })

  it('is told nothing once it has unsubscribed', async () => {
    const { client, told } = await begun()
    await client.subscribeResource({ uri: 'shop://orders/7' })
    await client.unsubscribeResource({ uri: 'shop://orders/7' })
    await client.callTool({ name: 'cancel', arguments: {} })
    expect(told).toEqual([])
  })

  it('subscribes to nothing that it may not read', async () => {
    const { client } = await begun()
    for (const uri of ['shop://hidden', 'shop://none'])
      await expect(client.subscribeResource({ uri })).rejects.toThrow('There is no such resource.')
  })
})

it('a session is told with its next answer of what another has changed', async () => {
  const world = await startWorld(GIVEN, OPTIONS)
  const [first, second] = [await connected(overHttp(world)), await connected(overHttp(world))]
  await first.client.subscribeResource({ uri: 'shop://orders/7' })
  await second.client.callTool({ name: 'cancel', arguments: {} })
  expect([first.told, second.told]).toEqual([[], []])
  await first.client.readResource({ uri: 'shop://terms' })
  expect([first.told, second.told]).toEqual([[UPDATED], []])
})

it('a call that was made is answered, though its session cannot be told what has changed', async () => {
  const logged: string[] = []
  const service = { log: { info: (message: string) => logged.push(message) } }
  const connection = { session: 'a', service, subscriptions: { take: () => ['shop://terms'] } }
  expect(await afterChanges(connection as never, {} as never, Promise.resolve('done'))).toBe('done')
  expect(logged).toEqual(['A session was not told what has changed.'])
})

it('no subscription is offered where nothing says what changes a resource', async () => {
  const world = await startWorld(GIVEN, { ...OPTIONS, resources: { 'shop://terms': { capability: 'terms' } } })
  const { client } = await connected(overHttp(world))
  expect(client.getServerCapabilities()!.resources).toEqual({})
})

it.each([
  ['terms', 'terms in changedBy has no effects.'],
  ['none', 'there is no capability "none".'],
])('a start with %s in changedBy is refused', async (name, problem) => {
  const resources = { 'shop://terms': { capability: 'terms', changedBy: [name] } }
  await expect(startWorld(GIVEN, { resources })).rejects.toThrow(problem)
})

describe('subscriptions in memory', () => {
  it('are at most 100 of a session, those it has already aside', () => {
    const subscriptions = subscriptionsInMemory()
    const added = Array.from({ length: 101 }, (_, at) => subscriptions.add('a', `shop://${at}`, 'ana'))
    expect([added.filter(Boolean).length, added[100], subscriptions.add('a', 'shop://0', 'ana')]).toEqual([
      100,
      false,
      true,
    ])
    subscriptions.remove('a', 'shop://0')
    expect(subscriptions.add('a', 'shop://100', 'ana')).toBe(true)
  })

  it('are at most 10,000 of all sessions: the oldest session of the person with the most is forgotten', () => {
    const subscriptions = subscriptionsInMemory()
    subscriptions.add('b', 'shop://0', 'bob')
    for (let session = 0; session < 101; session++)
      for (let at = 0; at < 100; at++) subscriptions.add(`a${session}`, `shop://${at}`, 'ana')
    subscriptions.changed(() => true)
    expect(['b', 'a0', 'a1', 'a2', 'a100'].map((session) => subscriptions.take(session).length)).toEqual([1, 0, 0, 100, 100]) // prettier-ignore
  })
})
