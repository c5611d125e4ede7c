/** Tokens that the holder of another one draws or ends, and at whose expense (sections 4.4 and 5.4; decisions, section 3). */
import { describe, expect, it } from 'vitest'
import { capability } from './fixture/manifest.js'
import { startFixture, type Entry } from './fixture/service.js'

const SCOPE = { scope: ['travel.search'] }
const capabilities = {
  search: capability(),
  book: capability({ minimum_scope: ['travel.book'], side_effect: { type: 'irreversible' } }),
}

const start = async (given: Parameters<typeof startFixture>[0] = {}) => {
  const fixture = await startFixture({ capabilities, ...given })
  const last = async () => {
    const size = await fixture.storage.audit.size()
    const [{ text } = { text: null }] = await fixture.storage.audit.texts(size, 1)
    return JSON.parse(text!) as Entry
  }
  const typeOf = async (bearer: string, body: object) => {
    const reply = await fixture.post('/svc/tokens', bearer, body)
    return `${reply.status} ${reply.body['failure']?.['type'] ?? 'ok'}`
  }
  return { ...fixture, last, typeOf }
}

describe('a child that a credential draws', () => {
  it('takes a place of the root principal of its parent, and none of its own', async () => {
    const { root, typeOf } = await start({ limits: { tokensPerMinute: 2 } })
    const { token_id } = await root({ subject: 'agent:bot' })
    expect(await typeOf('bot-key', { ...SCOPE, parent_token: token_id })).toBe('200 ok')
    expect(await typeOf('bot-key', { ...SCOPE, parent_token: token_id })).toBe('429 rate_limited')
    expect(await typeOf('ana-key', SCOPE)).toBe('429 rate_limited')
    expect(await typeOf('bot-key', SCOPE)).toBe('200 ok')
  })

  it('is on the trail with what drew it, in the name of the subject of its parent', async () => {
    const { root, issued, last } = await start()
    const { token_id } = await root({ subject: 'agent:bot' })
    const child = await issued('bot-key', { ...SCOPE, parent_token: token_id, subject: 'agent:x' })
    expect(await last()).toMatchObject({
      entry_type: 'token_issued', actor_key: 'agent:bot', root_principal: 'human:ana', credential: { api_key: 'bot' }, token_id: child.token_id,
      delegation_chain: [token_id, child.token_id], issued: { subject: 'agent:x', depth: 1 },
    }) // prettier-ignore
  })

  it('has no parent that ends in this very second', async () => {
    const { root, typeOf, time } = await start()
    const { token_id } = await root({ subject: 'agent:bot', ttl_hours: 1 })
    time.now += 3600_000 - 1
    expect(await typeOf('bot-key', { ...SCOPE, parent_token: token_id })).toBe('200 ok')
    time.now += 1
    expect(await typeOf('bot-key', { ...SCOPE, parent_token: token_id })).toBe('403 insufficient_authority')
  })

  it('has no parent below one that was revoked, though nobody revoked the parent', async () => {
    const { root, issued, post, typeOf } = await start()
    const above = await root({ subject: 'agent:planner' })
    const parent = await issued(above.token, { ...SCOPE, subject: 'agent:bot', parent_token: above.token_id })
    await post('/svc/tokens/revoke', 'ana-key', { token_id: above.token_id })
    expect(await typeOf('bot-key', { ...SCOPE, parent_token: parent.token_id })).toBe('403 insufficient_authority')
  })

  it('is for no capability that is not there, by whichever road', async () => {
    const { root, typeOf } = await start()
    const { token, token_id } = await root({ subject: 'agent:bot' })
    const asked = { ...SCOPE, capability: 'fly', subject: 'agent:x', parent_token: token_id }
    expect([await typeOf('bot-key', asked), await typeOf(token, asked)]).toEqual(['404 unknown_capability', '404 unknown_capability']) // prettier-ignore
  })

  it('is not read before its credential is known', async () => {
    const { call } = await start()
    expect((await call('POST', '/svc/tokens', { bearer: 'wrong', text: '{' })).status).toBe(401)
    expect((await call('POST', '/svc/tokens', { bearer: 'ana-key', text: '{' })).status).toBe(400)
  })
})

describe('a child that a token draws', () => {
  it('is on the trail without a credential: what bought its parent did not buy it', async () => {
    const { root, issued, last } = await start()
    const { token, token_id } = await root({ subject: 'agent:planner' })
    await issued(token, { ...SCOPE, subject: 'agent:x', parent_token: token_id })
    expect(await last()).not.toHaveProperty('credential')
    expect(await last()).toMatchObject({ actor_key: 'agent:planner', root_principal: 'human:ana' })
  })

  it('keeps its class on the trail, and the task of its parent', async () => {
    const { root, issued, last } = await start()
    const above = { subject: 'agent:planner', caller_class: 'internal', purpose_parameters: { task_id: 't-1' } }
    const { token, token_id } = await root(above)
    await issued(token, { ...SCOPE, subject: 'agent:x', parent_token: token_id })
    expect(await last()).toMatchObject({ task_id: 't-1', issued: { caller_class: 'internal' } })
  })
})

describe('a token that is ended', () => {
  it('by its holder is on the trail in the name of the holder, with what bought the chain', async () => {
    const { root, issued, post, last } = await start()
    const parent = await root({ subject: 'agent:planner' })
    const child = await issued(parent.token, { ...SCOPE, subject: 'agent:x', parent_token: parent.token_id })
    await post('/svc/tokens/revoke', child.token, { token_id: child.token_id })
    expect(await last()).toMatchObject({
      entry_type: 'token_revoked', actor_key: 'agent:x', root_principal: 'human:ana', credential: { api_key: 'ana' }, token_id: child.token_id,
      delegation_chain: [parent.token_id, child.token_id], timestamp: '2026-03-01T12:00:00.000Z',
    }) // prettier-ignore
  })

  it('by its root principal is on the trail in that name, with the key that ended it', async () => {
    const { root, post, last } = await start()
    const { token_id } = await root({ subject: 'agent:planner' })
    await post('/svc/tokens/revoke', 'ana-key', { token_id })
    expect(await last()).toMatchObject({ actor_key: 'human:ana', credential: { api_key: 'ana' } })
  })

  it('a second time is answered as before, and ends no more', async () => {
    const { root, post } = await start()
    const { token_id } = await root({ subject: 'agent:planner' })
    const revoke = async () => (await post('/svc/tokens/revoke', 'ana-key', { token_id })).body
    expect([await revoke(), await revoke()]).toEqual([
      { revoked: true, token_id, descendants: 0 },
      { revoked: true, token_id, descendants: 0 },
    ])
  })

  it('by a token that has expired is not ended', async () => {
    const { root, post, time, invoke } = await start()
    const short = await root({ subject: 'agent:a', ttl_hours: 1 })
    time.now += 3600_000 + 5_000
    expect((await post('/svc/tokens/revoke', short.token, { token_id: short.token_id })).status).toBe(401)
    expect((await invoke('search', (await root()).token)).status).toBe(200)
  })
})

describe('what a handler reads of the token', () => {
  it('is its subject and its root, and never the signed text', async () => {
    const seen: object[] = []
    const search = (_: object, { token, principal }: { token: object; principal: string }) => (seen.push({ principal, token }), {}) // prettier-ignore
    const { root, invoke } = await start({ handlers: { search } as never })
    const { token, token_id } = await root({ subject: 'agent:x', session_id: 's-1', caller_class: 'internal', purpose_parameters: { team: 'sales' } }) // prettier-ignore
    await invoke('search', token)
    expect(seen).toEqual([
      {
        principal: 'agent:x',
        token: { token_id, subject: 'agent:x', root_principal: 'human:ana', scope: ['travel.search'], caller_class: 'internal', session_id: 's-1', purpose: { team: 'sales' } },
      },
    ]) // prettier-ignore
  })
})
