/** What operators read page by page, and what holds on after a key or a pause has changed (decisions, section 13). */
import { describe, expect, it } from 'vitest'
import type { ApiKey, HandlerContext } from '../../src/runtime/index.js'
import type { ApiKeys } from '../../src/runtime/credentials/api-keys.js'
import type { AuditEntry } from '../../src/protocol/audit.js'
import { maintain } from '../../src/runtime/lifecycle/maintenance.js'
import { recordEnding } from '../../src/runtime/operate/record-action.js'
import { StorageUnavailable } from '../../src/runtime/storage/contract.js'
import { endingKeys, findUnknownKeys } from '../../src/runtime/operate/ended-keys.js'
import { readPauses } from '../../src/runtime/operate/pausing.js'
import { capability } from './fixture/manifest.js'
import { API_KEYS, startFixture } from './fixture/service.js'

const SEARCH = { scope: ['travel.search'] }

const start = async (given: Parameters<typeof startFixture>[0] = {}) => {
  const fixture = await startFixture(given)
  const op = (path: string, body: object) => fixture.post(path, 'op-key', { reason: 'Why not.', ...body })
  const page = async (query: string) => {
    const { tokens, count, next_cursor } = (await fixture.call('GET', `/-/tokens?${query}`, { bearer: 'op-key' })).body
    const ids = (tokens as unknown as readonly { readonly token_id: string }[]).map(({ token_id }) => token_id)
    return { ids, count, next_cursor, tokens: tokens! }
  }
  return { ...fixture, op, page }
}

describe('tokens by pages', () => {
  it('come once each, and the last page leads nowhere', async () => {
    const { root, page } = await start()
    const bought = [await root(), await root(), await root()].map(({ token_id }) => token_id).toSorted()
    const first = await page('limit=2')
    expect([first.ids, first.count]).toEqual([bought.slice(0, 2), 2])
    const second = await page(`limit=2&cursor=${first.next_cursor}`)
    expect([second.ids, second.count, second.next_cursor]).toEqual([bought.slice(2), 1, undefined])
  })

  it('of a state that few are in lead on where nothing was found yet', async () => {
    const { root, page, op } = await start()
    const bought = []
    for (let n = 0; n < 12; n++) bought.push((await root()).token_id)
    const last = bought.toSorted().at(-1)!
    for (const token_id of bought) if (token_id !== last) await op('/-/tokens/revoke', { token_id })
    const first = await page('limit=1&state=live')
    expect([first.ids, first.count]).toEqual([[], 0])
    const second = await page(`limit=1&state=live&cursor=${first.next_cursor}`)
    expect(second.ids).toEqual([last])
  })

  it('of a state pass over those in another, and none between', async () => {
    const { root, page, op } = await start()
    const bought = [await root(), await root(), await root(), await root()].map(({ token_id }) => token_id).toSorted()
    await op('/-/tokens/revoke', { token_id: bought[1] })
    const first = await page('limit=2&state=live')
    expect(first.ids).toEqual([bought[0], bought[2]])
    expect((await page(`limit=2&state=live&cursor=${first.next_cursor}`)).ids).toEqual([bought[3]])
  })
})

describe('a listed token', () => {
  it('is expired from the very second of its end, and revoked whatever its time is', async () => {
    const { root, page, op, time } = await start()
    const [{ token_id }, other] = [await root({ ttl_hours: 1 }), await root({ ttl_hours: 1 })]
    await op('/-/tokens/revoke', { token_id: other.token_id })
    time.now += 3600_000 - 1
    expect((await page('state=live')).ids).toEqual([token_id])
    time.now += 1
    expect((await page('state=expired')).ids).toEqual([token_id])
    expect((await page('state=revoked')).ids).toEqual([other.token_id])
  })

  it('is in the state of the one above it', async () => {
    const { root, issued, page, op } = await start()
    const parent = await root({ subject: 'agent:a' })
    const child = await issued(parent.token, { ...SEARCH, subject: 'agent:b', parent_token: parent.token_id })
    await op('/-/tokens/revoke', { token_id: parent.token_id })
    expect((await page('subject=agent:b')).tokens).toMatchObject([{ token_id: child.token_id, state: 'revoked', parent_token_id: parent.token_id, depth: 1 }]) // prettier-ignore
  })

  it('says what it may do, when it was bought and by what, and what is spent of a budget that adds up', async () => {
    const financial = { currency: 'EUR', amount: 5 }
    const pay = capability({ side_effect: { type: 'irreversible' }, cost: { certainty: 'fixed', financial } })
    const { root, invoke, page } = await start({ capabilities: { pay }, handlers: { pay: (_: object, { cost }: HandlerContext) => (cost.report(financial), {}) } as never }) // prettier-ignore
    const budget = { currency: 'EUR', max_amount: 20, mode: 'cumulative' }
    const { token, token_id } = await root({ budget, capability: 'pay', purpose_parameters: { task_id: 't-1' } })
    await invoke('pay', token)
    expect((await page('principal=human:ana')).tokens).toEqual([
      {
        token_id, root_principal: 'human:ana', subject: 'human:ana', scope: ['travel.search'], capability: 'pay', budget, task_id: 't-1', depth: 0,
        state: 'live', credential: { api_key: 'ana' }, issued_at: '2026-03-01T12:00:00.000Z', expires_at: '2026-03-01T14:00:00.000Z', spent: 5,
      },
    ]) // prettier-ignore
    const each = await root({ budget: { currency: 'EUR', max_amount: 20 }, subject: 'agent:x' })
    await invoke('pay', each.token)
    expect((await page('subject=agent:x')).tokens![0]).not.toHaveProperty('spent')
  })
})

describe('a pause', () => {
  const replicas = async () => {
    const one = await start()
    const other = await start({ storage: one.storage })
    return { one, other, token: (await one.root()).token }
  }

  it('of another replica holds here once it is read, and no longer than there', async () => {
    const { one, other, token } = await replicas()
    await one.op('/-/capabilities/search/pause', {})
    await readPauses(other.service)
    expect((await other.invoke('search', token)).status).toBe(503)
    await one.op('/-/capabilities/search/resume', {})
    await readPauses(other.service)
    expect((await other.invoke('search', token)).status).toBe(200)
  })

  it('holds on while the store cannot say whether it does', async () => {
    const { one, other, token } = await replicas()
    await one.op('/-/capabilities/search/pause', {})
    await readPauses(other.service)
    const paused = other.storage.operators.paused
    Object.assign(other.storage.operators, { paused: () => Promise.reject(new Error('no connection')) })
    await expect(readPauses(other.service)).rejects.toThrow('no connection')
    Object.assign(other.storage.operators, { paused })
    expect((await other.invoke('search', token)).status).toBe(503)
  })
})

describe('a key of the file', () => {
  const eve = API_KEYS.find(({ id }) => id === 'eve')!

  const withFile = async () => {
    const file: { keys: readonly ApiKey[] } = { keys: API_KEYS }
    const reload = async (): Promise<ApiKeys> => Object.assign([...file.keys], { reload })
    const fixture = await start({ apiKeys: await reload() })
    const judge = endingKeys()
    const read = async (keys: readonly ApiKey[]) => {
      file.keys = keys
      await fixture.service.apiKeys.reload()
      await judge(fixture.service)
    }
    const bought = async (bearer: string) => (await fixture.issued(bearer, SEARCH)).token
    const stands = async (token: string) => (await fixture.invoke('search', token)).status === 200
    return { ...fixture, judge, read, bought, stands }
  }

  it('that came back and is revoked again ends what it bought meanwhile', async () => {
    const { read, bought, stands } = await withFile()
    await read(API_KEYS.filter(({ id }) => id !== 'eve'))
    await read(API_KEYS)
    const token = await bought('eve-key')
    await read(API_KEYS)
    expect(await stands(token)).toBe(true)
    await read(API_KEYS.map((each) => ({ ...each, revoked: each.id === 'eve' })))
    expect(await stands(token)).toBe(false)
  })

  it('that the file gained and lost again ends what it bought', async () => {
    const { read, bought, stands } = await withFile()
    const others = API_KEYS.filter(({ id }) => id !== 'eve')
    await read([...others, { ...eve, id: 'late' }])
    const token = await bought('eve-key')
    await read(others)
    expect(await stands(token)).toBe(false)
  })

  it('that has bought nothing ends without an entry', async () => {
    const { read, storage } = await withFile()
    await read(API_KEYS.filter(({ id }) => id !== 'eve'))
    expect(await storage.audit.size()).toBe(0)
  })

  it('that has ended is on the trail with how many tokens it took, in the name of the file', async () => {
    const { read, bought, storage, logged } = await withFile()
    await bought('eve-key')
    await bought('eve-key')
    await read(API_KEYS.filter(({ id }) => id !== 'eve'))
    const [{ text } = { text: null }] = await storage.audit.texts(3, 1)
    expect(JSON.parse(text!)).toMatchObject({ actor_key: 'service:api-keys', operated: { name: 'api_key_ended', target: { api_key: 'eve' }, tokens: 2 } }) // prettier-ignore
    expect(logged.at(-1)).toBe('An API key has ended, and with it the tokens that it bought. {"api_key_id":"eve","tokens":2}') // prettier-ignore
  })

  it('that nobody knows raises an alarm until it is back, and is named once in the log', async () => {
    const { storage, issued } = await start()
    await issued('eve-key', SEARCH)
    const { service, logged } = await start({ storage, apiKeys: API_KEYS.filter(({ id }) => id !== 'eve') })
    await findUnknownKeys(service)
    await findUnknownKeys(service)
    expect(service.alarms.all()).toEqual(['api_key_unknown'])
    expect(logged.filter((line) => line.includes('svc operate end --api-key eve'))).toHaveLength(1)
    await findUnknownKeys({ ...service, apiKeys: { ...service.apiKeys, ids: () => new Set(['eve']) } })
    expect(service.alarms.all()).toEqual([])
  })

  it('that is revoked and still in the file is known', async () => {
    const { storage, issued } = await start()
    await issued('eve-key', SEARCH)
    const { service } = await start({ storage, apiKeys: [{ ...eve, revoked: true }] })
    await findUnknownKeys(service)
    expect(service.alarms.all()).toEqual([])
  })
})

it('a block that is lifted is on the trail with its id, and who lifted it', async () => {
  const { op, post, storage } = await start()
  const { block } = (await op('/-/tokens/revoke', { subject: 'agent:x' })).body
  await post(`/-/blocks/${block!['block_id']}/lift`, 'op-key', {})
  const [{ text } = { text: null }] = await storage.audit.texts(2, 1)
  expect(JSON.parse(text!)).toMatchObject({
    entry_type: 'operator_action', event_class: 'high_risk_success', actor_key: 'human:op', root_principal: 'human:op', credential: { api_key: 'op' },
    operated: { name: 'block_lifted', target: { subject: 'agent:x' }, block_id: block!['block_id'] },
  }) // prettier-ignore
})

it('a single token that an operator ends is on the trail by its id', async () => {
  const { op, root, storage } = await start()
  const { token_id } = await root()
  await op('/-/tokens/revoke', { token_id })
  const [{ text } = { text: null }] = await storage.audit.texts(2, 1)
  expect(JSON.parse(text!)).toMatchObject({ token_id, operated: { name: 'tokens_revoked', tokens: 1, reason: 'Why not.' } }) // prettier-ignore
})

it('ends the sessions of an API key with its tokens, and those of no other', async () => {
  const { op, storage } = await start()
  const begin = (hash: string, id: string) =>
    storage.sessions.begin({ hash, principal: 'human:ana', credential: { api_key: id } }, 60_000, 60_000)
  await begin('a'.repeat(64), 'ana')
  await begin('b'.repeat(64), 'ana2')
  await op('/-/tokens/revoke', { api_key: 'ana' })
  expect(await storage.sessions.look('a'.repeat(64))).toBeUndefined()
  expect(await storage.sessions.look('b'.repeat(64))).toBeDefined()
})

it('ends tokens of a principal by all of its names', async () => {
  const { op, issued, invoke, storage } = await start()
  const account = { issuer: 'https://idp.example', subject: '7' }
  await storage.accounts.remember(account, 'human:ana')
  await storage.accounts.remember(account, 'human:eve')
  const { token } = await issued('eve-key', SEARCH)
  expect((await op('/-/tokens/revoke', { principal: 'human:ana' })).body['tokens']).toBe(1)
  expect((await invoke('search', token)).body['failure']!['type']).toBe('token_revoked')
})

it('tokens that ended while the trail is away are on it when it is back, or when the service stops, all of them once', async () => {
  const { service, storage } = await start()
  const ids = Array.from({ length: 2_500 }, (_, index) => `tok_${index}`)
  const { append } = storage.audit
  let appended = 0
  const away: typeof append = (take, seal) => {
    if (appended++ !== 1) return append(take, seal)
    take()
    return Promise.reject(new StorageUnavailable('away'))
  }
  Object.assign(storage.audit, { append: away })
  const stop = maintain(service, { every: () => () => undefined, uptime: () => 0 })
  const operated = { name: 'tokens_revoked', target: { principal: 'human:ana' }, reason: 'Leaked.' } as const
  await expect(recordEnding(service, { principal: 'human:op' }, operated, ids)).rejects.toThrow('away')
  await stop()
  const entries = (await storage.audit.texts(1, 9)).map(({ text }) => JSON.parse(text!) as AuditEntry)
  expect(entries.map((entry) => entry.operated?.token_ids?.length)).toEqual([1_000, 1_000, 500])
  expect(entries.flatMap((entry) => entry.operated?.token_ids ?? [])).toEqual(ids)
})
