/** What operators and auditors do over HTTP, on both stores (decisions, section 13). */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { ApiKey } from '../../src/runtime/index.js'
import type { ApiKeys } from '../../src/runtime/credentials/api-keys.js'
import { endingKeys, findUnknownKeys } from '../../src/runtime/operate/ended-keys.js'
import type { Storage } from '../../src/runtime/storage/contract.js'
import { openPostgres } from '../../src/runtime/storage/postgres/index.js'
import { openSqlite } from '../../src/runtime/storage/sqlite/index.js'
import { capability } from './fixture/manifest.js'
import { API_KEYS, startFixture, type Entry } from './fixture/service.js'
import { startPostgres, type PostgresServer } from './storage/postgres-server.js'

const key = (name: string, rest: Omit<ApiKey, 'id' | 'sha256'>): ApiKey => ({
  id: name.replace('-key', ''),
  sha256: createHash('sha256').update(name).digest('hex'),
  ...rest,
})

const KEYS: readonly ApiKey[] = [
  ...API_KEYS,
  key('aud-key', { principal: 'human:aud', roles: ['auditor'], scopes: ['travel.search'] }),
  key('met-key', { principal: 'service:prometheus', roles: ['metrics'] }),
  key('mallory-key', { principal: 'human:mallory', scopes: ['operator', 'role:operator', 'travel.search'] }),
  key('ana2-key', { principal: 'human:ana' }),
]

const capabilities = {
  search: capability(),
  book: capability({
    side_effect: { type: 'irreversible' },
    approval: { required: 'always', grant_policy: { allowed_grant_types: ['one_time'], default_grant_type: 'one_time', expires_in_seconds: 600, max_uses: 1 } },
  }),
} // prettier-ignore

describe.each(['SQLite', 'PostgreSQL'])('on %s', (engine) => {
  let server: PostgresServer | undefined
  const opened: Storage[] = []
  let made = 0
  beforeAll(async () => {
    if (engine === 'PostgreSQL') server = await startPostgres(['fsync=off'])
  }, 60_000)
  afterAll(async () => {
    await Promise.all(opened.map((each) => each.close()))
    await server?.stop()
  })

  const start = async () => {
    const storage =
      server === undefined
        ? await openSqlite({ file: ':memory:' })
        : await openPostgres({ connectionString: await server.database(`operators_${++made}`), schema: 'migrate' })
    opened.push(storage)
    const fixture = await startFixture({ storage, apiKeys: KEYS, capabilities, clock: Date.now })
    const op = (path: string, body: object) => fixture.post(path, 'op-key', body)
    const get = (path: string, bearer = 'op-key') => fixture.call('GET', path, { bearer })
    const trail = async (query = '') =>
      (await fixture.post(`/-/audit${query}`, 'aud-key')).body['entries'] as unknown as readonly Entry[]
    return { ...fixture, op, get, trail }
  }

  it('N25: no scope, no token and no other role opens what a role opens', async () => {
    const { call, issued } = await start()
    const { token } = await issued('op-key', { scope: [] }).catch(() => issued('mallory-key', { scope: ['travel.search'] })) // prettier-ignore
    const child = await issued('mallory-key', { scope: ['travel.search'], subject: 'agent:x' })
    const asked = [
      ['GET', '/-/tokens'], ['POST', '/-/tokens/revoke'], ['GET', '/-/blocks'], ['POST', '/-/blocks/{id}/lift'], ['GET', '/-/capabilities'],
      ['POST', '/-/capabilities/{name}/pause'], ['POST', '/-/capabilities/{name}/resume'], ['GET', '/-/approval_requests'],
    ] as const // prettier-ignore
    for (const [method, path] of asked) {
      const open = path.replace('{id}', 'blk_x').replace('{name}', 'search')
      for (const bearer of ['mallory-key', 'ana-key', 'aud-key', 'met-key', token, child.token]) {
        const { status, body } = await call(method, open, {
          bearer,
          ...(method === 'POST' && { body: { reason: 'r' } }),
        })
        expect([path, status, body['failure']!['type']]).toEqual([path, 403, 'insufficient_authority'])
      }
      expect((await call(method, open, { headers: { cookie: '__Host-svc=op' } })).status).toBe(401)
    }
    for (const bearer of ['op-key', 'met-key', 'mallory-key', token])
      expect((await call('POST', '/-/audit', { bearer })).status).toBe(403)
  })

  it('a role buys no capability', async () => {
    const { post } = await start()
    for (const bearer of ['op-key', 'met-key'])
      expect((await post('/svc/tokens', bearer, { scope: ['travel.search'] })).body['failure']!['type']).toBe('scope_escalation') // prettier-ignore
    expect((await post('/svc/tokens', 'aud-key', { scope: ['travel.search'] })).status).toBe(200)
  })

  it('lists tokens, and ends those of an API key, which then buys no more until the block is lifted', async () => {
    const { issued, post, op, get, invoke, trail } = await start()
    const one = await issued('ana-key', { scope: ['travel.search'] })
    const below = await issued(one.token, { scope: ['travel.search'], subject: 'agent:x', parent_token: one.token_id })
    const other = await issued('ana2-key', { scope: ['travel.search'] })
    const listed = (await get('/-/tokens?api_key=ana')).body
    expect([listed['count'], listed['tokens']![0]]).toMatchObject([1, { token_id: one.token_id, state: 'live', credential: { api_key: 'ana' } }]) // prettier-ignore
    const ended = await op('/-/tokens/revoke', { api_key: 'ana', reason: 'Leaked.' })
    expect(ended.body).toMatchObject({ revoked: true, tokens: 1, block: { kind: 'api_key', value: 'ana', reason: 'Leaked.' } }) // prettier-ignore
    expect((await invoke('search', one.token)).body['failure']!['type']).toBe('token_revoked')
    expect((await invoke('search', below.token)).body['failure']!['type']).toBe('token_revoked')
    expect((await invoke('search', other.token)).body['success']).toBe(true)
    expect((await get('/-/tokens?subject=agent:x&state=live')).body['count']).toBe(0)
    expect((await get('/-/tokens?subject=agent:x&state=revoked')).body['count']).toBe(1)
    expect((await post('/svc/tokens', 'ana-key', { scope: ['travel.search'] })).body['failure']).toMatchObject({ type: 'insufficient_authority' }) // prettier-ignore
    expect((await post('/svc/tokens', 'ana2-key', { scope: ['travel.search'] })).status).toBe(200)
    const { block_id } = (await get('/-/blocks')).body['blocks']![0]!
    expect((await op(`/-/blocks/${block_id as unknown as string}/lift`, {})).body['lifted_by']).toBe('human:op')
    expect((await op(`/-/blocks/${block_id as unknown as string}/lift`, {})).status).toBe(404)
    expect((await post('/svc/tokens', 'ana-key', { scope: ['travel.search'] })).status).toBe(200)
    expect((await invoke('search', one.token)).body['failure']!['type']).toBe('token_revoked')
    const actions = await trail('?entry_type=operator_action')
    expect(actions.map((entry) => [entry['actor_key'], entry['credential'], entry['operated']])).toEqual([
      ['human:op', { api_key: 'op' }, { name: 'block_lifted', target: { api_key: 'ana' }, block_id }],
      ['human:op', { api_key: 'op' }, { name: 'tokens_revoked', target: { api_key: 'ana' }, reason: 'Leaked.', tokens: 1, token_ids: [one.token_id], block_id }],
    ]) // prettier-ignore
  })

  it('blocks whoever buys before it ends what was bought: nothing comes in between', async () => {
    const { op, post, storage } = await start()
    const { endTokens } = storage.operators
    const bought: number[] = []
    Object.assign(storage.operators, {
      endTokens: async (...given: Parameters<typeof endTokens>) => {
        const ended = await endTokens(...given)
        bought.push((await post('/svc/tokens', 'ana-key', { scope: ['travel.search'] })).status)
        return ended
      },
    })
    await op('/-/tokens/revoke', { principal: 'human:ana', reason: 'Gone.' })
    expect(bought).toEqual([403])
  })

  it('ends the sessions of a principal by all of its names', async () => {
    const { op, storage } = await start()
    const account = { issuer: 'https://idp.example', subject: '7' }
    await storage.accounts.remember(account, 'human:ana')
    await storage.accounts.remember(account, 'human:ana.b')
    const session = { hash: 'b'.repeat(64), principal: 'human:ana.b', credential: account } as const
    await storage.sessions.begin(session, 60_000, 60_000)
    await op('/-/tokens/revoke', { principal: 'human:ana', reason: 'Gone.' })
    expect(await storage.sessions.look(session.hash)).toBeUndefined()
  })

  it('blocks a principal whatever key it shows, also to approve, and a subject whoever names it', async () => {
    const { issued, post, op, invoke, storage } = await start()
    const { token } = await issued('ana2-key', { scope: ['travel.search'] })
    const session = { hash: 'a'.repeat(64), principal: 'human:ana', credential: { api_key: 'ana' } } as const
    await storage.sessions.begin(session, 60_000, 60_000)
    expect((await op('/-/tokens/revoke', { principal: 'human:ana', reason: 'Gone.' })).body['tokens']).toBe(1)
    expect(await storage.sessions.look(session.hash)).toBeUndefined()
    for (const bearer of ['ana-key', 'ana2-key']) {
      expect((await post('/svc/tokens', bearer, { scope: ['travel.search'] })).status).toBe(403)
      expect((await post('/svc/approval_grants', bearer, { approval_request_id: 'apr_x' })).status).toBe(403)
    }
    expect((await invoke('search', token)).body['failure']!['type']).toBe('token_revoked')
    await op('/-/tokens/revoke', { subject: 'agent:rogue', reason: 'Loops.' })
    expect((await post('/svc/tokens', 'eve-key', { scope: ['travel.search'], subject: 'agent:rogue' })).status).toBe(
      403,
    )
    expect((await post('/svc/tokens', 'eve-key', { scope: ['travel.search'], subject: 'agent:calm' })).status).toBe(200)
  })

  it('ends a token that was stored while its buyer was being blocked', async () => {
    const { issued, op, post, storage } = await start()
    const insert = storage.tokens.insert
    const { token } = await issued('eve-key', { scope: ['travel.search'] })
    expect(token).toBeDefined()
    Object.assign(storage.tokens, {
      insert: async (...given: Parameters<typeof insert>) => {
        await op('/-/tokens/revoke', { api_key: 'eve', reason: 'At the same time.' })
        return insert(...given)
      },
    })
    const late = await post('/svc/tokens', 'eve-key', { scope: ['travel.search'] })
    expect([late.status, late.body['failure']!['type']]).toEqual([403, 'insufficient_authority'])
    expect((await storage.operators.tokens({ api_key: 'eve', limit: 9 })).every(({ revoked_at }) => revoked_at)).toBe(
      true,
    )
  })

  it('ends tokens by capability and by id without a block, and refuses what is not one target', async () => {
    const { issued, op, get } = await start()
    await issued('ana-key', { scope: ['travel.search'], capability: 'search' })
    const { token_id } = await issued('ana-key', { scope: ['travel.search'] })
    expect((await op('/-/tokens/revoke', { capability: 'search', reason: 'Bug.' })).body).toEqual({ revoked: true, tokens: 1 }) // prettier-ignore
    expect((await op('/-/tokens/revoke', { token_id, reason: 'Bug.' })).body).toEqual({ revoked: true, tokens: 1 })
    expect((await get('/-/blocks')).body).toEqual({ blocks: [], count: 0 })
    for (const body of [
      { reason: 'r' },
      { token_id },
      { token_id, api_key: 'ana', reason: 'r' },
      { principal: 'ana', reason: 'r' },
    ])
      expect((await op('/-/tokens/revoke', body)).body['failure']!['type']).toBe('invalid_parameters')
  })

  it('pauses a capability: calls may be tried again, permissions do not show it, and it resumes', async () => {
    const { root, op, get, invoke, post, trail } = await start()
    const { token } = await root()
    expect((await op('/-/capabilities/search/pause', { reason: 'Supplier is down.' })).body['paused']).toMatchObject([
      { capability: 'search', reason: 'Supplier is down.', paused_by: 'human:op' },
    ])
    expect((await get('/-/capabilities')).body['paused']).toHaveLength(1)
    expect(await invoke('search', token)).toMatchObject({ status: 503, body: { failure: { type: 'service_unavailable', retry: true } } }) // prettier-ignore
    expect((await post('/svc/permissions', token)).body['available']![0]).toMatchObject({ capability: 'search' })
    expect((await op('/-/capabilities/none/pause', { reason: 'r' })).body['failure']!['type']).toBe(
      'unknown_capability',
    )
    expect((await op('/-/capabilities/search/resume', { reason: 'It is back.' })).body['paused']).toEqual([])
    expect((await op('/-/capabilities/search/resume', { reason: 'Twice.' })).status).toBe(404)
    expect((await invoke('search', token)).body['success']).toBe(true)
    expect((await trail('?entry_type=operator_action&actor=human:op')).map((entry) => (entry['operated'] as unknown as { name: string }).name)).toEqual(['capability_resumed', 'capability_paused']) // prettier-ignore
  })

  it('lists the approval requests of everybody, and takes a grant of somebody else back', async () => {
    const { root, invoke, get, op, issued, post } = await start()
    const { token } = await root()
    const asked = (await invoke('book', token)).body['failure']!
    const all = (await get('/-/approval_requests?status=pending')).body
    expect(all['approval_requests']).toMatchObject([{ approval_request_id: asked['approval_request_id'], capability: 'book' }]) // prettier-ignore
    const { token: approver } = await issued('bob-key', { scope: ['approver:book'] })
    const grant = (await post('/svc/approval_grants', approver, { approval_request_id: asked['approval_request_id'], grant_type: 'one_time' })).body // prettier-ignore
    expect((await post(`/-/approval_grants/${grant['grant_id']!}/revoke`, 'eve-key', { reason: 'r' })).status).toBe(404)
    expect((await op(`/-/approval_grants/${grant['grant_id']!}/revoke`, { reason: 'Wrong.' })).body['revoked']).toBe(true) // prettier-ignore
    expect((await invoke('book', token, { parameters: {}, approval_grant: grant['grant_id'] })).body['failure']).toMatchObject({ type: 'approval_grant_invalid', reason: 'revoked' }) // prettier-ignore
  })

  it('gives the auditor the trail of everybody, by filters and in pages', async () => {
    const { root, invoke, issued, post, trail } = await start()
    const { token } = await root()
    const eve = await issued('eve-key', { scope: ['travel.search'] })
    await invoke('search', token)
    const { invocation_id } = (await invoke('search', eve.token)).body
    expect((await trail()).map((entry) => [entry['entry_type'], entry['root_principal']])).toEqual([
      ['invocation', 'human:eve'], ['invocation', 'human:ana'], ['token_issued', 'human:eve'], ['token_issued', 'human:ana'],
    ]) // prettier-ignore
    const counts = await Promise.all(['?principal=human:eve', '?actor=human:ana', '?api_key=eve', '?capability=search', `?invocation_id=${invocation_id}`, '?success=false', '?until=2020-01-01T00:00:00Z'].map(async (query) => (await trail(query)).length)) // prettier-ignore
    expect(counts).toEqual([2, 2, 1, 2, 1, 0, 0])
    const first = (await post('/-/audit?limit=3', 'aud-key')).body
    expect(first['entries']).toHaveLength(3)
    const next = (await post(`/-/audit?limit=3&cursor=${first['next_cursor']!}`, 'aud-key')).body
    expect(next['entries']).toMatchObject([{ entry_type: 'token_issued' }])
  })

  it('ends what a key bought when the key is removed, revoked or expired, and knows what it never saw', async () => {
    const storage = (await start()).storage
    const expires_at = new Date(Date.now() + 3_600_000).toISOString()
    const eve = key('eve-key', { principal: 'human:eve' })
    const bot = key('bot-key', { principal: 'agent:bot' })
    const cat = key('cat-key', { principal: 'human:cat', expires_at })
    let file: readonly ApiKey[] | Error = [eve, bot, cat]
    const reload = async (): Promise<ApiKeys> => {
      if (file instanceof Error) throw file
      return Object.assign([...file], { reload })
    }
    const { service, issued, invoke } = await startFixture({ storage, capabilities, apiKeys: await reload(), clock: Date.now }) // prettier-ignore
    const tokens = await Promise.all(['eve-key', 'bot-key', 'cat-key'].map((each) => issued(each, { scope: ['travel.search'] }))) // prettier-ignore
    const standing = () => Promise.all(tokens.map(async ({ token }) => (await invoke('search', token)).status === 200))
    const judge = endingKeys()
    const read = () => service.apiKeys.reload().catch(() => undefined).then(() => judge(service)) // prettier-ignore
    await read()
    expect(await standing()).toEqual([true, true, true])
    file = new Error('not JSON')
    await read()
    expect(await standing()).toEqual([true, true, true])
    file = [{ ...bot, revoked: true }, cat]
    await read()
    expect(await standing()).toEqual([false, false, true])
    const later = { ...storage, now: async () => Date.now() + 3_600_001 }
    await judge({ ...service, storage: later })
    expect(await standing()).toEqual([false, false, false])
    const stranger = await startFixture({ storage, capabilities, apiKeys: [eve], clock: Date.now })
    await stranger.issued('eve-key', { scope: ['travel.search'] })
    const other = await startFixture({ storage, capabilities, apiKeys: [bot], clock: Date.now })
    await findUnknownKeys(other.service)
    expect(other.service.alarms.all()).toEqual(['api_key_unknown'])
    expect(other.logged.at(-1)).toContain('svc operate end --api-key eve')
    await other.storage.operators.endTokens('api_key', ['eve'], 1)
    await findUnknownKeys(other.service)
    expect(other.service.alarms.all()).toEqual([])
  })

  it('ends what a revoked key bought, also after the store has failed once', async () => {
    const { storage } = await start()
    const bot = key('bot-key', { principal: 'agent:bot' })
    const given = { storage, capabilities, clock: Date.now }
    const before = await startFixture({ ...given, apiKeys: [bot] })
    const { token } = await before.issued('bot-key', { scope: ['travel.search'] })
    const { service } = await startFixture({ ...given, apiKeys: [{ ...bot, revoked: true }] })
    const judge = endingKeys()
    vi.spyOn(service.storage.operators, 'endTokens').mockRejectedValueOnce(new Error('no connection'))
    await expect(judge(service)).rejects.toThrow('no connection')
    await judge(service)
    expect((await before.invoke('search', token)).body['failure']!['type']).toBe('token_revoked')
  })
})
