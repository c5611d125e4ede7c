/** What an auditor and the holder of a token read of the trail (section 4.8; decisions, section 13). */
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { formatHash } from '../../src/crypto/json/digest.js'
import { leafHash } from '../../src/crypto/merkle/merkle.js'
import type { ApiKey } from '../../src/runtime/index.js'
import { eraseExpired } from '../../src/runtime/lifecycle/retention.js'
import { followTrail } from '../../src/runtime/operate/tail.js'
import { DamagedRow } from '../../src/runtime/storage/sql/columns.js'
import { capability } from './fixture/manifest.js'
import { API_KEYS, startFixture, type Entry, type Given } from './fixture/service.js'
import { draft } from './storage/examples.js'

const AUDITOR: ApiKey = { id: 'aud', principal: 'human:aud', roles: ['auditor'], sha256: createHash('sha256').update('aud-key').digest('hex') } // prettier-ignore

const start = async (given: Given = {}) => {
  const fixture = await startFixture({ apiKeys: [...API_KEYS, AUDITOR], ...given })
  const audit = async (query = '') => (await fixture.post(`/-/audit${query}`, 'aud-key')).body
  const sequences = async (query: string) =>
    ((await audit(query))['entries'] as unknown as readonly Entry[]).map(({ sequence }) => sequence)
  return { ...fixture, audit, sequences }
}

const ONE = {
  capability: 'search', invocation_id: 'inv-000000000001', client_reference_id: 'c-1', task_id: 't-1', parent_invocation_id: 'inv-000000000009',
  approval_request_id: 'apr_1', event_class: 'low_risk_success', success: true, actor_key: 'agent:a', root_principal: 'human:ana',
} as const // prettier-ignore
const OTHER = {
  capability: 'book', invocation_id: 'inv-000000000002', client_reference_id: 'c-2', task_id: 't-2', parent_invocation_id: 'inv-000000000008',
  approval_request_id: 'apr_2', event_class: 'high_risk_failure', success: false, actor_key: 'agent:b', root_principal: 'human:eve',
} as const // prettier-ignore

describe('an auditor', () => {
  it.each([
    'capability=search', 'invocation_id=inv-000000000001', 'client_reference_id=c-1', 'task_id=t-1', 'parent_invocation_id=inv-000000000009',
    'approval_request_id=apr_1', 'event_class=low_risk_success', 'success=true', 'actor=agent:a', 'principal=human:ana', 'api_key=ana', 'entry_type=invocation',
  ])('finds by %s what it is true of, and nothing else', async (query) => {
    const { service, sequences } = await start()
    await service.record({ draft: { ...draft(ONE), credential: { api_key: 'ana' } } })
    await service.record({ draft: { ...draft(OTHER), entry_type: 'approval_requested', credential: { issuer: 'https://idp.example', subject: 'ana' } } })
    expect(await sequences(`?${query}`)).toEqual([1])
  }) // prettier-ignore

  it('finds what all filters are true of at once', async () => {
    const { service, sequences } = await start()
    await service.record({ draft: draft(ONE) })
    await service.record({ draft: draft(OTHER) })
    expect(await sequences('?capability=search&principal=human:ana')).toEqual([1])
    expect(await sequences('?capability=search&principal=human:eve')).toEqual([])
  })

  it.each([
    ['since=2026-03-01T12:00:00.000Z', [2]],
    ['since=2026-03-01T11:59:59.999Z', [2, 1]],
    ['until=2026-03-01T12:00:00.000Z', [1]],
    ['until=2026-03-01T12:00:00.001Z', [2, 1]],
  ])('and a token read by %s the same, after the one time and up to the other', async (query, expected) => {
    const { service, sequences, root, trail, time } = await start()
    const about = { ...ONE, root_principal: 'human:ana' } as const
    await service.record({ draft: draft({ ...about, timestamp: '2026-03-01T12:00:00.000Z' }) })
    await service.record({ draft: draft({ ...about, invocation_id: 'inv-000000000003', timestamp: '2026-03-01T12:00:00.001Z' }) }) // prettier-ignore
    time.now += 3600_000
    expect(await sequences(`?${query}`)).toEqual(expected)
    const { token } = await root()
    expect((await trail(token, `?${query}&capability=search`)).map(({ sequence }) => sequence)).toEqual(expected)
  })

  it('reads pages that follow each other without a gap, and knows the last', async () => {
    const { service, audit } = await start()
    for (let at = 1; at <= 3; at++) await service.record({ draft: draft({ invocation_id: `inv-00000000000${at}` }) })
    const first = await audit('?limit=2')
    expect([first['count'], first['next_cursor']]).toEqual([2, '2'])
    const second = await audit(`?limit=2&cursor=${first['next_cursor']}`)
    expect([second['entries']![0]!['sequence'], second['count'], second['next_cursor']]).toEqual([1, 1, undefined])
  })

  it('and a token are given no cursor by a page that ends with the last entry', async () => {
    const { audit, root, post } = await start()
    const { token } = await root()
    expect((await post('/svc/audit?limit=1', token)).body).not.toHaveProperty('next_cursor')
    expect((await audit('?limit=2'))['next_cursor']).toBeUndefined()
  })

  it('N10 looks for what few entries are among so many at a time, and the cursor leads on', async () => {
    const { service, audit } = await start({ limits: { auditRowsPerQuery: 500 } })
    await service.record({ draft: draft(ONE) })
    await Promise.all(Array.from({ length: 500 }, () => service.record({ draft: draft({ actor_key: 'agent:z' }) })))
    const first = await audit('?actor=agent:a')
    expect(first).toEqual({ entries: [], count: 0, next_cursor: '2' })
    expect((await audit('?actor=agent:a&cursor=2'))['count']).toBe(1)
  })

  it('N07 is answered no entry that is not what was recorded, and health says so', async () => {
    const { service, storage, post } = await start()
    Object.assign(storage.audit, { newest: () => Promise.reject(new DamagedRow('Entry 2 was edited.')) })
    const { status, body } = await post('/-/audit', 'aud-key')
    expect([status, JSON.stringify(body).includes('edited')]).toEqual([500, false])
    expect(service.alarms.all()).toEqual(['trail_altered'])
  })

  it('is told that the store is away without an alarm about the trail', async () => {
    const { service, storage, post } = await start()
    Object.assign(storage.audit, { newest: () => Promise.reject(new Error('no connection')) })
    expect((await post('/-/audit', 'aud-key')).status).toBe(500)
    expect(service.alarms.all()).toEqual([])
  })
})

describe('N10 the places of a principal', () => {
  it('are those of all its agents together', async () => {
    const { root, post } = await start({ limits: { auditQueriesPerMinute: 1 } })
    const [one, two] = [await root({ subject: 'agent:a' }), await root({ subject: 'agent:b' })]
    const statuses = [(await post('/svc/audit', one.token)).status, (await post('/svc/audit', two.token)).status]
    expect(statuses).toEqual([200, 429])
  })

  it('are given back by a query that fails', async () => {
    const { root, post, storage, service } = await start({ limits: { auditQueriesAtOnce: 1 } })
    const { token } = await root()
    const { query } = storage.audit
    Object.assign(storage.audit, { query: () => Promise.reject(new Error('no connection')) })
    expect((await post('/svc/audit', token)).status).toBe(500)
    Object.assign(storage.audit, { query })
    expect((await post('/svc/audit', token)).status).toBe(200)
    expect(service.audits.size).toBe(0)
  })

  it('bound an auditor, too, and take none from whom it reads about', async () => {
    const { root, post } = await start({ limits: { auditQueriesPerMinute: 1 } })
    const { token } = await root()
    expect((await post('/-/audit?principal=human:ana', 'aud-key')).status).toBe(200)
    expect((await post('/svc/audit', token)).status).toBe(200)
    const again = await post('/-/audit', 'aud-key')
    expect([again.status, again.headers.get('retry-after')]).toEqual([429, '60'])
  })
})

describe('the reason of an approver', () => {
  const grant_policy = { allowed_grant_types: ['one_time'], default_grant_type: 'one_time', expires_in_seconds: 60, max_uses: 1 } as const // prettier-ignore
  const denied = async (reason: string) => {
    const fixture = await start({
      capabilities: { book: capability({ approval: { required: 'always', grant_policy } }) },
      manifest: {
        metadata_disclosure: { caller_class: { internal: 'full', partner: 'reduced', default: 'redacted' } },
      },
    })
    const asked = (await fixture.invoke('book', (await fixture.root()).token)).body['failure']!['approval_request_id']
    const { token } = await fixture.issued('bob-key', { scope: ['approver:book'] })
    await fixture.post(`/svc/approval_requests/${asked as unknown as string}/deny`, token, { reason })
    const read = async (caller_class?: string) => {
      const reader = await fixture.root(caller_class === undefined ? {} : { caller_class })
      const entries = await fixture.trail(reader.token)
      return entries.find(({ entry_type }) => entry_type === 'approval_denied')!
    }
    return { ...fixture, read }
  }

  it('is read by each class as far as it may, with the hash of the whole entry where it is cut', async () => {
    const reason = 'y'.repeat(300)
    const { read, storage, audit } = await denied(reason)
    const whole = await read('internal')
    expect(whole).toMatchObject({ approval: { reason } })
    expect(whole).not.toHaveProperty('redacted')
    const [{ text } = { text: null }] = await storage.audit.texts(whole['sequence'] as number, 1)
    const withheld = { redacted: true, leaf_hash: formatHash(leafHash(text!)) }
    expect(await read('partner')).toMatchObject({ ...withheld, approval: { reason: `${'y'.repeat(199)}…` } })
    const least = await read()
    expect(least).toMatchObject(withheld)
    expect(least['approval']).not.toHaveProperty('reason')
    expect(JSON.stringify(least)).not.toContain('yyy')
    expect((await audit('?entry_type=approval_denied'))['entries']).toEqual([whole])
  })

  it('is whole for a class that reads some of it, where it is short', async () => {
    const { read } = await denied('No.')
    expect(await read('partner')).toMatchObject({ approval: { reason: 'No.' } })
    expect(await read('partner')).not.toHaveProperty('redacted')
  })
})

describe('a stream of the trail', () => {
  it('I26 of one delegate leaves places to its siblings', async () => {
    const { root, issued, fetch, service } = await start({ limits: { streamsPerPrincipal: 4, streamsPerDelegate: 1 } })
    const [greedy, sibling] = [await root({ subject: 'agent:a' }), await root({ subject: 'agent:b' })]
    const below = await issued(greedy.token, { scope: ['travel.search'], parent_token: greedy.token_id, subject: 'agent:x' }) // prettier-ignore
    const open = async (bearer: string) =>
      fetch(new Request('http://x/-/audit/stream', { headers: { authorization: `Bearer ${bearer}` } }))
    const streams = [await open(below.token), await open(greedy.token), await open(sibling.token)]
    expect(streams.map(({ status }) => status)).toEqual([200, 429, 200])
    await Promise.all(streams.map(({ body }) => body!.cancel()))
    expect(service.places.size).toBe(0)
  })

  it('gives its place back where the trail cannot be read, and tells nothing of why', async () => {
    const { call, storage, service } = await start()
    Object.assign(storage.audit, { size: () => Promise.reject(new Error('no connection')) })
    const { status, body } = await call('GET', '/-/audit/stream', { bearer: 'aud-key' })
    expect([status, JSON.stringify(body).includes('connection')]).toEqual([500, false])
    expect(service.places.size).toBe(0)
  })

  it('gives its place back once, though its reader leaves while it looks', async () => {
    const { service } = await start()
    let released = 0
    const looks: (() => void)[] = []
    const stream = await followTrail(service, {
      takePlace: () => () => void released++,
      after: 0,
      may: () => new Promise((resolve) => looks.push(() => resolve(undefined))),
    })
    const reader = stream.getReader()
    await reader.read()
    const next = reader.read()
    await expect.poll(() => looks.length).toBe(1)
    await reader.cancel()
    looks[0]!()
    await next
    await new Promise((resolve) => setImmediate(resolve))
    expect(released).toBe(1)
  })

  it('passes over what was erased', async () => {
    const { service, time, storage, fetch } = await start({
      capabilities: { search: capability({ observability: { logged: true, retention: 'P1D' } }) },
    })
    await service.record({ draft: draft({ capability: 'search', timestamp: new Date(time.now).toISOString() }) })
    time.now += 2 * 24 * 3600_000
    await service.record({ draft: draft({ capability: 'none', timestamp: new Date(time.now).toISOString() }) })
    expect(await eraseExpired(service, await storage.now())).toBe(1)
    const request = new Request('http://x/-/audit/stream?after=0', { headers: { authorization: 'Bearer aud-key' } })
    const reader = (await fetch(request)).body!.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    while (!text.includes('event: entry')) text += (await reader.read()).value ?? ''
    await reader.cancel()
    expect([...text.matchAll(/id: (\d+)\nevent: (\w+)/gu)].map(([, id, event]) => `${id} ${event}`)).toEqual(['0 from', '2 entry', '3 entry']) // prettier-ignore
  })
})
