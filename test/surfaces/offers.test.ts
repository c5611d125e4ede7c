/** Prompts, resources and completions of `mcp()`: under the caller's token, bounded, recorded like calls. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { McpOptions } from '../../src/runtime/surfaces/mcp/index.js'
import { addressIn, problemOfAddress } from '../../src/runtime/surfaces/mcp/uri-template.js'
import { capability, input } from '../runtime/fixture/manifest.js'
import { startWorld, type World } from './mcp-world.js'
import { validating } from './validator.js'

const OUTPUT = { type: 'object', fields: [{ name: 'text', type: 'string' }] } as const

const GIVEN = {
  capabilities: {
    terms: capability({ output: OUTPUT }),
    order: capability({
      inputs: [input('number', { type: 'integer' }), input('part', { allowed_values: ['lines', 'limits', 'notes'] })],
      output: OUTPUT,
    }),
    refuses: capability({ output: OUTPUT, extensions: { 'x-failures': { sold_out: 'Nothing is left.' } } }),
    long: capability({ output: OUTPUT }),
    hidden: capability({ minimum_scope: ['never.given'], output: OUTPUT }),
    buys: capability({ side_effect: { type: 'write' }, output: OUTPUT }),
  } as never,
  handlers: {
    terms: () => ({ text: 'Pay first.' }),
    order: ({ number, part }: { readonly number: number; readonly part: string }) => ({ text: `${part} of ${number}` }),
    refuses: (_: object, { fail }: { readonly fail: (type: string, detail: string) => never }) =>
      fail('sold_out', 'Nothing is left.'),
    long: () => ({ text: 'x'.repeat(1024 * 1024 + 1) }),
    hidden: () => ({ text: 'Secret.' }),
    buys: () => ({ text: 'Bought.' }),
  } as never,
}

const OPTIONS: McpOptions = {
  resources: {
    'shop://terms': { capability: 'terms', text: 'text', mimeType: 'text/markdown', title: 'Terms' },
    'shop://orders/{number}/{part}': { capability: 'order' },
    'shop://refuses': { capability: 'refuses' },
    'shop://long': { capability: 'long' },
    'shop://hidden': { capability: 'hidden' },
    'shop://hidden/{part}': { capability: 'order' },
  },
  prompts: {
    review: {
      title: 'Review an order',
      description: 'Reviews an order.',
      arguments: {
        number: { description: 'Its number', required: true },
        tone: { values: ['brief', 'kind'] },
      },
      messages: [
        { text: 'Review {number}, be {tone}. {other}' },
        { role: 'assistant', resource: 'shop://orders/{number}/notes' },
        { image: Buffer.from('bytes'), mimeType: 'image/png' },
      ],
    },
    asks: { description: 'Asks.', arguments: { about: { required: true, ask: 'What about?' } }, messages: [{ text: '{about}' }] }, // prettier-ignore
    hidden: { description: 'Hidden.', capabilities: ['hidden'], messages: [{ text: 'Hidden.' }] },
  },
}

async function clientOf(world: World, mode: 'auto' | 'legacy', elicit?: () => object) {
  const capabilities = elicit === undefined ? {} : { elicitation: { form: {} } }
  const client = new Client(
    { name: 'editor', version: '1.0.0' },
    { versionNegotiation: { mode }, capabilities, ...validating },
  )
  if (elicit !== undefined) client.setRequestHandler('elicitation/create', elicit as never)
  const requestInit = { headers: { authorization: `Bearer ${world.token}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${world.url}/mcp`), { requestInit }) as never)
  onTestFinished(() => client.close())
  return client
}

const world = () => startWorld(GIVEN, OPTIONS)

/** Names of the calls on the trail. */
const called = async ({ fixture, token }: World) =>
  (await fixture.trail(token))
    .filter(({ entry_type, success }) => entry_type === 'invocation' && success === true)
    .map(({ capability: name }) => name)
    .toSorted()

const failed = (promise: Promise<unknown>) =>
  promise.then(
    () => 'no error',
    ({ code, message, data }: { readonly code: number; readonly message: string; readonly data: object }) => ({ code, message, data }), // prettier-ignore
  )

describe.each(['auto', 'legacy'] as const)('resources for a client that is %s', (mode) => {
  it('are those whose capabilities the token may call', async () => {
    const client = await clientOf(await world(), mode)
    const { resources } = await client.listResources()
    expect(resources.map(({ uri }) => uri)).toEqual(['shop://terms', 'shop://refuses', 'shop://long'])
    expect(resources[0]).toEqual({
      uri: 'shop://terms',
      name: 'terms',
      title: 'Terms',
      description: resources[0]!.description,
      mimeType: 'text/markdown',
    })
    const { resourceTemplates } = await client.listResourceTemplates()
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'shop://orders/{number}/{part}',
      'shop://hidden/{part}',
    ])
  })

  it('are read by a call of their capability, which is recorded', async () => {
    const given = await world()
    const client = await clientOf(given, mode)
    expect((await client.readResource({ uri: 'shop://terms' })).contents).toEqual([
      { uri: 'shop://terms', mimeType: 'text/markdown', text: 'Pay first.' },
    ])
    expect((await client.readResource({ uri: 'shop://orders/7/notes' })).contents).toEqual([
      { uri: 'shop://orders/7/notes', mimeType: 'application/json', text: '{"text":"notes of 7"}' },
    ])
    expect(await called(given)).toEqual(['order', 'terms'])
  })

  it.each([
    ['shop://none', -32602, 'There is no such resource.', {}],
    ['shop://hidden', -32602, 'There is no such resource.', {}],
    ['shop://orders/%zz/notes', -32602, 'There is no such resource.', {}],
    ['shop://orders/7/other', -32600, 'part', { failure: { type: 'invalid_parameters' } }],
    ['shop://orders/seven/notes', -32600, 'number', { failure: { type: 'invalid_parameters' } }],
    ['shop://refuses', -32600, 'Nothing is left.', { failure: { type: 'sold_out' } }],
    ['shop://long', -32603, 'The resource has more than 1048576 bytes.', {}],
  ])('at %s are refused', async (uri, code, message, data) => {
    const client = await clientOf(await world(), mode)
    expect(await failed(client.readResource({ uri }))).toMatchObject({
      code,
      message: expect.stringContaining(message),
      data: { uri, ...data },
    })
  })
})

describe.each(['auto', 'legacy'] as const)('prompts for a client that is %s', (mode) => {
  it('are those whose capabilities the token may call', async () => {
    const client = await clientOf(await world(), mode)
    expect((await client.listPrompts()).prompts).toEqual([
      {
        name: 'review',
        title: 'Review an order',
        description: 'Reviews an order.',
        arguments: [
          { name: 'number', description: 'Its number', required: true },
          { name: 'tone', required: false },
        ],
      },
      { name: 'asks', description: 'Asks.', arguments: [{ name: 'about', required: false }] },
    ])
  })

  it('take arguments once, and read resources with the token of the caller', async () => {
    const given = await world()
    const client = await clientOf(given, mode)
    const { messages } = await client.getPrompt({ name: 'review', arguments: { number: '7', tone: 'kind' } })
    expect(messages).toEqual([
      { role: 'user', content: { type: 'text', text: 'Review 7, be kind. {other}' } },
      {
        role: 'assistant',
        content: {
          type: 'resource',
          resource: { uri: 'shop://orders/7/notes', mimeType: 'application/json', text: '{"text":"notes of 7"}' },
        },
      },
      { role: 'user', content: { type: 'image', data: 'Ynl0ZXM=', mimeType: 'image/png' } },
    ])
    expect(await called(given)).toEqual(['order'])
  })

  it.each([
    [{ name: 'none' }, 'There is no prompt "none".'],
    [{ name: 'toString' }, 'There is no prompt "toString".'],
    [{ name: 'hidden' }, 'There is no prompt "hidden".'],
    [{ name: 'asks' }, 'The prompt asks needs about.'],
    [{ name: 'review' }, 'The prompt review needs number.'],
    [{ name: 'review', arguments: { number: '7', size: '1' } }, 'The prompt review has no argument "size".'],
    [{ name: 'review', arguments: { number: '7', tone: 'loud' } }, 'The argument tone must be one of brief, kind.'],
    [
      { name: 'review', arguments: { number: '7'.repeat(8193) } },
      'The argument number must be a text of at most 8192 characters.',
    ],
  ])('with %o are refused', async (asked, message) => {
    const client = await clientOf(await world(), mode)
    const found = (await failed(client.getPrompt(asked as never))) as { readonly message: string }
    expect(found).toMatchObject({ code: -32602 })
    expect(found.message).toContain(message)
  })

  it('and templates complete their closed values', async () => {
    const client = await clientOf(await world(), mode)
    const complete = async (ref: object, name: string, value: string) =>
      (await client.complete({ ref: ref as never, argument: { name, value } })).completion.values
    const prompt = { type: 'ref/prompt', name: 'review' }
    const template = { type: 'ref/resource', uri: 'shop://orders/{number}/{part}' }
    expect(await complete(prompt, 'tone', '')).toEqual(['brief', 'kind'])
    expect(await complete(prompt, 'tone', 'KI')).toEqual(['kind'])
    expect(await complete(prompt, 'number', '')).toEqual([])
    expect(await complete(prompt, 'constructor', '')).toEqual([])
    expect(await complete(template, 'part', 'li')).toEqual(['lines', 'limits'])
    expect(await failed(complete({ type: 'ref/prompt', name: 'hidden' }, 'a', ''))).toMatchObject({ code: -32602 })
    expect(await failed(complete({ type: 'ref/resource', uri: 'shop://hidden' }, 'a', ''))).toMatchObject({
      code: -32602,
    })
  })
})

it('a prompt asks the person for what it lacks', async () => {
  const client = await clientOf(await world(), 'auto', () => ({ action: 'accept', content: { about: 'Boats' } }))
  expect((await client.getPrompt({ name: 'asks' })).messages).toEqual([
    { role: 'user', content: { type: 'text', text: 'Boats' } },
  ])
  let asked = 0
  const declining = await clientOf(await world(), 'auto', () => (asked++, { action: 'decline' }))
  expect(await failed(declining.getPrompt({ name: 'asks' }))).toMatchObject({ code: -32602 })
  expect(asked).toBe(1)
})

it('a prompt that grows beyond its bound is refused', async () => {
  const messages = [{ text: '{a}'.repeat(40) }]
  const given = await startWorld(GIVEN, {
    prompts: { grows: { description: 'Grows.', arguments: { a: {} }, messages } },
  })
  const client = await clientOf(given, 'auto')
  expect(await failed(client.getPrompt({ name: 'grows', arguments: { a: 'x'.repeat(8192) } }))).toMatchObject({
    code: -32602,
    message: expect.stringContaining('more than 262144 characters'),
  })
})

it('a service without them says so', async () => {
  const client = await clientOf(await startWorld(GIVEN), 'auto')
  expect(client.getServerCapabilities()).not.toHaveProperty('prompts')
  expect(client.getServerCapabilities()).not.toHaveProperty('resources')
})

it.each<readonly [McpOptions, string]>([
  [{ resources: { 'shop://a': { capability: 'none' } } }, 'The resource "shop://a": there is no capability "none".'],
  [{ resources: { 'shop://a': { capability: 'buys' } } }, 'buys has effects; only a read capability is taken.'],
  [{ resources: { 'shop://a/{city}': { capability: 'order' } } }, 'order has no input city.'],
  [{ resources: { 'no address': { capability: 'terms' } } }, 'It is not a URI.'],
  [{ resources: { 'shop://a': { capability: 'terms', text: 'text', blob: 'text' } } }, 'Give text or blob, not both.'],
  [{ prompts: { empty: { description: 'Empty.', messages: [] } } }, 'The prompt "empty": it has no messages.'],
  [{ prompts: { mute: { description: ' ', messages: [{ text: 'a' }] } } }, 'its description is empty.'],
  [
    { prompts: { odd: { description: 'Odd.', arguments: { 'a b': {} }, messages: [{ text: 'a' }] } } },
    'must be a word',
  ],
  [{ prompts: { far: { description: 'Far.', capabilities: ['none'], messages: [{ text: 'a' }] } } }, 'there is no capability "none".'], // prettier-ignore
])('%o keeps a service from starting', async (options, message) => {
  await expect(startWorld(GIVEN, options)).rejects.toThrow(message)
})

describe('an address', () => {
  it.each([
    ['shop://orders/{id}', 'shop://orders/7', { id: '7' }],
    ['shop://orders/{id}', 'shop://orders/a%2Fb', { id: 'a/b' }],
    ['shop://orders/{id}', 'shop://orders/a/b', undefined],
    ['shop://orders/{id}', 'shop://orders/', undefined],
    ['shop://orders/{id}', 'shop://orders/7?x=1', undefined],
    ['shop://o-r.d+e/{id}', 'shop://o-r.d+e/7', { id: '7' }],
    ['shop://o.r/{id}', 'shop://oxr/7', undefined],
    ['shop://{a}/x/{b}', 'shop://1/x/2', { a: '1', b: '2' }],
    ['shop://{a}', `shop://${'x'.repeat(2048)}`, undefined],
    ['shop://{a}', 'shop://x%00', undefined],
    ['shop://{a}', 'shop://%ff', undefined],
    ['shop://{a}-{b}.{c}', 'shop://1-2.3', { a: '1', b: '2', c: '3' }],
    ['shop://{a}-{b}', 'shop://1-2-3', { a: '1', b: '2-3' }],
    ['shop://{a}-{b}', 'shop://--1', { a: '-', b: '1' }],
    ['shop://{a}-{b}', 'shop://1-', undefined],
    ['shop://{a}-{b}/end', 'shop://1/2-3/end', undefined],
    ['shop://{a}-{b}-', 'shop://1-2-', { a: '1', b: '2' }],
    ['shop://{a}-{b}-{c}-{d}-{e}', `shop://${'-'.repeat(2000)}/`, undefined],
  ])('%s has %s', (template, address, values) => {
    const found = addressIn(template, address)
    expect(found && Object.fromEntries(found)).toEqual(values)
  })

  it.each([
    ['shop://orders/{id}', undefined],
    ['orders', 'It is not a URI.'],
    ['shop://orders/{?id}', 'Only expressions such as {order_id} are taken.'],
    ['shop://orders/{a}{b}', 'Put a character between two variables.'],
    ['shop://orders/{a}/{a}', 'A variable occurs twice.'],
  ])('%s as a template: %s', (template, problem) => {
    expect(problemOfAddress(template)).toBe(problem)
  })
})
