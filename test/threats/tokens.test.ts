import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { capability } from '../runtime/fixture/manifest.js'
import { startFixture, type Fixture } from '../runtime/fixture/service.js'

const capabilities = {
  a: capability({ minimum_scope: ['travel.search'] }),
  b: capability({ minimum_scope: ['travel.search'] }),
  eu: capability({ minimum_scope: ['travel.search:eu'] }),
  us: capability({ minimum_scope: ['travel.search:us'] }),
}
const start = (given: object = {}) => startFixture({ capabilities, ...given })
const typeOf = (reply: { readonly body: Fixture extends never ? never : { readonly [name: string]: unknown } }) =>
  (reply.body['failure'] as { readonly type?: string } | undefined)?.type

async function child(fixture: Fixture, asked: object, parent: object = {}) {
  const { token, token_id } = await fixture.root({ subject: 'agent:planner', ...parent })
  return fixture.post('/svc/tokens', token, {
    scope: ['travel.search'],
    subject: 'agent:worker',
    parent_token: token_id,
    ...asked,
  })
}

describe('POST /svc/tokens', () => {
  it('T01 a delegation JWT issues no root token', async () => {
    const { root, post } = await start()
    const reply = await post('/svc/tokens', (await root()).token, { scope: ['travel.search'], subject: 'agent:x' })
    expect([reply.status, reply.body['token_id']]).toEqual([403, undefined])
  })

  it.each([
    'travel.search',
    'travel.search:us',
    'travel',
    'travel.*',
    'TRAVEL.SEARCH:EU',
    'travel.search:eu ',
    'trävel.search:eu',
    'travel.search:eu\u200b',
    '',
  ])('T02 a scope is not widened by %j', async (scope) => {
    const reply = await child(await start(), { scope: [scope] }, { scope: ['travel.search:eu'] })
    expect([400, 403]).toContain(reply.status)
  })

  it('T02 duplicates are refused, the identical set is not', async () => {
    const parent = { scope: ['travel.search:eu'] }
    expect((await child(await start(), { scope: ['travel.search:eu', 'travel.search:eu'] }, parent)).status).toBe(400)
    expect((await child(await start(), { scope: ['travel.search:eu'] }, parent)).status).toBe(200)
  })

  it.each(['approver:b', 'approver:*'])('T03 an approver scope does not become %s', async (scope) => {
    const { issued, post } = await start()
    const { token, token_id } = await issued('bob-key', { scope: ['approver:book'], subject: 'agent:x' })
    const reply = await post('/svc/tokens', token, { scope: [scope], subject: 'agent:y', parent_token: token_id })
    expect([400, 403]).toContain(reply.status)
  })

  it('T04 a capability binding is kept', async () => {
    const fixture = await start()
    expect(typeOf(await child(fixture, { capability: 'b' }, { capability: 'a' }))).toBe('scope_escalation')
    const inherited = await child(fixture, {}, { capability: 'a' })
    expect(typeOf(await fixture.invoke('b', inherited.body['token']!))).toBe('purpose_mismatch')
  })

  it('T05 a task is kept', async () => {
    const parent = { purpose_parameters: { task_id: 'A' } }
    expect((await child(await start(), { purpose_parameters: {} }, parent)).body['task_id']).toBe('A')
    expect((await child(await start(), { purpose_parameters: { task_id: 'B' } }, parent)).status).toBe(403)
  })

  it('T06 a child does not outlive its parent, and all three expiries agree', async () => {
    const fixture = await start()
    const { body } = await child(fixture, { ttl_hours: 24 }, { ttl_hours: 1 })
    expect(body['expires_at']).toBe('2026-03-01T13:00:00.000Z')
    const { exp } = JSON.parse(
      Buffer.from((body['token'] as unknown as string).split('.')[1]!, 'base64url').toString(),
    ) as { exp: number }
    const stored = (await fixture.storage.tokens.chain(body['token_id'] as unknown as string))!.at(-1)!.claims.exp
    expect([exp, stored]).toEqual([Date.parse('2026-03-01T13:00:00Z') / 1000, exp])
  })

  it.each([-1, 0, 1e-9, 1e9, 'abc', '2', true, {}, []])('T07 ttl_hours %j is refused', async (ttl_hours) => {
    expect((await (await start()).post('/svc/tokens', 'ana-key', { scope: ['travel.search'], ttl_hours })).status).toBe(
      400,
    )
  })

  it('T07 ttl_hours null is the default, NaN text is refused', async () => {
    const { post, call } = await start()
    expect((await post('/svc/tokens', 'ana-key', { scope: ['travel.search'], ttl_hours: null })).status).toBe(200)
    expect(
      (await call('POST', '/svc/tokens', { bearer: 'ana-key', text: '{"scope":["travel.search"],"ttl_hours":NaN}' }))
        .status,
    ).toBe(400)
  })

  it.each([
    [{ budget: { currency: 'EUR', max_amount: 501 } }, 403],
    [{ budget: { currency: 'USD', max_amount: 1 } }, 403],
    [{ budget: { currency: 'eur', max_amount: 1 } }, 400],
    [{}, 200],
  ])('T08 below a budget of 500 EUR, %j gives %i', async (asked, status) => {
    const reply = await child(await start(), asked, { budget: { currency: 'EUR', max_amount: 500 } })
    expect(reply.status).toBe(status)
    if (status === 200) expect(reply.body['budget']).toEqual({ currency: 'EUR', max_amount: 500 })
  })

  it.each(['"abc"', '"1e999"', '{}', '[]', '[500]', 'true', '-1', '0.001', '9007199254740993', '1e400', 'null'])(
    'T09 a budget of %s is refused',
    async (amount) => {
      const { call } = await start()
      const text = `{"scope":["travel.search"],"budget":{"currency":"USD","max_amount":${amount}}}`
      const reply = await call('POST', '/svc/tokens', { bearer: 'ana-key', text })
      expect([reply.status, reply.body['token_id']]).toEqual([400, undefined])
    },
  )

  it('T10 exclusive is not escaped', async () => {
    const fixture = await start()
    const { body } = await child(fixture, { concurrent_branches: 'allowed' }, { concurrent_branches: 'exclusive' })
    const stored = (await fixture.storage.tokens.chain(body['token_id'] as unknown as string))!.at(-1)!
    expect(stored.claims.constraints.concurrent_branches).toBe('exclusive')
  })

  it('T11 depth is not reset, by asking or through siblings', async () => {
    const fixture = await start()
    const { token, token_id } = await fixture.root({ subject: 'agent:a', max_delegation_depth: 1 })
    for (let sibling = 0; sibling < 50; sibling++) {
      const one = await fixture.issued(token, { scope: ['travel.search'], subject: 'agent:b', parent_token: token_id })
      const asked = {
        scope: ['travel.search'],
        subject: 'agent:c',
        parent_token: one.token_id,
        max_delegation_depth: 9,
      }
      expect(typeOf(await fixture.post('/svc/tokens', one.token, asked))).toBe('delegation_depth_exceeded')
    }
  })

  it('T12 the parent is the bearer itself, and no other', async () => {
    const fixture = await start()
    const parent = await fixture.root({ subject: 'agent:a' })
    const asked = { scope: ['travel.search'], subject: 'agent:b', parent_token: parent.token_id }
    const [one, two] = [await fixture.issued(parent.token, asked), await fixture.issued(parent.token, asked)]
    const foreign = await fixture.issued('eve-key', { scope: ['travel.search'] })
    for (const [bearer, other] of [[one, two], [one, parent], [parent, one], [one, foreign]] as const)
      expect((await fixture.post('/svc/tokens', bearer.token, { ...asked, parent_token: other.token_id })).status).toBe(403)
    expect((await fixture.post('/svc/tokens', one.token, { ...asked, parent_token: one.token_id })).status).toBe(200)
  }) // prettier-ignore

  it('T13 a JWT is no parent_token', async () => {
    const { root, post } = await start()
    const { token } = await root()
    expect(
      (await post('/svc/tokens', token, { scope: ['travel.search'], subject: 'agent:x', parent_token: token })).status,
    ).toBe(400)
  })

  it('T14 unknown, expired, revoked and foreign parents look the same', async () => {
    const fixture = await start()
    const ended = await fixture.root({ subject: 'agent:bot', ttl_hours: 0.01 })
    const revoked = await fixture.root({ subject: 'agent:bot' })
    const foreign = await fixture.root({ subject: 'agent:other' })
    await fixture.post('/svc/tokens/revoke', 'ana-key', { token_id: revoked.token_id })
    fixture.time.now += 60_000
    const replies = []
    for (const parent_token of ['tok_unknown', ended.token_id, revoked.token_id, foreign.token_id])
      replies.push(await fixture.post('/svc/tokens', 'bot-key', { scope: ['travel.search'], parent_token }))
    expect(new Set(replies.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1)
    expect(replies[0]?.status).toBe(403)
  })

  it.each(['human:x', 'service:x', 'human:x\u0000', 'x', `human:${'x'.repeat(10_000)}`])(
    'T15 an agent does not become %.20j',
    async (subject) => {
      const reply = await (await start()).post('/svc/tokens', 'bot-key', { scope: ['travel.search'], subject })
      expect([400, 403]).toContain(reply.status)
    },
  )

  it.each([
    [0x20, 400], [0xa0, 400], [0x2003, 400], [0x2028, 400], [0x202e, 400], [0x3000, 400], [0x2010, 200], [0x3001, 200],
  ])('T15 a token is made out to a name with the character %i: %i', async (code, status) => {
    const subject = `agent:plan${String.fromCodePoint(code)}ner`
    expect((await (await start()).post('/svc/tokens', 'ana-key', { scope: ['travel.search'], subject })).status).toBe(status)
  }) // prettier-ignore

  it.each(['travel.search:eu', 'approver:book', 'approver:*'])('T16 an agent is not entitled to %s', async (scope) => {
    expect([400, 403]).toContain((await (await start()).post('/svc/tokens', 'bot-key', { scope: [scope] })).status)
  })

  it('T17 nobody raises its own caller class', async () => {
    const fixture = await start()
    expect(
      (await fixture.post('/svc/tokens', 'bot-key', { scope: ['travel.search'], caller_class: 'internal' })).status,
    ).toBe(403)
    expect((await child(fixture, { caller_class: 'internal' })).status).toBe(403)
  })

  it('T18 guessing at keys is slowed down; the good key works from another address', async () => {
    const { call } = await start()
    const guess = (client: string, bearer: string) =>
      call('POST', '/svc/tokens', { bearer, client, body: { scope: ['travel.search'] } })
    const replies = []
    for (let index = 0; index < 1000; index++) replies.push(await guess('10.0.0.1', `guess-${index}`))
    const bodies = replies.filter(({ status }) => status === 401).map(({ body }) => JSON.stringify(body))
    expect(new Set(bodies).size).toBe(1)
    expect(bodies.length).toBe(60)
    expect(replies.at(-1)?.headers.get('retry-after')).toMatch(/^\d+$/u)
    expect((await guess('10.0.0.2', 'ana-key')).status).toBe(200)
  })

  it('T19 every key is compared whole and in constant time, whatever is presented', async () => {
    const source = readFileSync('src/runtime/credentials/api-keys.ts', 'utf8')
    expect(source).toMatch(/known\.reduce[\s\S]*timingSafeEqual/u)
  })

  it('T20 neither keys nor tokens are stored', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-threat-'))
    const fixture = await startFixture({ capabilities, file: join(folder, 'svc.db') })
    const { token } = await fixture.root()
    await fixture.invoke('a', token)
    const stored = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'latin1')).join('')
    for (const secret of ['ana-key', token, token.split('.')[2]!]) expect(stored.includes(secret)).toBe(false)
    expect(stored.length).toBeGreaterThan(1000)
    await fixture.storage.close()
    rmSync(folder, { recursive: true })
  }) // prettier-ignore

  it('T21 a flood of tokens is bounded, for its own principal only', async () => {
    const { post } = await start({ limits: { tokensPerMinute: 20 } })
    const statuses = []
    for (let index = 0; index < 30; index++)
      statuses.push((await post('/svc/tokens', 'ana-key', { scope: ['travel.search'] })).status)
    expect(statuses.filter((status) => status === 429).length).toBe(10)
    expect((await post('/svc/tokens', 'eve-key', { scope: ['travel.search'] })).status).toBe(200)
  })

  it('T21 nor do names made up below a token make room for more', async () => {
    const fixture = await start({ limits: { tokensPerMinute: 20 } })
    const worker = await child(fixture, { subject: 'agent:worker' })
    const { token, token_id } = worker.body as { readonly token: string; readonly token_id: string }
    const statuses = []
    for (let index = 0; index < 30; index++) {
      const asked = { scope: ['travel.search'], subject: `agent:w${index}`, parent_token: token_id }
      statuses.push((await fixture.post('/svc/tokens', token, asked)).status)
    }
    expect(statuses.filter((status) => status === 200).length).toBe(18)
  })

  it.each([
    ['half a minute', 30_000, 429],
    ['an hour', 3600_000, 200],
    ['three years', 3 * 365 * 24 * 3600_000, 200],
  ])('N09 T21 a rate holds, and ends, when a clock that was ahead by %s is set back', async (_, ahead, status) => {
    const { post, time } = await startFixture({ limits: { tokensPerMinute: 2 } })
    const ask = async () => (await post('/svc/tokens', 'ana-key', { scope: ['travel.search'] })).status
    time.now += ahead
    expect([await ask(), await ask(), await ask()]).toEqual([200, 200, 429])
    time.now -= ahead
    expect([await ask(), await ask(), await ask()]).toEqual([status, status, 429])
    time.now += 125_000
    expect(await ask()).toBe(200)
  })

  it('T22 token ids do not repeat, hold 136 random bits of their own, and have no beginning that grows', async () => {
    const { service } = await start()
    const ids = Array.from({ length: 100_000 }, () => service.ids.make('token').slice('tok_'.length))
    expect(ids.every((id) => /^[\w-]{27}$/u.test(id))).toBe(true)
    expect(new Set(ids.map((id) => id.slice(4))).size).toBe(100_000)
    expect(new Set(ids.map((id) => id.slice(4, 6))).size).toBe(4096)
    expect(new Set(ids.map((id) => id.slice(0, 4))).size).toBeGreaterThan(700)
  })

  it.each([
    ['{"__proto__":{"polluted":1}}', 200],
    ['{"constructor":{"prototype":{"polluted":1}}}', 200],
    [`{"a":${'['.repeat(1000)}${']'.repeat(1000)}}`, 400],
    [`{"a":"${'x'.repeat(1_000_000)}"}`, 400],
    ['{"task_id":"A","task_id":"B"}', 400],
  ])('T23 purpose parameters %.40s are inert or refused', async (purpose, status) => {
    const { call } = await start()
    const text = `{"scope":["travel.search"],"purpose_parameters":${purpose}}`
    expect((await call('POST', '/svc/tokens', { bearer: 'ana-key', text })).status).toBe(status)
    expect(({} as { readonly polluted?: unknown }).polluted).toBeUndefined()
  })

  it('T24 no child of a parent that is being revoked is good after the answer', async () => {
    const fixture = await start()
    const parent = await fixture.root({ subject: 'agent:a' })
    const issue = () =>
      fixture.post('/svc/tokens', parent.token, {
        scope: ['travel.search'],
        subject: 'agent:b',
        parent_token: parent.token_id,
      })
    const racing = Array.from({ length: 40 }, issue)
    await fixture.post('/svc/tokens/revoke', 'ana-key', { token_id: parent.token_id })
    for (const { body } of await Promise.all(racing))
      if (body['token'] !== undefined) expect(typeOf(await fixture.invoke('a', body['token']))).toBe('token_revoked')
  })

  it('T25 issuance, delegation and revocation are on the trail', async () => {
    const fixture = await start()
    const parent = await fixture.root({ subject: 'agent:planner' })
    const below = await fixture.issued(parent.token, {
      scope: ['travel.search'],
      subject: 'agent:worker',
      parent_token: parent.token_id,
    })
    await fixture.post('/svc/tokens/revoke', 'ana-key', { token_id: below.token_id })
    const entries = await fixture.trail((await fixture.root()).token)
    expect(
      entries.slice(1).map((entry) => [entry['entry_type'], entry['token_id'], entry['delegation_chain']]),
    ).toEqual([
      ['token_revoked', below.token_id, [parent.token_id, below.token_id]],
      ['token_issued', below.token_id, [parent.token_id, below.token_id]],
      ['token_issued', parent.token_id, [parent.token_id]],
    ])
  })

  it('T25 at each depth the trail says who issued a token, and to whom', async () => {
    const fixture = await startFixture()
    let above = await fixture.root({ subject: 'agent:one' })
    for (const subject of ['agent:two', 'agent:three', 'agent:four'])
      above = await fixture.issued(above.token, { scope: ['travel.search'], subject, parent_token: above.token_id })
    const entries = await fixture.trail((await fixture.root()).token)
    const told = entries.slice(1).map(({ actor_key, issued, root_principal }) => {
      const { subject, depth } = issued as { readonly subject: string; readonly depth: number }
      return [depth, actor_key, subject, root_principal]
    })
    expect(told).toEqual([
      [3, 'agent:three', 'agent:four', 'human:ana'],
      [2, 'agent:two', 'agent:three', 'human:ana'],
      [1, 'agent:one', 'agent:two', 'human:ana'],
      [0, 'human:ana', 'agent:one', 'human:ana'],
    ])
  })
})
