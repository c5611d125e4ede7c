/** What is answered is on the trail: where the entry cannot be written, nobody is told that it was done (section 6). */
import { describe, expect, it } from 'vitest'
import { StorageUnavailable } from '../../src/runtime/storage/contract.js'
import { capability } from './fixture/manifest.js'
import { startFixture } from './fixture/service.js'

const grant_policy = { allowed_grant_types: ['one_time'], default_grant_type: 'one_time', expires_in_seconds: 60, max_uses: 1 } as const // prettier-ignore
const capabilities = { search: capability(), book: capability({ approval: { required: 'always', grant_policy } }) }
const SEARCH = { scope: ['travel.search'] }

/** A service whose trail takes no more entries from a moment on. */
const start = async () => {
  const fixture = await startFixture({ capabilities })
  const { append } = fixture.storage.audit
  const state = { fails: false }
  Object.assign(fixture.storage.audit, {
    append: (...given: Parameters<typeof append>) =>
      state.fails ? Promise.reject(new StorageUnavailable('Full.')) : append(...given),
  })
  const outcome = async (path: string, bearer: string, body: object) => {
    const reply = await fixture.post(path, bearer, body)
    return [reply.status, reply.body['failure']?.['type']]
  }
  return { ...fixture, state, outcome }
}
const REFUSED = [503, 'service_unavailable']

describe('without its entry nobody is told', () => {
  it('of a root token, nor of a child', async () => {
    const { state, outcome, root } = await start()
    const { token, token_id } = await root()
    state.fails = true
    expect(await outcome('/svc/tokens', 'ana-key', SEARCH)).toEqual(REFUSED)
    expect(await outcome('/svc/tokens', token, { ...SEARCH, subject: 'agent:x', parent_token: token_id })).toEqual(REFUSED) // prettier-ignore
  })

  it('of a revocation, which holds', async () => {
    const { state, outcome, root, invoke } = await start()
    const { token, token_id } = await root()
    state.fails = true
    expect(await outcome('/svc/tokens/revoke', 'ana-key', { token_id })).toEqual(REFUSED)
    expect((await invoke('search', token)).body['failure']!['type']).toBe('token_revoked')
  })

  it('of what an operator did, and the block and the pause hold', async () => {
    const { state, outcome, root, invoke } = await start()
    const { token } = await root()
    state.fails = true
    expect(await outcome('/-/tokens/revoke', 'op-key', { subject: 'agent:x', reason: 'r' })).toEqual(REFUSED)
    expect(await outcome('/-/capabilities/search/pause', 'op-key', { reason: 'r' })).toEqual(REFUSED)
    state.fails = false
    expect((await invoke('search', token)).status).toBe(503)
    expect(await outcome('/svc/tokens', 'ana-key', { ...SEARCH, subject: 'agent:x' })).toEqual([403, 'insufficient_authority']) // prettier-ignore
  })

  it('of a denial', async () => {
    const { state, outcome, root, invoke, issued } = await start()
    const asked = (await invoke('book', (await root()).token)).body['failure']!['approval_request_id']
    const { token } = await issued('bob-key', { scope: ['approver:book'] })
    state.fails = true
    expect((await outcome(`/svc/approval_requests/${asked as unknown as string}/deny`, token, {}))[0]).toBe(503)
  })
})

it('a token whose row was edited is refused with an entry of whose it is, and health says so', async () => {
  const { root, invoke, storage, call, trail, logged } = await start()
  const { token, token_id } = await root({ subject: 'agent:x' })
  const { chain } = storage.tokens
  Object.assign(storage.tokens, {
    chain: async (id: string) => {
      const stored = (await chain(id))!
      return id === token_id ? [{ ...stored[0], claims: { ...stored[0].claims, scope: ['travel.book'] } }] : stored
    },
  })
  expect((await invoke('search', token)).body['failure']).toMatchObject({ type: 'invalid_token', detail: 'The token differs from what was issued.' }) // prettier-ignore
  expect((await call('GET', '/-/ready')).body['alarms']).toEqual(['token_integrity'])
  const [entry] = await trail((await root()).token, '?event_class=high_risk_failure')
  expect(entry).toMatchObject({ entry_type: 'integrity_failure', actor_key: 'agent:x', root_principal: 'human:ana', token_id, delegation_chain: [token_id], failure_type: 'invalid_token' }) // prettier-ignore
  expect(logged).toContain(`A stored token differs from its signed JWT. {"token_id":"${token_id}"}`)
})
