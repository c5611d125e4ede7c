/** A service behind MCP, and the clients that people have: both eras, over HTTP and over stdio. */
import { Client as ModernClient, StreamableHTTPClientTransport as ModernHttp } from '@modelcontextprotocol/client'
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { StreamableHTTPClientTransport as LegacyHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { onTestFinished } from 'vitest'
import { serve } from '../../src/runtime/node.js'
import { mcp, type McpOptions } from '../../src/runtime/surfaces/mcp/index.js'
import { capability, input } from '../runtime/fixture/manifest.js'
import { startFixture, type Given } from '../runtime/fixture/service.js'
import { lineTransport } from './line-transport.js'
import { validating } from './validator.js'

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
  const holds: { slow?: Promise<unknown> } = {}
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
        await holds.slow
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
  return { fixture, url, close, token, token_id, effects, approve, options, holds }
}

/**
 * Takes progress, and holds the result of `slow` until so much of it has come: a client of MCP forgets its listener when
 * the result is in the same chunk.
 */
export function progressOf(world: Pick<World, 'holds'>, most: number) {
  const seen: (readonly [number, string | undefined])[] = []
  let release: (value?: unknown) => void = () => undefined
  world.holds.slow = new Promise((resolve) => (release = resolve))
  const onprogress = ({ progress, message }: { readonly progress: number; readonly message?: string }) => {
    seen.push([progress, message])
    if (seen.length === most) release()
  }
  return { seen, onprogress }
}

export type World = Awaited<ReturnType<typeof startWorld>>

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

export type Over = 'HTTP' | 'stdio'

export interface Elicited {
  readonly mode?: string
  readonly url?: string
  readonly message: string
}

export interface Peering {
  readonly token?: string
  readonly over?: Over
  /** A file with the token, over stdio. */
  readonly file?: string
  /** What the client's user answers; a client without it can ask nobody. */
  readonly elicit?: (asked: Elicited) => unknown
  /** Is given every message that the client sends. */
  readonly onSend?: (message: { readonly method?: string }) => void
  /** Is given every text that the client receives. */
  readonly onReceive?: (text: string) => void
}

const ELICITATION = { elicitation: { url: {}, form: {} } }

export async function legacy(world: World, given: string | Peering = {}): Promise<Agent> {
  const peering = typeof given === 'string' ? { token: given } : given
  const { elicit } = peering
  const client = new LegacyClient(
    { name: 'legacy', version: '1.0.0' },
    { capabilities: elicit === undefined ? {} : ELICITATION, ...validating },
  )
  if (elicit !== undefined)
    client.setRequestHandler(ElicitRequestSchema, async ({ params }) => (await elicit(params as never)) as never)
  await client.connect(transportOf(world, peering, LegacyHttp as never) as never)
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

export async function modern(world: World, peering: Peering = {}): Promise<Agent> {
  const { elicit } = peering
  const client = new ModernClient(
    { name: 'modern', version: '1.0.0' },
    { versionNegotiation: { mode: 'auto' }, capabilities: elicit === undefined ? {} : ELICITATION, ...validating },
  )
  if (elicit !== undefined)
    client.setRequestHandler('elicitation/create', async ({ params }) => (await elicit(params as never)) as never)
  await client.connect(transportOf(world, peering, ModernHttp as never) as never)
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

type HttpTransport = new (url: URL, options: object) => object

function transportOf(world: World, peering: Peering, Http: HttpTransport): object {
  const { token = world.token, over, file, onSend, onReceive } = peering
  if (over === 'stdio')
    return lineTransport(
      world.fixture.service,
      world.options,
      file === undefined ? { token } : { file },
      onSend as never,
      onReceive,
    )
  const told: typeof fetch = async (address, request) => {
    if (typeof request?.body === 'string') onSend?.(JSON.parse(request.body) as object)
    const response = await fetch(address, request)
    if (onReceive === undefined) return response
    const text = await response.text()
    onReceive(`${JSON.stringify([...response.headers])}\n${text}`)
    return new Response(text === '' ? null : text, response)
  }
  return new Http(new URL(`${world.url}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
    ...((onSend ?? onReceive) && { fetch: told }),
  })
}

/** Each era, over each transport. */
export const CLIENTS = [
  ['legacy', 'HTTP', legacy],
  ['legacy', 'stdio', legacy],
  ['modern', 'HTTP', modern],
  ['modern', 'stdio', modern],
] as const satisfies readonly (readonly [string, Over, (world: World, peering: Peering) => Promise<Agent>])[]
