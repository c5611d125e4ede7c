/** One person is one, however the name is written (decisions, section 20), and authority ends with whoever has it. */
import { describe, expect, it } from 'vitest'
import { sha256Hex } from '../../src/crypto/json/digest.js'
import { foldOf } from '../../src/protocol/fold.js'
import type { Principal } from '../../src/protocol/principals.js'
import type { ApiKey } from '../../src/runtime/credentials/api-keys.js'
import { endingKeys } from '../../src/runtime/operate/ended-keys.js'
import { capability, input, ONE_TIME } from '../runtime/fixture/manifest.js'
import { API_KEYS, startFixture } from '../runtime/fixture/service.js'

const key = (id: string, principal: Principal, scopes: readonly string[]): ApiKey => ({ id, principal, sha256: sha256Hex(`${id}-key`), scopes }) // prettier-ignore

/** Ways to write one name, and one that is another. */
const SPELLINGS: readonly (readonly [Principal, Principal])[] = [
  ['human:boss@example.com', 'human:Boss@Example.com'],
  ['human:BOSS@example.com', 'human:boss@EXAMPLE.com'],
  ['human:jose\u0301@example.com', 'human:Jos\u00e9@example.com'],
  ['human:boss@m\u00fcnchen.example', 'human:boss@xn--mnchen-3ya.example'],
  ['oidc:entra/AbC', 'oidc:entra/abc'],
  ['human:boss@example.com', 'human:boss@example.com.'],
  ['human:boss@example.com', 'human:bo\ufe0fss@example.com'],
  ['human:boss@example.com', 'human:\uff42oss@example.com'],
  ['human:strasse@example.com', 'human:stra\u00dfe@example.com'],
  ['human:o\ufb03ce@example.com', 'human:OFFICE@example.com'],
  ['human:boss@fa\u00df.example', 'human:boss@xn--fa-hia.example'],
  ['human:boss@FA\u1e9e.example', 'human:boss@fa\u00df.example'],
  ['human:boss@\u03b2\u03cc\u03bb\u03bf\u03c2.example', 'human:boss@xn--nxasmm1c.example'],
  ['human:STRA\u1e9eE@example.com', 'human:stra\u00dfe@example.com'],
  ['human:\u0130nan@example.com', 'human:inan@example.com'],
  ['human:\u03a3\u03c2@example.com', 'human:\u03c3\u03c3@example.com'],
]

it.each([
  ['human:ana', 'human:ana'],
  ['human:Ana@M\u00dcNCHEN.example', 'human:ana@xn--mnchen-3ya.example'],
  ['human:ana@a:1', 'human:ana@a:1'],
  ['human:a@b@C.org', 'human:a@b@c.org'],
  ['oidc:idp/A%2FB', 'oidc:idp/a%2fb'],
])('the fold of %s is %s', (name, fold) => {
  expect(foldOf(name)).toBe(fold)
})

it('a fold is the fold of itself, of its capitals and of its small letters, for every letter', () => {
  const letters = Array.from({ length: 0x1_0000 }, (_, code) => code).filter((code) => code < 0xd800 || code > 0xdfff)
  const odd = letters.filter((code) => {
    const letter = String.fromCodePoint(code)
    const fold = foldOf(letter)
    return [fold, letter.toUpperCase(), letter.toLowerCase(), fold.toUpperCase()].some((each) => foldOf(each) !== fold)
  })
  expect(odd.map((code) => code.toString(16))).toEqual([])
})

/** A service where `one` asks and both may approve and operate; `bob` may, too. */
async function start(one: Principal, other: Principal, approvers = 1) {
  const apiKeys = [
    ...API_KEYS,
    key('one', one, ['travel.search', 'approver:book']),
    key('other', other, ['travel.search', 'approver:book']),
    key('carl', 'human:carl', ['approver:book']),
  ]
  const approval = { required: 'always', grant_policy: ONE_TIME, ...(approvers > 1 && { approvers }) } as const
  const file = { keys: apiKeys as readonly ApiKey[] }
  const fixture = await startFixture({
    capabilities: { book: capability({ inputs: [input('hotel')], side_effect: { type: 'irreversible' }, approval }) },
    apiKeys: Object.assign([...apiKeys], { reload: async () => file.keys }),
  })
  const ask = async (bearer: string) => {
    const { token } = await fixture.issued(bearer, { scope: ['travel.search'] })
    const call = (rest: object = {}) => fixture.invoke('book', token, { parameters: { hotel: 'Ritz' }, ...rest })
    const id = (await call()).body['failure']?.['approval_request_id'] as unknown as string
    return { id, call }
  }
  const approve = (id: string, bearer: string) => fixture.post('/svc/approval_grants', bearer, { approval_request_id: id })
  const block = (body: object) => fixture.post('/-/tokens/revoke', 'op-key', { ...body, reason: 'left' })
  return { ...fixture, file, ask, approve, block }
} // prettier-ignore

describe.each(SPELLINGS)('N32: %s is %s', (one, other) => {
  it('to the separation of duties', async () => {
    const { ask, approve } = await start(one, other)
    const { id } = await ask('one-key')
    expect((await approve(id, 'other-key')).body['failure']).toMatchObject({ type: 'approver_not_authorized' })
    expect((await approve(id, 'bob-key')).status).toBe(200)
  })

  it('to a quorum', async () => {
    const { ask, approve } = await start(one, other, 2)
    const { id } = await ask('ana-key')
    expect((await approve(id, 'one-key')).status).toBe(202)
    expect((await approve(id, 'other-key')).body['failure']).toMatchObject({ type: 'approver_not_authorized' })
    expect((await approve(id, 'bob-key')).status).toBe(200)
  })

  it('to a block, and to what it ends', async () => {
    const { issued, post, block, invoke } = await start(one, other)
    const { token } = await issued('other-key', { scope: ['travel.search'] })
    expect((await block({ principal: one })).body).toMatchObject({ tokens: 1 })
    expect((await invoke('book', token)).body['failure']).toMatchObject({ type: 'token_revoked' })
    expect((await post('/svc/tokens', 'other-key', { scope: ['travel.search'] })).status).toBe(403)
  })

  it('and has no more by it: tokens of the one are not the other’s to end', async () => {
    const { issued, post } = await start(one, other)
    const { token_id } = await issued('one-key', { scope: ['travel.search'] })
    expect((await post('/svc/tokens/revoke', 'other-key', { token_id })).status).toBe(403)
  })
})

it('N32: a block finds an account by a name that is written in another way', async () => {
  const { service, block, storage } = await start('human:x', 'human:y')
  const account = { issuer: 'https://idp.example', subject: '7' }
  await storage.accounts.remember(account, 'human:Boss@example.com')
  await storage.accounts.remember(account, 'oidc:7')
  await block({ principal: 'human:boss@example.com' })
  expect(await service.storage.operators.blockOf({ principal: 'oidc:7' })).toBeDefined()
  expect(await service.storage.operators.blockOf({ principal: 'oidc:8' })).toBeUndefined()
})

describe('N35: a grant ends with whoever gave it', () => {
  const ENDINGS: readonly (readonly [string, (fixture: Awaited<ReturnType<typeof start>>) => Promise<unknown>])[] = [
    ['is blocked by name', ({ block }) => block({ principal: 'human:carl' })],
    ['is blocked as subject', ({ block }) => block({ subject: 'human:Carl' })],
    ['is blocked by key', ({ block }) => block({ api_key: 'carl' })],
    ['has a key that is gone', async (fixture) => withKeys(fixture, (keys) => keys.filter(({ id }) => id !== 'carl'))],
    ['has a key that is revoked', async (fixture) => withKeys(fixture, (keys) => keys.map((each) => (each.id === 'carl' ? { ...each, revoked: true } : each)))],
    ['has a key without the scope', async (fixture) => withKeys(fixture, (keys) => keys.map((each) => (each.id === 'carl' ? { ...each, scopes: [] } : each)))],
  ] // prettier-ignore

  const withKeys = ({ file, service }: Awaited<ReturnType<typeof start>>, change: (keys: readonly ApiKey[]) => readonly ApiKey[]) => {
    file.keys = change(file.keys)
    return service.apiKeys.reload()
  } // prettier-ignore

  it.each(ENDINGS)('who %s', async (_, end) => {
    const fixture = await start('human:x', 'human:y')
    const { id, call } = await fixture.ask('ana-key')
    const { body } = await fixture.approve(id, 'carl-key')
    await end(fixture)
    const reply = await call({ approval_grant: body['grant_id'] })
    expect(reply.body['failure']).toMatchObject({ type: 'approval_grant_invalid', reason: 'approver_not_allowed' })
    expect((await call({ approval_grant: body['grant_id'] })).status).not.toBe(200)
    const again = await call({ approval: 'continue' })
    expect([again.body['failure']?.['type'], again.body['failure']?.['approval_request_id'] === (id as never)]).toEqual(['approval_required', false]) // prettier-ignore
  })

  it.each(ENDINGS)('with others, who %s', async (_, end) => {
    const fixture = await start('human:x', 'human:y', 2)
    const { id, call } = await fixture.ask('ana-key')
    await fixture.approve(id, 'carl-key')
    const { body } = await fixture.approve(id, 'bob-key')
    await end(fixture)
    const reply = await call({ approval_grant: body['grant_id'] })
    expect(reply.body['failure']).toMatchObject({ type: 'approval_grant_invalid', reason: 'approver_not_allowed' })
  })

  const AT_ONCE = ENDINGS.slice(0, 5)
  const endedKeys = ({ service }: Awaited<ReturnType<typeof start>>) => endingKeys()(service)

  it.each(AT_ONCE)('at once, before anybody presents it: who %s', async (_, end) => {
    const fixture = await start('human:x', 'human:y')
    const { id } = await fixture.ask('ana-key')
    const { body } = await fixture.approve(id, 'carl-key')
    await end(fixture)
    await endedKeys(fixture)
    expect(await fixture.storage.approvals.grant(String(body['grant_id']))).toMatchObject({ isRevoked: true })
    const newest = await fixture.storage.audit.newest(undefined, 9)
    const entry = newest.find(({ entry_type }) => entry_type === 'grant_revoked')
    expect(entry).toMatchObject({ actor_key: 'service:approvals', approval_grant_id: body['grant_id'] })
  }) // prettier-ignore

  it.each(AT_ONCE)('at once, also where others approved after: who %s', async (_, end) => {
    const fixture = await start('human:x', 'human:y', 2)
    const { id } = await fixture.ask('ana-key')
    await fixture.approve(id, 'carl-key')
    const { body } = await fixture.approve(id, 'bob-key')
    await end(fixture)
    await endedKeys(fixture)
    expect(await fixture.storage.approvals.grant(String(body['grant_id']))).toMatchObject({ isRevoked: true })
  })

  it.each(AT_ONCE)('and so does one approval of several: who %s', async (_, end) => {
    const fixture = await start('human:x', 'human:y', 2)
    const { id } = await fixture.ask('ana-key')
    expect((await fixture.approve(id, 'carl-key')).body).toMatchObject({ approvals: 1 })
    await end(fixture)
    await endedKeys(fixture)
    expect(await fixture.storage.approvals.get(id)).toMatchObject({ status: 'pending', approvals: 0 })
    expect((await fixture.approve(id, 'bob-key')).body).toMatchObject({ status: 'pending', approvals: 1 })
  })

  it('and of nobody else', async () => {
    const fixture = await start('human:x', 'human:y', 2)
    const [asked, other] = [await fixture.ask('ana-key'), await fixture.ask('eve-key')]
    await fixture.approve(asked.id, 'carl-key')
    const { body } = await fixture.approve(asked.id, 'bob-key')
    await fixture.approve(other.id, 'carl-key')
    await fixture.block({ principal: 'human:y' })
    expect(await fixture.storage.approvals.grant(String(body['grant_id']))).toMatchObject({ isRevoked: false })
    expect(await fixture.storage.approvals.get(other.id)).toMatchObject({ approvals: 1 })
  })

  it('and holds where nobody has ended', async () => {
    const fixture = await start('human:x', 'human:y')
    const { id, call } = await fixture.ask('ana-key')
    const { body } = await fixture.approve(id, 'carl-key')
    await fixture.block({ principal: 'human:bob' })
    expect((await call({ approval_grant: body['grant_id'] })).status).toBe(200)
  })
})

/** Values of blocks as versions before stored them, and names that each was in force for. */
const STORED_BEFORE: readonly (readonly [string, Principal])[] = [
  ['human:ana@xn--strae-oqa.example', 'human:Ana@stra\u00dfe.example'],
  ['human:ana@strasse.example', 'human:ana@stra\u00dfe.example'],
  ['human:ana@example.org.', 'human:Ana@Example.org.'],
  ['human:ana@example.org', 'human:Ana@Example.org.'],
  ['human:stra\u00dfe@x.org', 'human:Stra\u00dfe@x.org'],
  ['human:strasse@x.org', 'human:Stra\u00dfe@x.org'],
  ['human:o\ufb03ce@x.org', 'human:O\ufb03ce@x.org'],
  ['human:bo\ufe0fss@x.org', 'human:Bo\ufe0fss@x.org'],
  ['human:\uff42oss@x.org', 'human:\uff22oss@x.org'],
  ['human:i\u0307nan@x.org', 'human:\u0130nan@x.org'],
  ['human:\u03c3\u03c2@x.org', 'human:\u03a3\u03c2@x.org'],
]

it.each(STORED_BEFORE)('N32: a block of %j, stored by an earlier version, is in force for %j', async (value, name) => {
  const { storage } = await start('human:x', 'human:y')
  const who = { reason: 'left', created_by: 'human:op', created_at: '2026-01-01T00:00:00.000Z' } as const
  await storage.operators.block({ block_id: 'blk_1', kind: 'principal', value, ...who })
  await storage.operators.block({ block_id: 'blk_2', kind: 'subject', value, ...who })
  expect((await storage.operators.blockOf({ principal: name }))?.block_id).toBe('blk_1')
  expect((await storage.operators.blockOf({ principal: 'human:z', subject: name }))?.block_id).toBe('blk_2')
  expect(await storage.operators.blockOf({ principal: 'human:other@x.org' })).toBeUndefined()
})
