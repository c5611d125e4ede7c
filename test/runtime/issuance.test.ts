import { expect, it } from 'vitest'
import { issueChildToken, issueRootToken } from '../../src/runtime/index.js'
import { generateRingKey } from '../../src/crypto/keys/key-ring.js'
import type { Block } from '../../src/protocol/operator.js'
import type { Blockable } from '../../src/runtime/storage/contract.js'
import { StorageUnavailable } from '../../src/runtime/storage/contract.js'
import { openSqlite } from '../../src/runtime/storage/sqlite/index.js'
import { capability } from './fixture/manifest.js'
import { KEYS, startFixture } from './fixture/service.js'

it('helpers issue tokens that are bound to a capability', async () => {
  const { service, invoke } = await startFixture({ capabilities: { search: capability(), other: capability() } })
  const root = await issueRootToken(service, { principal: 'human:ana' }, 'search', {
    scope: ['travel.search'],
    subject: 'agent:planner',
  })
  const child = await issueChildToken(service, root.token_id, 'search', {
    scope: ['travel.search'],
    subject: 'agent:worker',
  })
  expect([root.capability, child.capability]).toEqual(['search', 'search'])
  expect((await invoke('search', child.token)).status).toBe(200)
  expect((await invoke('other', child.token)).body['failure']?.['type']).toBe('purpose_mismatch')
  const wider = issueChildToken(service, root.token_id, 'other', { scope: ['travel.search'] })
  await expect(wider).rejects.toMatchObject({ failure: { type: 'scope_escalation' } })
  await expect(issueChildToken(service, 'tok_none', 'search', { scope: [] })).rejects.toMatchObject({
    failure: { type: 'insufficient_authority' },
  })
})

it('helpers bind to the capability that the author names, whatever was passed on from a caller', async () => {
  const { service } = await startFixture({ capabilities: { search: capability(), other: capability() } })
  const passedOn: object = { scope: ['travel.search'], capability: 'other' }
  const root = await issueRootToken(service, { principal: 'human:ana' }, 'search', passedOn as never)
  const parent = await issueRootToken(service, { principal: 'human:ana' }, 'other', { scope: ['travel.search'] })
  const child = issueChildToken(service, root.token_id, 'search', passedOn as never)
  expect([root.capability, (await child).capability]).toEqual(['search', 'search'])
  await expect(issueChildToken(service, parent.token_id, 'search', passedOn as never)).rejects.toMatchObject({
    failure: { type: 'scope_escalation' },
  })
})

it.each([
  [{ scope: ['travel.search'], budget: { currency: 'EUR', max_amount: 1e30 } }],
  [{ scope: ['travel.search'], budget: { currency: 'EUR', max_amount: -1 } }],
  [{ scope: ['travel.search'], budget: { currency: 'EUR', max_amount: NaN } }],
  [{ scope: ['travel.search'], ttl_hours: -1 }],
  [{ scope: [] }],
])('helpers refuse what the endpoint refuses: %j', async (request) => {
  const { service, root } = await startFixture()
  const { token_id } = await root({ budget: { currency: 'EUR', max_amount: 5 } })
  const refused = { failure: { type: 'invalid_parameters' } }
  await expect(issueRootToken(service, { principal: 'human:ana' }, 'search', request)).rejects.toMatchObject(refused)
  await expect(issueChildToken(service, token_id, 'search', request)).rejects.toMatchObject(refused)
})

it('helpers issue nothing below a token that has ended', async () => {
  const { service, root, time } = await startFixture()
  const [revoked, expired] = [await root(), await root({ ttl_hours: 1 })]
  const below = (parent: string) => issueChildToken(service, parent, 'search', { scope: ['travel.search'] })
  await service.storage.tokens.revoke(revoked.token_id, time.now)
  await expect(below(revoked.token_id)).rejects.toMatchObject({ failure: { type: 'token_revoked' } })
  time.now += 7_200_000
  await expect(below(expired.token_id)).rejects.toMatchObject({ failure: { type: 'token_expired' } })
})

it('a token is what was written of it, whatever its maker does with what it gave', async () => {
  const { service, invoke, call } = await startFixture()
  const given = { scope: ['travel.search'] }
  const { token } = await issueRootToken(service, { principal: 'human:ana' }, 'search', given)
  given.scope.push('travel.book')
  expect((await invoke('search', token)).status).toBe(200)
  expect((await call('GET', '/-/ready')).body['alarms']).toEqual([])
})

it('a token whose buyer was blocked while it was stored has ended, and is not answered', async () => {
  const opened = await openSqlite({ file: ':memory:' })
  const asked: Blockable[] = []
  const stored: string[] = []
  const block: Block = { block_id: 'blk_1', kind: 'principal', value: 'human:ana', reason: 'r', created_by: 'human:op', created_at: '2026-03-01T12:00:00.000Z' } // prettier-ignore
  const blockOf: typeof opened.operators.blockOf = async (who) => {
    asked.push(who)
    return stored.length === 0 ? undefined : block
  }
  const insert: typeof opened.tokens.insert = (record, written) => {
    stored.push(record.claims.jti)
    return opened.tokens.insert(record, written)
  }
  const storage = { ...opened, operators: { ...opened.operators, blockOf }, tokens: { ...opened.tokens, insert } }
  const { post } = await startFixture({ storage })
  const reply = await post('/svc/tokens', 'ana-key', { scope: ['travel.search'], subject: 'agent:w' })
  expect([reply.status, reply.body['failure']?.['type']]).toEqual([403, 'insufficient_authority'])
  expect(JSON.stringify(reply.body)).not.toContain(stored[0])
  expect((await opened.tokens.chain(stored[0]!))!.at(-1)!.revoked_at).toBeDefined()
  expect(asked.at(-1)).toEqual({ principal: 'human:ana', subject: 'agent:w', apiKey: 'ana' })
})

it('a token is not known without its key, even if that went while the token was stored', async () => {
  const opened = await openSqlite({ file: ':memory:' })
  let store: () => void = () => undefined
  let wait: Promise<void> | undefined
  const insert: typeof opened.tokens.insert = async (record) => {
    await wait
    return opened.tokens.insert(record)
  }
  const fixture = await startFixture({ storage: { ...opened, tokens: { ...opened.tokens, insert } } })
  const { service, root, invoke } = fixture
  const earlier = await root()
  wait = new Promise((resolve) => (store = resolve))
  const issued = root()
  await new Promise((resolve) => setTimeout(resolve, 50))
  const others = KEYS.keys.filter(({ role }) => role !== 'tokens')
  service.keys.replace({ keys: [...others, generateRingKey('tokens', 'active')] })
  expect((await invoke('search', earlier.token)).body['failure']?.['type']).toBe('invalid_token')
  store()
  expect((await invoke('search', (await issued).token)).body['failure']?.['type']).toBe('invalid_token')
})

it('a token that was used is not known once another key has taken the place of its own', async () => {
  const { service, root, invoke } = await startFixture()
  const { token } = await root()
  expect((await invoke('search', token)).status).toBe(200)
  const others = KEYS.keys.filter(({ role }) => role !== 'tokens')
  service.keys.replace({ keys: [...others, generateRingKey('tokens', 'active')] })
  expect((await invoke('search', token)).body['failure']?.['type']).toBe('invalid_token')
})

it.each(['insert of the token', 'entry on the trail'])('no token is answered before the %s stands', async (what) => {
  const { post, storage } = await startFixture()
  const asked: ((reason: Error) => void)[] = []
  const away = () => new Promise<never>((_, reject) => void asked.push(reject))
  Object.assign(...((what === 'entry on the trail' ? [storage.audit, { append: away }] : [storage.tokens, { insert: away }]) as [object, object])) // prettier-ignore
  const issuing = post('/svc/tokens', 'ana-key', { scope: ['travel.search'] })
  await expect.poll(() => asked.length).toBe(1)
  asked[0]!(new StorageUnavailable('away'))
  expect((await issuing).status).toBe(503)
})
