/** GET /-/audit/stream: the trail as it grows, for auditors and for tokens (decisions, section 13). */
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { AnsweredEntry } from '../../src/protocol/audit.js'
import type { ApiKeys } from '../../src/runtime/credentials/api-keys.js'
import { capability } from './fixture/manifest.js'
import { API_KEYS, startFixture } from './fixture/service.js'
import { StorageUnavailable } from '../../src/runtime/storage/contract.js'
import { fetchHandler, type ApiKey, type RuntimeLimits } from '../../src/runtime/index.js'

const AUDITOR: ApiKey = { id: 'aud', principal: 'human:aud', roles: ['auditor'], sha256: createHash('sha256').update('aud-key').digest('hex') } // prettier-ignore
const KEYS = [...API_KEYS, AUDITOR]

const start = async (limits: Partial<RuntimeLimits> = {}, apiKeys: ApiKeys = KEYS) => {
  const fails = () => {
    throw new Error('secret of the house')
  }
  const capabilities = { search: capability(), fails: capability({ side_effect: { type: 'write' } }) }
  const fixture = await startFixture({ clock: Date.now, apiKeys, capabilities, handlers: { fails }, limits })
  const answer = fetchHandler(fixture.service)
  const stream = (bearer: string, query = '', headers: object = {}, method = 'GET') =>
    answer(
      new Request(`http://127.0.0.1/-/audit/stream${query}`, {
        method,
        headers: { authorization: `Bearer ${bearer}`, ...headers },
      }),
    )
  return { ...fixture, stream }
}

/** Reads until what has come holds, or the stream ends. */
function reading(response: Response) {
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const until = async (holds: (text: string) => boolean): Promise<string> => {
    while (!holds(text)) {
      const { value, done } = await reader.read()
      if (done) return `${text}END`
      text += value
    }
    return text
  }
  return { until, end: () => until(() => false), leave: () => reader.cancel() }
}

const entriesIn = (text: string): readonly AnsweredEntry[] =>
  [...text.matchAll(/event: entry\ndata: (.*)\n/gu)].map(([, data]) => JSON.parse(data!) as AnsweredEntry)

describe('the stream of the trail', () => {
  it('gives an auditor the entries of everybody as they come, and of those what is asked for', async () => {
    const { stream, issued, invoke, service } = await start()
    const all = reading(await stream('aud-key'))
    const ofEve = reading(await stream('aud-key', '?principal=human:eve&entry_type=invocation&success=true'))
    const [ana, eve] = [
      await issued('ana-key', { scope: ['travel.search'] }),
      await issued('eve-key', { scope: ['travel.search'] }),
    ]
    await invoke('fails', eve.token)
    await invoke('search', ana.token)
    const { invocation_id } = (await invoke('search', eve.token)).body
    const seen = entriesIn(await all.until((text) => text.includes(invocation_id as string)))
    expect(seen.map((entry) => [entry.sequence, entry.entry_type, entry.root_principal])).toEqual([
      [1, 'token_issued', 'human:ana'], [2, 'token_issued', 'human:eve'], [3, 'invocation', 'human:eve'],
      [4, 'invocation', 'human:ana'], [5, 'invocation', 'human:eve'],
    ]) // prettier-ignore
    const chosen = entriesIn(await ofEve.until((text) => text.includes(invocation_id as string)))
    expect(chosen.map((entry) => entry.sequence)).toEqual([5])
    await all.leave()
    await ofEve.leave()
    await expect.poll(() => service.places.size).toBe(0)
  })

  it('gives a token the entries of its root principal, as far as its class may read them', async () => {
    const { stream, post, root, issued, invoke } = await start()
    const { token } = await root()
    const eve = await issued('eve-key', { scope: ['travel.search'] })
    const own = reading(await stream(token))
    await invoke('search', eve.token)
    const { invocation_id } = (await invoke('fails', token)).body
    const seen = entriesIn(await own.until((text) => text.includes(invocation_id as string)))
    const page = (await post('/svc/audit?event_class=high_risk_failure', token)).body['entries']
    expect(seen).toEqual([expect.objectContaining({ invocation_id, root_principal: 'human:ana' })])
    expect(seen).toEqual(page)
    await own.leave()
  })

  it('goes on after the last entry that was seen', async () => {
    const { stream, root, invoke } = await start()
    const { token } = await root()
    for (let n = 0; n < 4; n++) await invoke('search', token)
    const last = (text: string) => text.includes('id: 5\n')
    const byHeader = entriesIn(await reading(await stream('aud-key', '?after=1', { 'last-event-id': '3' })).until(last))
    const byQuery = entriesIn(await reading(await stream('aud-key', '?after=2')).until(last))
    expect([byHeader, byQuery].map((seen) => seen.map((entry) => entry.sequence))).toEqual([[4, 5], [3, 4, 5]]) // prettier-ignore
    const ofNobody = reading(await (await start({ streamHeartbeatMs: 1 })).stream('aud-key', '?after=0&actor=human:x'))
    expect(await ofNobody.until((text) => /(?:^|\n\n)id: 0\n\n/u.test(text))).not.toContain('event: entry')
  })

  it('opens for no other credential, and takes what a page of it takes', async () => {
    const { stream, root, call, service } = await start()
    const { token } = await root()
    const refusals = [
      [undefined, '', 401, 'authentication_required'], ['x-key', '', 401, 'authentication_required'],
      ['ana-key', '', 403, 'insufficient_authority'], ['op-key', '', 403, 'insufficient_authority'],
      ['aud-key', '?after=x', 400, 'invalid_parameters'], ['aud-key', '?limit=1', 400, 'invalid_parameters'],
      ['aud-key', '?since=2030-01-01T00:00:00Z', 400, 'invalid_parameters'], ['aud-key', '?success=maybe', 400, 'invalid_parameters'],
      [token, '?actor=human:ana', 400, 'invalid_parameters'], [token, '?principal=human:eve', 400, 'invalid_parameters'],
    ] as const // prettier-ignore
    for (const [bearer, query, status, type] of refusals) {
      const { status: given, body } = await call('GET', `/-/audit/stream${query}`, { bearer })
      expect([bearer, query, given, body['failure']?.['type']]).toEqual([bearer, query, status, type])
    }
    expect((await stream('aud-key', '', {}, 'HEAD')).status).toBe(200)
    await expect.poll(() => service.places.size).toBe(0)
  })

  it('N10: takes places that are bounded by principal, and gives them back', async () => {
    const { stream, service } = await start({ streamsPerPrincipal: 2 })
    const open = [reading(await stream('aud-key')), reading(await stream('aud-key'))]
    const third = await stream('aud-key')
    expect([third.status, third.headers.get('retry-after')]).toEqual([429, '1'])
    await open[0]!.leave()
    await expect.poll(() => service.places.get('stream human:aud')).toBe(1)
    await reading(await stream('aud-key')).leave()
    await open[1]!.leave()
    await expect.poll(() => service.places.size).toBe(0)
  })

  it('ends with its token, with its key, with its time, and with the service', async () => {
    let keys: readonly ApiKey[] = KEYS
    const reload = async (): Promise<ApiKeys> => Object.assign([...keys], { reload })
    const apiKeys = await reload()
    const { stream, root, post, service } = await start({}, apiKeys)
    const { token, token_id } = await root()
    const [ofToken, ofKey, ofBlocked] = [
      reading(await stream(token)),
      reading(await stream('aud-key')),
      reading(await stream('aud-key')),
    ]
    await post('/svc/tokens/revoke', 'ana-key', { token_id })
    expect(await ofToken.end()).toContain('END')
    keys = API_KEYS
    await service.apiKeys.reload()
    expect(await ofKey.end()).toContain('END')
    expect(await ofBlocked.end()).toContain('END')
    const short = await start({ streamTimeoutMs: 1 })
    expect(await reading(await short.stream('aud-key')).end()).toContain('END')
    const drained = reading(await short.stream('aud-key'))
    short.service.lifecycle.draining = true
    expect(await drained.end()).toContain('END')
    await expect.poll(() => service.places.size + short.service.places.size).toBe(0)
  })

  it('ends when nobody can say whether its credential still holds', async () => {
    const { stream, storage } = await start()
    const followed = reading(await stream('aud-key'))
    Object.assign(storage.operators, { blockOf: () => Promise.reject(new StorageUnavailable('gone')) })
    expect(await followed.end()).toContain('END')
  })

  it('N07: gives nobody an entry that is not what was recorded', async () => {
    const { stream, root, invoke, service, storage } = await start()
    const { token } = await root()
    await invoke('search', token)
    const texts = storage.audit.texts
    Object.assign(storage.audit, {
      texts: async (...given: Parameters<typeof texts>) =>
        (await texts(...given)).map((each) => ({ ...each, text: each.text!.replace('human:ana', 'human:eve') })),
    })
    expect(await reading(await stream('aud-key', '?after=0')).end()).not.toContain('human:eve')
    expect(service.alarms.all()).toContain('trail_altered')
  })
})
