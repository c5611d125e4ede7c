import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { treesOf } from '../../src/console/app/pages/tokens/tree.js'
import type { ListedToken } from '../../src/protocol/operator.js'
import { API_KEYS } from '../runtime/fixture/service.js'
import { startWorld } from './world.js'

const keys = { options: { development: true } }
const path = '/-/console/api/tokens'

describe('tokens in the console', () => {
  it('are listed for operators, with what is spent, and for nobody else', async () => {
    const world = await startWorld(keys)
    const budget = { currency: 'EUR', max_amount: 20, mode: 'cumulative' }
    const { token_id } = await world.fixture.root({ subject: 'agent:desk', budget })
    const operator = world.browser()
    await operator.byKey('op-key')
    const { tokens } = (await operator.get(`${path}?state=live`)).body as unknown as { tokens: readonly ListedToken[] }
    expect(tokens).toMatchObject([{ token_id, subject: 'agent:desk', budget, spent: 0 }])
    const ana = world.browser()
    await ana.byKey('ana-key')
    expect((await ana.get(path)).body['failure']?.['type']).toBe('insufficient_authority')
    expect((await world.browser().get(path)).status).toBe(401)
  })

  it('N16 end by a POST of an operator from a page of the console, with a reason, and by nothing else', async () => {
    const world = await startWorld(keys)
    const { token, token_id } = await world.fixture.root({ subject: 'agent:desk' })
    const body = { token_id, reason: 'No longer needed' }
    const operator = world.browser()
    await operator.byKey('op-key')
    const statusOf = async (headers: { readonly [name: string]: string }) => (await operator.post(`${path}/revoke`, body, headers)).status // prettier-ignore
    expect(await statusOf({ origin: 'https://evil.example' })).toBe(403)
    expect(await statusOf({ 'sec-fetch-site': 'cross-site' })).toBe(403)
    expect(await statusOf({ 'x-csrf-token': 'guess' })).toBe(403)
    expect((await operator.get(`${path}/revoke?token_id=${token_id}&reason=x`)).status).toBe(405)
    expect((await operator.post(`${path}/revoke`, { token_id })).status).toBe(400)
    const ana = world.browser()
    await ana.byKey('ana-key')
    expect((await ana.post(`${path}/revoke`, body)).status).toBe(403)
    expect((await world.fixture.post('/svc/permissions', token)).status).toBe(200)
    expect((await operator.post(`${path}/revoke`, body)).body).toMatchObject({ revoked: true, tokens: 1 })
    expect((await world.fixture.post('/svc/permissions', token)).status).toBe(401)
  })

  it('are no longer an operator’s once the key is gone', async () => {
    const file = { keys: API_KEYS }
    const apiKeys = Object.assign([...API_KEYS], { reload: async () => file.keys })
    const world = await startWorld({ ...keys, given: { apiKeys: apiKeys as never } })
    const operator = world.browser()
    await operator.byKey('op-key')
    const sha256 = createHash('sha256').update('op-key').digest('hex')
    file.keys = API_KEYS.filter((key) => key.sha256 !== sha256)
    await world.fixture.service.apiKeys.reload()
    expect((await operator.get(path)).status).toBe(401)
  })

  it('are trees by their parents; one whose parent is not listed begins a tree', () => {
    const token = (token_id: string, parent_token_id?: string) =>
      ({ token_id, issued_at: token_id, ...(parent_token_id !== undefined && { parent_token_id }) }) as ListedToken
    const [a, c] = treesOf([token('b', 'a'), token('a'), token('c', 'gone'), token('d', 'b')])
    expect([a?.token.token_id, a?.children[0]?.token.token_id, a?.children[0]?.children[0]?.token.token_id]).toEqual(['a', 'b', 'd']) // prettier-ignore
    expect([c?.token.token_id, c?.parent, c?.children]).toEqual(['c', undefined, []])
  })
})
