import { describe, expect, it, vi } from 'vitest'
import { capability } from './fixture/manifest.js'
import { startFixture } from './fixture/service.js'

const capabilities = {
  search: capability(),
  book: capability({ side_effect: { type: 'irreversible' }, minimum_scope: ['travel.book'] }),
}

describe('a root token', () => {
  it('carries what was asked for, within what the credential is entitled to', async () => {
    const { post } = await startFixture({ capabilities })
    const { status, body, headers } = await post('/svc/tokens', 'ana-key', {
      scope: ['travel.search', 'travel.book'],
      capability: 'book',
      purpose_parameters: { task_id: 'trip-7', team: 'sales' },
      budget: { currency: 'EUR', max_amount: 500 },
      ttl_hours: 1,
    })
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(body).toEqual({
      issued: true,
      token_id: expect.stringMatching(/^tok_[\w-]{27}$/u) as string,
      token: expect.stringMatching(/^ey[\w-]+\.[\w-]+\.[\w-]+$/u) as string,
      scope: ['travel.search', 'travel.book'],
      capability: 'book',
      task_id: 'trip-7',
      budget: { currency: 'EUR', max_amount: 500 },
      expires_at: '2026-03-01T13:00:00.000Z',
      expires: '2026-03-01T13:00:00.000Z',
    })
  })

  it.each([
    [undefined, { scope: ['travel.search'] }, 401, 'authentication_required'],
    ['wrong', { scope: ['travel.search'] }, 401, 'authentication_required'],
    ['gone-key', { scope: ['travel.search'] }, 401, 'authentication_required'],
    ['bot-key', { scope: ['travel.book'] }, 403, 'scope_escalation'],
    ['ana-key', { scope: ['approver:book'] }, 403, 'scope_escalation'],
    ['ana-key', { scope: ['travel.search'], caller_class: 'admin' }, 403, 'scope_escalation'],
    ['ana-key', { scope: ['travel.search'], subject: 'human:eve' }, 403, 'insufficient_authority'],
    ['bot-key', { scope: ['travel.search'], subject: 'human:ana' }, 403, 'insufficient_authority'],
    ['bot-key', { scope: ['travel.search'], subject: 'service:pay' }, 403, 'insufficient_authority'],
    ['ana-key', { scope: ['travel.search'], capability: 'fly' }, 404, 'unknown_capability'],
    ['ana-key', { scope: ['travel.search'], max_delegation_depth: 4 }, 403, 'delegation_depth_exceeded'],
    ['ana-key', { scope: [] }, 400, 'invalid_parameters'],
    ['ana-key', { scope: ['travel.search', 'travel.search'] }, 400, 'invalid_parameters'],
    ['ana-key', { scope: ['Travel.Search'] }, 400, 'invalid_parameters'],
    ['ana-key', { scope: ['travel.search'], subject: 'ana' }, 400, 'invalid_parameters'],
    ['ana-key', { scope: ['travel.search'], parent_token: 'ey.a.b' }, 400, 'invalid_parameters'],
    ['ana-key', { scope: ['travel.search'], ttl_hours: 25 }, 400, 'invalid_parameters'],
    ['ana-key', { scope: ['travel.search'], ttl_hours: 0 }, 400, 'invalid_parameters'],
    ['ana-key', { scope: ['travel.search'], budget: { currency: 'eur', max_amount: 1 } }, 400, 'invalid_parameters'],
    [
      'ana-key',
      { scope: ['travel.search'], budget: { currency: 'EUR', max_amount: 0.001 } },
      400,
      'invalid_parameters',
    ],
    ['ana-key', { scope: ['travel.search'], surprise: 1 }, 400, 'invalid_parameters'],
    ['ana-key', [], 400, 'invalid_parameters'],
  ])('for %s asking %j is refused: %i %s', async (key, asked, status, type) => {
    const { post } = await startFixture({ capabilities })
    const reply = await post('/svc/tokens', key, asked)
    expect([reply.status, reply.body['failure']?.['type']]).toEqual([status, type])
    expect(reply.body['success']).toBe(false)
    expect(reply.body['token_id']).toBeUndefined()
  })

  it('lasts two hours unless asked otherwise', async () => {
    const { root, invoke, time } = await startFixture()
    const { token, expires_at } = await root()
    expect(expires_at).toBe('2026-03-01T14:00:00.000Z')
    time.now += 2 * 3600_000 - 1000
    expect((await invoke('search', token)).status).toBe(200)
    time.now += 7000
    const late = await invoke('search', token)
    expect([late.status, late.body['failure']?.['type']]).toEqual([401, 'token_expired'])
  })
})

describe('a child token', () => {
  const parent = {
    scope: ['travel.search', 'travel.book'],
    subject: 'agent:planner',
    purpose_parameters: { task_id: 'trip-7', team: 'sales' },
    budget: { currency: 'EUR', max_amount: 500 },
    caller_class: 'internal',
    session_id: 'session-1',
    concurrent_branches: 'exclusive',
  }

  it.each([
    [{ scope: ['travel.search', 'travel.pay'] }, 403, 'scope_escalation'],
    [{ scope: ['travel.search'], budget: { currency: 'EUR', max_amount: 500.01 } }, 403, 'budget_exceeded'],
    [{ scope: ['travel.search'], budget: { currency: 'USD', max_amount: 1 } }, 403, 'budget_currency_mismatch'],
    [{ scope: ['travel.search'], purpose_parameters: { task_id: 'trip-8' } }, 403, 'purpose_mismatch'],
    [{ scope: ['travel.search'], purpose_parameters: { team: 'it' } }, 403, 'purpose_mismatch'],
    [{ scope: ['travel.search'], caller_class: 'partner' }, 403, 'scope_escalation'],
    [{ scope: ['travel.search'], session_id: 'session-2' }, 403, 'scope_escalation'],
    [{ scope: ['travel.search'], max_delegation_depth: 4 }, 403, 'delegation_depth_exceeded'],
    [{ scope: ['travel.search'], max_delegation_depth: 0 }, 403, 'delegation_depth_exceeded'],
    [{ scope: ['travel.search'], subject: 'human:ana' }, 403, 'insufficient_authority'],
    [{ scope: ['travel.search'], subject: undefined }, 400, 'invalid_parameters'],
    [{ scope: ['travel.search'], parent_token: undefined }, 403, 'insufficient_authority'],
    [{ scope: ['travel.search'], parent_token: 'tok_unknown' }, 403, 'insufficient_authority'],
  ])('asking %j is refused: %i %s', async (asked, status, type) => {
    const { post, root } = await startFixture({ capabilities })
    const { token, token_id } = await root(parent)
    const reply = await post('/svc/tokens', token, { subject: 'agent:worker', parent_token: token_id, ...asked })
    expect([reply.status, reply.body['failure']?.['type']]).toEqual([status, type])
  })

  it('inherits what it does not ask for', async () => {
    const { issued, root, storage } = await startFixture({ capabilities })
    const { token, token_id } = await root(parent)
    const child = await issued(token, {
      scope: ['travel.search'],
      subject: 'agent:worker',
      parent_token: token_id,
      ttl_hours: 24,
      concurrent_branches: 'allowed',
    })
    expect(child).toMatchObject({
      task_id: 'trip-7',
      budget: { currency: 'EUR', max_amount: 500 },
      expires_at: '2026-03-01T14:00:00.000Z',
      expires: '2026-03-01T14:00:00.000Z',
    })
    const stored = (await storage.tokens.chain(child.token_id))?.[1]
    expect(stored?.claims).toMatchObject({
      sub: 'agent:worker',
      root_principal: 'human:ana',
      purpose: { parameters: { task_id: 'trip-7', team: 'sales' }, task_id: 'trip-7' },
      constraints: { concurrent_branches: 'exclusive', max_delegation_depth: 3 },
      caller_class: 'internal',
      session_id: 'session-1',
    })
  })

  it('stays within the capability that its parent is bound to', async () => {
    const { issued, root, post, invoke } = await startFixture({ capabilities })
    const { token, token_id } = await root({ scope: ['travel.search', 'travel.book'], capability: 'search' })
    const asked = { scope: ['travel.search', 'travel.book'], subject: 'agent:worker', parent_token: token_id }
    expect((await post('/svc/tokens', token, { ...asked, capability: 'book' })).body['failure']?.['type']).toBe(
      'scope_escalation',
    )
    const child = await issued(token, asked)
    expect(child.capability).toBe('search')
    expect((await invoke('book', child.token)).body['failure']?.['type']).toBe('purpose_mismatch')
  })

  it('goes as deep as the service allows, and no deeper', async () => {
    const { issued, root, post } = await startFixture()
    let parent = await root({ subject: 'agent:0' })
    for (const depth of [1, 2, 3])
      parent = await issued(parent.token, {
        scope: ['travel.search'],
        subject: `agent:${depth}`,
        parent_token: parent.token_id,
      })
    const deeper = await post('/svc/tokens', parent.token, {
      scope: ['travel.search'],
      subject: 'agent:4',
      parent_token: parent.token_id,
    })
    expect(deeper.body['failure']?.['type']).toBe('delegation_depth_exceeded')
  })

  it('may be issued with the credential of its subject, which it defaults to', async () => {
    const { issued, root, storage, post } = await startFixture()
    const { token_id } = await root({ subject: 'agent:bot' })
    const child = await issued('bot-key', { scope: ['travel.search'], parent_token: token_id })
    expect((await storage.tokens.chain(child.token_id))?.at(-1)?.claims.sub).toBe('agent:bot')
    const foreign = await post('/svc/tokens', 'eve-key', { scope: ['travel.search'], parent_token: token_id })
    const unknown = await post('/svc/tokens', 'eve-key', { scope: ['travel.search'], parent_token: 'tok_unknown' })
    expect(foreign.status).toBe(403)
    expect(foreign.body).toEqual(unknown.body)
  })
})

describe('revocation', () => {
  it('ends a token and everything below it at once', async () => {
    const { issued, root, post, invoke } = await startFixture()
    const parent = await root({ subject: 'agent:planner' })
    const child = await issued(parent.token, {
      scope: ['travel.search'],
      subject: 'agent:worker',
      parent_token: parent.token_id,
    })
    expect((await invoke('search', child.token)).status).toBe(200)
    const reply = await post('/svc/tokens/revoke', 'ana-key', { token_id: parent.token_id })
    expect(reply.body).toEqual({ revoked: true, token_id: parent.token_id, descendants: 1 })
    for (const { token } of [parent, child]) {
      const refused = await invoke('search', token)
      expect([refused.status, refused.body['failure']?.['type']]).toEqual([401, 'token_revoked'])
    }
  })

  it('is for the root principal, the token itself and its ancestors', async () => {
    const { issued, root, post } = await startFixture()
    const parent = await root({ subject: 'agent:planner' })
    const child = await issued(parent.token, {
      scope: ['travel.search'],
      subject: 'agent:worker',
      parent_token: parent.token_id,
    })
    expect((await post('/svc/tokens/revoke', child.token, { token_id: parent.token_id })).status).toBe(403)
    expect((await post('/svc/tokens/revoke', 'eve-key', { token_id: parent.token_id })).status).toBe(403)
    expect((await post('/svc/tokens/revoke', 'eve-key', { token_id: 'tok_unknown' })).status).toBe(403)
    expect((await post('/svc/tokens/revoke', parent.token, { token_id: child.token_id })).status).toBe(200)
    expect((await post('/svc/tokens/revoke', parent.token, { token_id: parent.token_id })).status).toBe(200)
  })
})

it('a token is revoked by no other one whose subject has the same name', async () => {
  const { issued, root, post, invoke } = await startFixture()
  const asked = { scope: ['travel.search'], subject: 'agent:planner' }
  const { token, token_id } = await root(asked)
  const namesakes = [await root(asked), await issued('eve-key', asked)]
  for (const namesake of namesakes)
    expect((await post('/svc/tokens/revoke', namesake.token, { token_id })).status).toBe(403)
  expect((await invoke('search', token)).status).toBe(200)
})

describe('a token that ends while its call is on the way', () => {
  const start = async () => {
    const ran: string[] = []
    const fixture = await startFixture({ capabilities, handlers: { book: () => (ran.push('book'), {}) } })
    const { token, token_id } = await fixture.root({ scope: ['travel.book'] })
    const body = new TransformStream<Uint8Array, Uint8Array>()
    const writer = body.writable.getWriter()
    const send = (text: string) => writer.write(new TextEncoder().encode(text))
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const request = { method: 'POST', headers, body: body.readable, duplex: 'half' } as RequestInit
    const answer = fixture.fetch(new Request('http://127.0.0.1:4100/svc/invoke/book', request))
    await send('{"parameters":')
    const finish = async () => {
      await send('{}}')
      await writer.close()
      const { failure } = (await (await answer).json()) as { failure?: { type: string } }
      return [failure?.type, ran]
    }
    return { ...fixture, token_id, finish }
  }

  it('does not reach the handler once the revocation was answered here', async () => {
    const { post, token_id, finish } = await start()
    expect((await post('/svc/tokens/revoke', 'ana-key', { token_id })).status).toBe(200)
    expect(await finish()).toEqual(['token_revoked', []])
  })

  it('does not reach the handler where the revocation was answered while the token was read', async () => {
    const ran: string[] = []
    const fixture = await startFixture({ capabilities, handlers: { search: () => (ran.push('search'), {}) } })
    const { token, token_id } = await fixture.root()
    const { tokens } = fixture.service.storage
    const chain = tokens.chain.bind(tokens)
    vi.spyOn(tokens, 'chain').mockImplementationOnce(async (id) => {
      const read = await chain(id)
      expect((await fixture.post('/svc/tokens/revoke', 'ana-key', { token_id })).status).toBe(200)
      return read
    })
    const { body } = await fixture.invoke('search', token)
    expect([body['failure']?.['type'], ran]).toEqual(['token_revoked', []])
  })

  it('does not reach the handler a second after it was revoked on another replica', async () => {
    const { storage, time, token_id, finish } = await start()
    await storage.tokens.revoke(token_id, time.now)
    time.now += 1000
    expect(await finish()).toEqual(['token_revoked', []])
  })

  it('does not reach the handler after its expiry', async () => {
    const { time, finish } = await start()
    time.now += 2 * 3600_000 + 5000
    expect(await finish()).toEqual(['token_expired', []])
  })

  it('reaches it otherwise', async () => {
    const { finish } = await start()
    expect(await finish()).toEqual([undefined, ['book']])
  })
})
