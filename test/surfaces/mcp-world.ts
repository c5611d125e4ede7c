/** A service behind MCP, and the clients that people have: both eras, over HTTP and over stdio. */
import { Client as ModernClient, StreamableHTTPClientTransport as ModernHttp } from '@modelcontextprotocol/client'
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as LegacyHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { onTestFinished } from 'vitest'
import { serve } from '../../src/runtime/node.js'
import { mcp, type McpOptions } from '../../src/runtime/surfaces/mcp/index.js'
import { capability, input } from '../runtime/fixture/manifest.js'
import { startFixture, type Given } from '../runtime/fixture/service.js'

const policy = { allowed_grant_types: ['one_time'], default_grant_type: 'one_time', expires_in_seconds: 900, max_uses: 1 } as const // prettier-ignore

export const CAPABILITIES = {
  search: capability({
    inputs: [input('city')],
    output: { type: 'object', fields: [{ name: 'found', type: 'string' }] },
  }),
  'trip.book': capability({
    inputs: [input('hotel')],
    side_effect: { type: 'irreversible' },
    output: { type: 'object', fields: [{ name: 'booked', type: 'string' }] },
    approval: { required: 'always', grant_policy: policy },
  }),
  ask: capability({ inputs: [input('place', { resolution: { mode: 'clarify' } as never })] }),
  slow: capability({ inputs: [], response_modes: ['unary', 'streaming'] }),
  secret: capability({ minimum_scope: ['never.given'] }),
} as const

const APPROVALS = {
  request_ttl: 'PT1H',
  denial_holds: 'PT10M',
  allow_agents: false,
  separation_of_duties: true,
} as const

type Progress = { readonly progress: (payload: unknown) => Promise<void> }

export async function startWorld(given: Given = {}, options: McpOptions = {}, port = 0) {
  const effects: unknown[] = []
  const fixture = await startFixture({
    clock: Date.now,
    capabilities: CAPABILITIES as never,
    handlers: {
      search: ({ city }: { readonly city: string }) => ({ found: `Hotels in ${city}` }),
      'trip.book': (inputs: { readonly hotel: string }) => (effects.push(inputs), { booked: inputs.hotel }),
      ask: () => ({}),
      slow: async (_: object, { progress }: Progress) => {
        await progress({ done: 1 })
        await progress({ done: 2 })
        // A client of MCP forgets its listener when the result comes in the same chunk.
        await new Promise((resolve) => setTimeout(resolve, 200))
        return {}
      },
      secret: () => ({}),
    },
    manifest: { approvals: { ...APPROVALS, approver_scope: 'approver:book' } },
    ...given,
    // Clients keep their connections: nobody waits for them.
    limits: { shutdownMs: 500, ...given.limits },
  })
  const { url, close } = await serve(fixture.service, { port, surfaces: [mcp(options)] })
  onTestFinished(close)
  const { token, token_id } = await fixture.root({ subject: 'agent:planner' })
  const approve = (id: string) =>
    fixture.post('/svc/approval_grants', 'bob-key', { approval_request_id: id, grant_type: 'one_time' })
  return { fixture, url, close, token, token_id, effects, approve }
}

export type World = Awaited<ReturnType<typeof startWorld>>

const headersOf = (token: string) => ({ requestInit: { headers: { authorization: `Bearer ${token}` } } })

export type Answered = {
  readonly isError?: boolean
  readonly structuredContent?: { readonly [name: string]: never }
  readonly content: readonly { readonly type: string; readonly text?: string }[]
  readonly _meta?: { readonly [name: string]: unknown }
}

/** What every client here can do, whatever its package calls it. */
export interface Agent {
  readonly list: () => Promise<readonly { readonly name: string; readonly [member: string]: unknown }[]>
  readonly call: (
    name: string,
    args?: object,
    meta?: object,
    onprogress?: (progress: { readonly progress: number; readonly message?: string }) => void,
  ) => Promise<Answered>
}

export async function legacy(world: World, token = world.token): Promise<Agent> {
  const client = new LegacyClient({ name: 'legacy', version: '1.0.0' })
  await client.connect(new LegacyHttp(new URL(`${world.url}/mcp`), headersOf(token)) as never)
  onTestFinished(() => client.close())
  return {
    list: async () => (await client.listTools()).tools as never,
    call: async (name, args = {}, _meta, onprogress) =>
      (await client.callTool(
        { name, arguments: args as never, ...(_meta && { _meta: _meta as never }) },
        undefined,
        onprogress && { onprogress: onprogress as never },
      )) as never,
  }
}

export interface Elicited {
  readonly mode?: string
  readonly url?: string
  readonly message: string
}

export async function modern(
  world: World,
  { token = world.token, elicit }: { readonly token?: string; readonly elicit?: (asked: Elicited) => unknown } = {},
): Promise<Agent> {
  const client = new ModernClient(
    { name: 'modern', version: '1.0.0' },
    {
      versionNegotiation: { mode: 'auto' },
      capabilities: elicit === undefined ? {} : { elicitation: { url: {}, form: {} } },
    },
  )
  if (elicit !== undefined)
    client.setRequestHandler('elicitation/create', async ({ params }) => (await elicit(params as never)) as never)
  await client.connect(new ModernHttp(new URL(`${world.url}/mcp`), headersOf(token)))
  onTestFinished(() => client.close())
  return {
    list: async () => (await client.listTools()).tools as never,
    call: async (name, args = {}, _meta, onprogress) =>
      (await client.callTool(
        { name, arguments: args as never, ...(_meta && { _meta: _meta as never }) },
        { timeout: 60_000, ...(onprogress && { onprogress: onprogress as never }) },
      )) as never,
  }
}
