/** S9: after a revocation no list and no call; a client that keeps its connection is told when its tools changed. */
import { rmSync, writeFileSync } from 'node:fs'
import { Client as ModernClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js'
import { describe, expect, it, onTestFinished } from 'vitest'
import { credentialFile } from './bridge-world.js'
import { lineTransport } from './line-transport.js'
import { startWorld, type World } from './mcp-world.js'
import { validating } from './validator.js'

const ERAS = ['legacy', 'modern'] as const
const ALL = ['ask', 'search', 'secret', 'slow', 'trip__book']

/** A client that asks again whenever it is told to; what it was told of is kept. */
async function listening(era: (typeof ERAS)[number], transport: unknown) {
  const lists: (readonly string[] | undefined)[] = []
  const onChanged = (_: unknown, tools: readonly { readonly name: string }[] | null) =>
    void lists.push(tools?.map(({ name }) => name).toSorted())
  const listChanged = { tools: { onChanged, debounceMs: 0 } }
  const client =
    era === 'legacy'
      ? new LegacyClient({ name: 'editor', version: '1.0.0' }, { listChanged, ...validating } as never)
      : (new ModernClient({ name: 'editor', version: '1.0.0' }, {
          versionNegotiation: { mode: 'auto' },
          listChanged,
          ...validating,
        } as never) as object as LegacyClient)
  await client.connect(transport as never)
  onTestFinished(() => client.close())
  const list = async () => (await client.listTools()).tools.map(({ name }) => name).toSorted()
  return { client, lists, list }
}

const wide = { scope: ['travel.search', 'never.given'], subject: 'agent:planner' }

async function overFile(era: (typeof ERAS)[number], world: World) {
  const given = await world.fixture.issued('ana-key', wide)
  const file = credentialFile(given.token)
  const transport = lineTransport(world.fixture.service, {}, { file })
  return { ...(await listening(era, transport)), file, given }
}

const WAIT = { timeout: 20_000, interval: 50 }

describe.each(ERAS)('S9: a client of the %s era over stdio', (era) => {
  it('is told when another token allows other tools, and gets their list', async () => {
    const world = await startWorld()
    const { lists, list, file, client } = await overFile(era, world)
    expect(client.getServerCapabilities()!.tools).toEqual({ listChanged: true })
    expect(await list()).toEqual(ALL)
    writeFileSync(file, world.token)
    await expect.poll(() => lists.length, WAIT).toBe(1)
    expect(lists).toEqual([ALL.filter((name) => name !== 'secret')])
    writeFileSync(file, (await world.fixture.issued('ana-key', wide)).token)
    await expect.poll(() => lists.length, WAIT).toBe(2)
    expect(lists[1]).toEqual(ALL)
  })

  it('is told when its revoked token was replaced: between the two there is no list and no call', async () => {
    const world = await startWorld()
    const { lists, list, file, client, given } = await overFile(era, world)
    expect(await list()).toEqual(ALL)
    await world.fixture.post('/svc/tokens/revoke', 'ana-key', { token_id: given.token_id })
    await expect(list()).rejects.toThrow()
    const refused = await client.callTool({ name: 'search', arguments: { city: 'Faro' } })
    expect(refused).toMatchObject({ isError: true, structuredContent: { failure: { type: 'token_revoked' } } })
    writeFileSync(file, (await world.fixture.issued('ana-key', wide)).token)
    await expect.poll(() => lists.at(-1), WAIT).toEqual(ALL)
    expect((await client.callTool({ name: 'search', arguments: { city: 'Faro' } })).isError ?? false).toBe(false)
  })

  it('is not told where the tools stay the same: a renewed token, then one of fewer tools', async () => {
    const world = await startWorld()
    const { lists, list, file } = await overFile(era, world)
    await list()
    writeFileSync(file, (await world.fixture.issued('ana-key', wide)).token)
    // The next look at the file comes after the first: had that told of a change, two would stand here.
    await new Promise((resolve) => setTimeout(resolve, 1500))
    writeFileSync(file, world.token)
    await expect.poll(() => lists.length, WAIT).toBeGreaterThan(0)
    expect(lists).toEqual([ALL.filter((name) => name !== 'secret')])
  })

  it.each([
    ['is no token', 'nonsense', 'The credential is not a delegation token of this service.'],
    ['is away', undefined, 'The token file FILE cannot be read.'],
  ])('is told what to do where the file %s', async (_, text, message) => {
    const world = await startWorld()
    const file = credentialFile(text ?? 'x')
    if (text === undefined) rmSync(file)
    const { list } = await listening(era, lineTransport(world.fixture.service, {}, { file }))
    const told = `${message.replace('FILE', file)} Put a delegation token into ${file}: svc token issue --scope … --subject agent:… --out ${file}`
    await expect(list()).rejects.toThrow(told)
  })

  it('takes an empty variable for none', async () => {
    const world = await startWorld()
    const { client, list } = await listening(era, lineTransport(world.fixture.service, {}, { file: '', token: '' }))
    expect(client.getServerCapabilities()!.tools).toEqual({})
    await expect(list()).rejects.toThrow('Set SVC_TOKEN_FILE to a file with a delegation token.')
  })

  it('is promised nothing where its token cannot change', async () => {
    const world = await startWorld()
    const { client } = await listening(era, lineTransport(world.fixture.service, {}, { token: world.token }))
    expect(client.getServerCapabilities()!.tools).toEqual({})
  })
})

describe('S9: over HTTP, where a token has the same tools for its life', () => {
  it('nothing is promised, and a client that listens is told at once that nothing will come', async () => {
    const world = await startWorld()
    const headers = { authorization: `Bearer ${world.token}` }
    const transport = new StreamableHTTPClientTransport(new URL(`${world.url}/mcp`), { requestInit: { headers } })
    const { client, list } = await listening('modern', transport)
    expect(client.getServerCapabilities()!.tools).toEqual({})
    expect(await list()).toEqual(ALL.filter((name) => name !== 'secret'))
    const subscription = await (client as never as ModernClient).listen({ toolsListChanged: true })
    expect(subscription.honoredFilter).toEqual({})
    expect(await subscription.closed).toBe('graceful')
  })

  it('the next list is that of the token that asks', async () => {
    const world = await startWorld()
    const other = await world.fixture.issued('ana-key', wide)
    let bearer = world.token
    const transport = new StreamableHTTPClientTransport(new URL(`${world.url}/mcp`), {
      fetch: (url, request) => {
        const headers = new Headers(request?.headers as never)
        headers.set('authorization', `Bearer ${bearer}`)
        return fetch(url, { ...request, headers } as never)
      },
    })
    const { list } = await listening('modern', transport)
    expect(await list()).toEqual(ALL.filter((name) => name !== 'secret'))
    bearer = other.token
    expect(await list()).toEqual(ALL)
    await world.fixture.post('/svc/tokens/revoke', 'ana-key', { token_id: other.token_id })
    await expect(list()).rejects.toThrow()
  })
})
