/**
 * Clients of MCP that people have beside those of this repository: an older SDK, and the packages of LangChain and the AI SDK (S1, S6).
 * They are installed with the judges, so that CI need not.
 */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { lineTransport } from './line-transport.js'
import { startWorld, type Answered, type Over, type World } from './mcp-world.js'
import { BROKEN, REFUSED, reachedIn } from './refusals.js'

const fromJudges = (path: string): Promise<never> =>
  import(pathToFileURL(join(import.meta.dirname, 'judges/node_modules', path)).href) as Promise<never>

interface Called {
  readonly name: string
  readonly arguments: object
  readonly _meta?: object
}

interface OldClient {
  readonly connect: (transport: unknown) => Promise<void>
  readonly close: () => Promise<void>
  readonly listTools: () => Promise<{ readonly tools: readonly { readonly name: string }[] }>
  readonly callTool: (call: Called) => Promise<Answered>
}

interface OldSdk {
  readonly Client: new (identity: object, options: object) => OldClient
  readonly StreamableHTTPClientTransport: new (url: URL, options: object) => object
}

/** Version 1.17.0, connected, with the list that makes it compare results with their schemas. */
async function old(world: World, over: Over): Promise<OldClient> {
  const sdk = 'sdk-1.17/dist/esm/client'
  const { Client } = (await fromJudges(`${sdk}/index.js`)) as OldSdk
  const { StreamableHTTPClientTransport: Http } = (await fromJudges(`${sdk}/streamableHttp.js`)) as OldSdk
  const client = new Client({ name: 'old', version: '1.0.0' }, { capabilities: {} })
  const headers = { authorization: `Bearer ${world.token}` }
  await client.connect(
    over === 'stdio'
      ? lineTransport(world.fixture.service, {}, { token: world.token })
      : new Http(new URL(`${world.url}/mcp`), { requestInit: { headers } }),
  )
  onTestFinished(() => client.close())
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(['ask', 'search', 'slow', 'trip__book'])
  return client
}

const failureOf = ({ structuredContent }: Answered) =>
  structuredContent!['failure'] as unknown as {
    readonly type: string
    readonly reason?: string
    readonly approval_request_id: string
  }

describe.each<Over>(['HTTP', 'stdio'])('version 1.17.0 of the SDK over %s', (over) => {
  it('S1: is told of each refusal what it needs to go on', async () => {
    const client = await old(await startWorld(BROKEN), over)
    for (const [name, args, reached] of REFUSED) {
      const answer = await client.callTool({ name, arguments: args })
      expect([answer.isError, reachedIn(answer.structuredContent)]).toEqual([true, reached])
    }
  })

  it.each([
    ['_approval', (id: string) => ({ arguments: { hotel: 'Ritz', _approval: id } })],
    ['_meta', (id: string) => ({ arguments: { hotel: 'Ritz' }, _meta: { 'svc-kit/approval_request': id } })],
    ['the same call', () => ({ arguments: { hotel: 'Ritz' } })],
  ])('S6: goes on by %s, once; for other parameters it does not', async (way, callOf) => {
    const world = await startWorld()
    const client = await old(world, over)
    const book = (call: Omit<Called, 'name'>) => client.callTool({ name: 'trip__book', ...call })
    const id = failureOf(await book({ arguments: { hotel: 'Ritz' } })).approval_request_id
    await world.approve(id)
    if (way !== 'the same call') {
      const call = callOf(id)
      const other = await book({ ...call, arguments: { ...call.arguments, hotel: 'Savoy' } })
      expect(failureOf(other)).toMatchObject({ type: 'approval_grant_invalid', reason: 'parameters_mismatch' })
    }
    expect((await book(callOf(id))).structuredContent).toEqual({ booked: 'Ritz' })
    const again = failureOf(await book(callOf(id)))
    if (way === 'the same call') expect([again.type, again.approval_request_id === id]).toEqual(['approval_required', false])
    else expect(again).toMatchObject({ type: 'approval_grant_invalid', reason: 'consumed' })
    expect(world.effects).toEqual([{ hotel: 'Ritz' }])
  }) // prettier-ignore
})

interface LangChainTool {
  readonly name: string
  readonly invoke: (args: object) => Promise<unknown>
}

it('S1: @langchain/mcp-adapters shows each refusal as the error of its tool, with all that it says', async () => {
  const world = await startWorld(BROKEN)
  const { MultiServerMCPClient } = (await fromJudges('@langchain/mcp-adapters/dist/index.js')) as {
    readonly MultiServerMCPClient: new (options: object) => {
      readonly getTools: () => Promise<readonly LangChainTool[]>
      readonly close: () => Promise<void>
    }
  }
  const headers = { authorization: `Bearer ${world.token}` }
  const client = new MultiServerMCPClient({ mcpServers: { svc: { transport: 'http', url: `${world.url}/mcp`, headers } } })
  onTestFinished(() => client.close())
  const tools = await client.getTools()
  let seen = 0
  for (const [name, args, reached] of REFUSED) {
    const tool = tools.find((each) => each.name === name)
    // What its own schema refuses, and what it was not shown, never reaches the service.
    if (tool === undefined || reached.type === 'invalid_parameters') continue
    const error = (await tool.invoke(args).catch((thrown: unknown) => thrown)) as Error
    expect(error).toBeInstanceOf(Error)
    const json = error.message.slice(error.message.indexOf('{'))
    expect(reachedIn(JSON.parse(json))).toEqual(reached)
    seen += 1
  }
  expect(seen).toBe(3)
}) // prettier-ignore

interface AiSdkTool {
  readonly execute: (args: object, options: object) => Promise<Answered>
}

it('S1: @ai-sdk/mcp gives each refusal to the model, with all that it says', async () => {
  const world = await startWorld(BROKEN)
  const { createMCPClient } = (await fromJudges('@ai-sdk/mcp/dist/index.mjs')) as {
    readonly createMCPClient: (options: object) => Promise<{
      readonly tools: () => Promise<{ readonly [name: string]: AiSdkTool }>
      readonly close: () => Promise<void>
    }>
  }
  const headers = { authorization: `Bearer ${world.token}` }
  const client = await createMCPClient({ transport: { type: 'http', url: `${world.url}/mcp`, headers } })
  onTestFinished(() => client.close())
  const tools = await client.tools()
  for (const [name, args, reached] of REFUSED) {
    if (tools[name] === undefined) continue
    const answer = await tools[name].execute(args, { toolCallId: 'call_1', messages: [] })
    expect([answer.isError, reachedIn(JSON.parse(answer.content[0]!.text!))]).toEqual([true, reached])
  }
})
