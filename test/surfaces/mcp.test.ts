import { once } from 'node:events'
import http from 'node:http'
import { describe, expect, it } from 'vitest'
import { capability, input } from '../runtime/fixture/manifest.js'
import { legacy, modern, startWorld, type Agent, type World } from './mcp-world.js'

const ERAS: readonly (readonly [string, (world: World, token?: string) => Promise<Agent>])[] = [
  ['legacy', legacy],
  ['modern', (world, token) => modern(world, token === undefined ? {} : { token })],
]

interface Refused {
  readonly type: string
  readonly reason?: string
  readonly approval_request_id: string
}

const failureOf = (answer: Awaited<ReturnType<Agent['call']>>) =>
  answer.structuredContent!['failure'] as unknown as Refused

describe.each(ERAS)('MCP of the %s era', (era, connect) => {
  it('lists what the token may call, and nothing else: S8', async () => {
    const agent = await connect(await startWorld())
    expect((await agent.list()).map(({ name }) => name).sort()).toEqual(['ask', 'search', 'slow', 'trip__book'])
  })

  it('offers _approval to clients of the legacy era alone: S6', async () => {
    const agent = await connect(await startWorld())
    const book = (await agent.list()).find(({ name }) => name === 'trip__book')!
    const { properties } = book['inputSchema'] as { properties: object }
    expect('_approval' in properties).toBe(era === 'legacy')
    expect(book['annotations']).toMatchObject({ readOnlyHint: false, destructiveHint: true })
  })

  it('gives the result, as structured content and as text', async () => {
    const agent = await connect(await startWorld())
    const answer = await agent.call('search', { city: 'Faro' })
    expect(answer.structuredContent).toEqual({ found: 'Hotels in Faro' })
    expect(answer.content).toEqual([{ type: 'text', text: '{"found":"Hotels in Faro"}' }])
    const { _meta: meta } = answer
    expect(meta!['svc-kit/invocation']).toMatchObject({ invocation_id: expect.stringMatching(/^inv-/u) as string })
  })

  it('leaves the trail that the same calls over HTTP leave: S2', async () => {
    const world = await startWorld()
    const agent = await connect(world)
    const calls = [
      ['search', { city: 'Faro' }],
      ['search', {}],
      ['secret', {}],
    ] as const
    for (const [name, args] of calls) await agent.call(name, args)
    for (const [name, args] of calls) await world.fixture.invoke(name, world.token, { parameters: args })
    const entries = (await world.fixture.trail(world.token)).filter(({ entry_type }) => entry_type === 'invocation')
    const told = entries.reverse().map(({ capability, success, failure_type, actor_key }) => ({ capability, success, failure_type, actor_key })) // prettier-ignore
    expect(told.slice(0, 3)).toEqual(told.slice(3))
    expect(told).toHaveLength(6)
  })

  it('goes on by the same call after the approval, once: S6', async () => {
    const world = await startWorld()
    const agent = await connect(world)
    const asked = failureOf(await agent.call('trip__book', { hotel: 'Ritz' }))
    expect(asked.type).toBe('approval_required')
    await world.approve(asked.approval_request_id)
    const done = await agent.call('trip__book', { hotel: 'Ritz' })
    expect(done.structuredContent).toEqual({ booked: 'Ritz' })
    expect(world.effects).toHaveLength(1)
  })

  it('goes on by _meta, and says why it cannot: S6', async () => {
    const world = await startWorld()
    const agent = await connect(world)
    const id = failureOf(await agent.call('trip__book', { hotel: 'Ritz' })).approval_request_id
    await world.approve(id)
    const meta = { 'svc-kit/approval_request': id }
    const other = failureOf(await agent.call('trip__book', { hotel: 'Savoy' }, meta))
    expect([other.type, other.reason]).toEqual(['approval_grant_invalid', 'parameters_mismatch'])
    expect((await agent.call('trip__book', { hotel: 'Ritz' }, meta)).structuredContent).toEqual({ booked: 'Ritz' })
    const again = failureOf(await agent.call('trip__book', { hotel: 'Ritz' }, meta))
    expect([again.type, again.reason]).toEqual(['approval_grant_invalid', 'consumed'])
    expect(world.effects).toHaveLength(1)
  })

  it.each(['idempotency_key', 'task_id', 'client_reference_id', 'parent_invocation_id', 'approval_request'])(
    'is refused with a %s that is no text, as over HTTP: it is not taken for none',
    async (name) => {
      const world = await startWorld()
      const agent = await connect(world)
      for (const value of [7, {}, ['x'], false]) {
        const answer = await agent.call('search', { city: 'Faro' }, { [`svc-kit/${name}`]: value })
        expect([value, answer.isError, failureOf(answer).type]).toEqual([value, true, 'invalid_parameters'])
      }
      const entries = await world.fixture.trail(world.token)
      expect(entries.filter(({ capability, success }) => capability === 'search' && success === true)).toEqual([])
    },
  )

  it('gets the result of an effect although its token ended meanwhile', async () => {
    const holder: { revoke?: () => Promise<unknown> } = {}
    const world = await startWorld({ handlers: { search: async () => (await holder.revoke?.(), { found: 'x' }) } })
    holder.revoke = () => world.fixture.post('/svc/tokens/revoke', 'ana-key', { token_id: world.token_id })
    const agent = await connect(world)
    expect((await agent.call('search', { city: 'Faro' })).structuredContent).toEqual({ found: 'x' })
  })

  it('ends with the token: S9', async () => {
    const world = await startWorld()
    const agent = await connect(world)
    await world.fixture.post('/svc/tokens/revoke', 'ana-key', { token_id: world.token_id })
    await expect(agent.list()).rejects.toThrow()
    await expect(agent.call('search', { city: 'Faro' })).rejects.toThrow()
  })
})

it('calls what answers in a stream alone, whether progress is asked for or not', async () => {
  const capabilities = { watch: capability({ response_modes: ['streaming'] }) }
  const world = await startWorld({ capabilities, handlers: { watch: () => ({}) } })
  for (const connect of [legacy, modern]) expect((await (await connect(world)).call('watch')).isError).toBeUndefined()
})

it('leaves _approval to a capability that has an input of the name', async () => {
  const seen: unknown[] = []
  const policy = { allowed_grant_types: ['one_time'], default_grant_type: 'one_time', expires_in_seconds: 900, max_uses: 1 } as const // prettier-ignore
  const sign = capability({
    side_effect: { type: 'irreversible' },
    inputs: [input('_approval', { description: 'Of the board.' }), input('amount', { type: 'number' })],
    approval: { required: { when: [{ input: 'amount', above: 100 }] }, grant_policy: policy },
  })
  const world = await startWorld({ capabilities: { sign }, handlers: { sign: (given: object) => (seen.push(given), {}) } }) // prettier-ignore
  const agent = await legacy(world)
  const { properties } = (await agent.list())[0]!['inputSchema'] as { readonly properties: { readonly [name: string]: object } } // prettier-ignore
  expect(properties['_approval']).toMatchObject({ description: 'Of the board.' })
  await agent.call('sign', { _approval: 'apr_1', amount: 5 })
  expect(seen).toEqual([{ _approval: 'apr_1', amount: 5 }])
})

it('goes on by _approval, which is in no digest: S6', async () => {
  const world = await startWorld()
  const agent = await legacy(world)
  const id = failureOf(await agent.call('trip__book', { hotel: 'Ritz' })).approval_request_id
  await world.approve(id)
  const done = await agent.call('trip__book', { hotel: 'Ritz', _approval: id })
  expect(done.structuredContent).toEqual({ booked: 'Ritz' })
})

describe('a client of the modern era that can show a page', () => {
  const page = { approvalUrl: (id: string) => `https://approve.example/${id}` }

  it('gets the result of one call after the decision: S3', async () => {
    const world = await startWorld({}, page)
    const prompts: unknown[] = []
    const agent = await modern(world, {
      elicit: ({ mode, url, message }) => {
        prompts.push([mode, message])
        setTimeout(() => void world.approve(url!.split('/').at(-1)!), 700)
        return { action: 'accept' }
      },
    })
    const done = await agent.call('trip__book', { hotel: 'Ritz' })
    expect(done.structuredContent).toEqual({ booked: 'Ritz' })
    expect(prompts).toEqual([['url', expect.stringContaining('needs an approval') as string]])
    expect(world.effects).toHaveLength(1)
  })

  it('is shown the page of the console, where the service has one', async () => {
    const world = await startWorld()
    world.fixture.service.pages.approval = (id) => `https://svc.example/-/console/approvals/${id}`
    const urls: (string | undefined)[] = []
    const elicit = ({ url }: { readonly url?: string }) => (urls.push(url), { action: 'decline' as const })
    const refused = failureOf(await (await modern(world, { elicit })).call('trip__book', { hotel: 'Ritz' }))
    expect(urls).toEqual([`https://svc.example/-/console/approvals/${refused.approval_request_id}`])
  })

  it('is shown the page that mcp() names before that of the console', async () => {
    const world = await startWorld({}, page)
    world.fixture.service.pages.approval = (id) => `https://svc.example/-/console/approvals/${id}`
    const urls: string[] = []
    const elicit = ({ url }: { readonly url?: string }) => (urls.push(url!), { action: 'decline' as const })
    await (await modern(world, { elicit })).call('trip__book', { hotel: 'Ritz' })
    expect(urls.map((url) => new URL(url).host)).toEqual(['approve.example'])
  })

  it('is shown no page of what has been denied', async () => {
    const world = await startWorld({}, page)
    const call = async (agent: Agent) => failureOf(await agent.call('trip__book', { hotel: 'Ritz' }))
    const { approval_request_id: id } = await call(await modern(world))
    await world.fixture.post(`/svc/approval_requests/${String(id)}/deny`, 'bob-key', {})
    const shown: unknown[] = []
    const elicit = (asked: unknown) => (shown.push(asked), { action: 'accept' as const })
    expect(await call(await modern(world, { elicit }))).toMatchObject({ decision: { status: 'denied' } })
    expect(shown).toEqual([])
  })

  it('has one effect under one key, though it waits for a decision', async () => {
    const world = await startWorld({}, page)
    const agent = await modern(world, {
      elicit: ({ url }) => (void world.approve(url!.split('/').at(-1)!), { action: 'accept' }),
    })
    const meta = { 'svc-kit/idempotency_key': 'one-trip' }
    const first = await agent.call('trip__book', { hotel: 'Ritz' }, meta)
    const again = await agent.call('trip__book', { hotel: 'Ritz' }, meta)
    expect([first.structuredContent, again.structuredContent]).toEqual([{ booked: 'Ritz' }, { booked: 'Ritz' }])
    expect(world.effects).toHaveLength(1)
  })

  it.each(['decline', 'cancel'])('withdraws the request when the person answers %s', async (action) => {
    const world = await startWorld({}, page)
    const agent = await modern(world, { elicit: () => ({ action }) })
    const refused = failureOf(await agent.call('trip__book', { hotel: 'Ritz' }))
    expect(refused).toMatchObject({ type: 'approval_required', decision: { status: 'withdrawn' } })
    expect(world.effects).toEqual([])
  })

  it('is told what was decided where the person declines too late', async () => {
    const world = await startWorld({}, page)
    const agent = await modern(world, {
      elicit: async ({ url }) => {
        await world.fixture.post(`/svc/approval_requests/${url!.split('/').at(-1)!}/deny`, 'bob-key', {})
        return { action: 'decline' }
      },
    })
    expect(failureOf(await agent.call('trip__book', { hotel: 'Ritz' }))).toMatchObject({
      detail: 'Denied by a person.',
      decision: { status: 'denied', reason: null, decided_at: expect.stringMatching(/^\d{4}-/u) as string },
    })
  })

  it('is told of a denial with its reason', async () => {
    const world = await startWorld({}, page)
    const agent = await modern(world, {
      elicit: ({ url }) => {
        void world.fixture.post(`/svc/approval_requests/${url!.split('/').at(-1)!}/deny`, 'bob-key', {
          reason: 'Too dear',
        })
        return { action: 'accept' }
      },
    })
    expect(failureOf(await agent.call('trip__book', { hotel: 'Ritz' }))).toMatchObject({
      detail: 'Denied by a person: Too dear.',
      decision: { status: 'denied', reason: 'Too dear' },
    })
  })

  it('is asked for what a call lacks, once', async () => {
    const world = await startWorld()
    let asked = 0
    const agent = await modern(world, {
      elicit: () => ((asked += 1), { action: 'accept', content: { place: 'Faro' } }),
    })
    expect((await agent.call('ask', {})).isError ?? false).toBe(false)
    expect(asked).toBe(1)
  })
})

describe('what is no MCP client', () => {
  const post = (world: World, headers: object, body: unknown = { jsonrpc: '2.0', id: 1, method: 'ping' }) =>
    fetch(`${world.url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })

  it.each([
    ['nothing', {}, 'Bearer resource_metadata="https://svc.example/.well-known/oauth-protected-resource/mcp"'],
    ['an API key', { authorization: 'Bearer ana-key' }, 'Bearer resource_metadata="https://svc.example/.well-known/oauth-protected-resource/mcp", error="invalid_token"'], // prettier-ignore
  ])('is refused with %s: S10', async (_, headers, challenge) => {
    const world = await startWorld({}, { publicUrl: 'https://svc.example' })
    const response = await post(world, headers)
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, challenge])
    const metadata = await fetch(`${world.url}/.well-known/oauth-protected-resource/mcp`)
    expect(await metadata.json()).toEqual({ resource: 'https://svc.example/mcp', bearer_methods_supported: ['header'] })
  })

  it('is refused from a page of another host: S12', async () => {
    const world = await startWorld()
    const response = await post(world, { authorization: `Bearer ${world.token}`, origin: 'https://evil.example' })
    expect(response.status).toBe(403)
  })

  it.each(['evil.example', 'evil.example:80', '127.0.0.1.evil.example', ''])(
    'is refused under the host name %j, whatever the request says beside: S12',
    async (host) => {
      const world = await startWorld()
      const { hostname, port } = new URL(world.url)
      const headers = { host, authorization: `Bearer ${world.token}`, 'content-type': 'application/json' }
      const request = http.request({ hostname, port, path: '/mcp', method: 'POST', setHost: false, headers })
      const [response] = (await once(request.end('{"jsonrpc":"2.0","id":1,"method":"ping"}'), 'response')) as [http.IncomingMessage] // prettier-ignore
      response.resume()
      expect([400, 403]).toContain(response.statusCode)
    },
  )

  it('gets no batch, and no method but POST', async () => {
    const world = await startWorld()
    const authorization = `Bearer ${world.token}`
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    expect((await post(world, { authorization }, [list, list])).status).toBe(400)
    for (const method of ['GET', 'DELETE', 'PUT', 'OPTIONS'])
      expect((await fetch(`${world.url}/mcp`, { method, headers: { authorization } })).status).toBe(405)
  })

  it('is limited in how often it asks', async () => {
    const world = await startWorld({ limits: { mcpMessagesPerMinute: 2 } })
    const statuses: number[] = []
    const other = await world.fixture.root({ subject: 'agent:other' })
    for (const token of [world.token, other.token, world.token])
      statuses.push((await post(world, { authorization: `Bearer ${token}` })).status)
    expect(statuses).toEqual([200, 200, 429])
  })

  it('sends what takes no more memory than the rest of its person leaves: N10', async () => {
    const world = await startWorld({ limits: { bodyBytesInFlightPerPrincipal: 100_000 } })
    const others = world.fixture.service.bodies.begin({ pool: 'known', root: 'human:ana', tokens: [] })
    const status = async () => (await post(world, { authorization: `Bearer ${world.token}` })).status
    others.take(99_700)
    expect(await status()).toBe(429)
    others.end()
    expect(await status()).toBe(200)
  })

  it.each([
    '{',
    '[]',
    '[1]',
    '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}',
    `${'['.repeat(100)}${']'.repeat(100)}`,
  ])('is refused with %s, and the service goes on', async (body) => {
    const world = await startWorld()
    const response = await post(world, { authorization: `Bearer ${world.token}` }, body)
    expect(response.status).toBe(400)
    expect((await post(world, { authorization: `Bearer ${world.token}` })).status).toBe(200)
  })
})
