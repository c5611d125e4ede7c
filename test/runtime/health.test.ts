/** What a platform is told of a service (decisions, section 9), and what of that is over when its cause is. */
import { describe, expect, it } from 'vitest'
import { generateRingKey } from '../../src/crypto/keys/key-ring.js'
import { alarms } from '../../src/runtime/telemetry/alarms.js'
import { KEYS, startFixture, type Given } from './fixture/service.js'
import { publishedManifest } from './fixture/published.js'

const start = async (given: Given = {}) => {
  const fixture = await startFixture(given)
  const health = async () => {
    const { status, body } = await fixture.call('GET', '/-/ready')
    return [status, body] as const
  }
  return { ...fixture, health }
}
const READY = { status: 'ready', storage: true, keys: true, alarms: [] }

describe('a service', () => {
  it('is unavailable while who holds its keys does not answer, and ready again when they do', async () => {
    let isAway = true
    const ready = async () => {
      if (isAway) throw new Error('no connection')
    }
    const { health } = await start({ keys: { ...KEYS, ready } })
    expect(await health()).toEqual([503, { ...READY, status: 'unavailable', keys: false }])
    isAway = false
    expect(await health()).toEqual([200, READY])
  })

  it('is ready again when its store is', async () => {
    const { health, storage } = await start()
    const { ready } = storage
    Object.assign(storage, { ready: () => Promise.reject(new Error('no connection')) })
    expect(await health()).toEqual([503, { ...READY, status: 'unavailable', storage: false }])
    Object.assign(storage, { ready })
    expect(await health()).toEqual([200, READY])
  })

  it('asks its store once for all who ask at a time, and again for the next', async () => {
    const { health, storage } = await start()
    let asked = 0
    const { ready } = storage
    Object.assign(storage, { ready: async () => (asked++, ready()) })
    await Promise.all([health(), health(), health()])
    expect(asked).toBe(1)
    await health()
    expect(asked).toBe(2)
  })

  it.each([
    ['that is not active yet', 'tokens', 'next'],
    ['that is retired', 'tokens', 'retired'],
    ['of another role alone', 'audit', 'active'],
  ] as const)('with a key for tokens %s is unavailable', async (_, role, state) => {
    const { health, service } = await start()
    const others = KEYS.keys.filter((key) => key.role !== 'tokens')
    service.keys.replace({ keys: [...others, generateRingKey(role, state)] })
    expect(await health()).toEqual([503, { ...READY, status: 'unavailable', keys: false }])
  })

  it('that is told to end is unavailable, so that nobody sends it more', async () => {
    const { health, service } = await start()
    service.lifecycle.draining = true
    expect(await health()).toEqual([503, { ...READY, status: 'unavailable' }])
  })

  it.each([
    ['audit_unavailable', 503, 'unavailable'],
    ['clock_differs', 503, 'unavailable'],
    ['trail_altered', 200, 'degraded'],
    ['keys_unreadable', 200, 'degraded'],
  ] as const)('with the alarm %s answers %i', async (alarm, status, word) => {
    const { health, service } = await start()
    service.alarms.add(alarm)
    expect(await health()).toEqual([status, { ...READY, status: word, alarms: [alarm] }])
    service.alarms.clear(alarm)
    expect(await health()).toEqual([200, READY])
  })

  it('whose manifest has ended is degraded until it is signed again', async () => {
    const manifestKey = KEYS.keys[0]!
    let isAway = false
    const sign = (data: Uint8Array) => {
      if (isAway) throw new Error('away')
      return manifestKey.signer!.sign(data)
    }
    const keys = { keys: [{ ...manifestKey, signer: { kid: manifestKey.kid, sign } }, ...KEYS.keys.slice(1)] }
    const { health, time } = await start({ keys, limits: { manifestLifetimeMs: 3600_000 } })
    isAway = true
    time.now += 3600_000 - 1
    expect(await health()).toEqual([200, READY])
    time.now += 1
    expect(await health()).toEqual([200, { ...READY, status: 'degraded', alarms: ['manifest_expired'] }])
    isAway = false
    expect(await health()).toEqual([200, READY])
  })

  it('whose manifest was published elsewhere is degraded from the moment in which that ends', async () => {
    const published = await publishedManifest({ expires_at: '2026-03-01T12:00:01Z' })
    const { health, time } = await start({ publishedManifest: published })
    time.now += 999
    expect(await health()).toEqual([200, READY])
    time.now += 1
    expect(await health()).toEqual([200, { ...READY, status: 'degraded', alarms: ['manifest_expired'] }])
  })
})

describe('an alarm', () => {
  it('is reported once for as long as it is raised', () => {
    const raised = alarms()
    raised.add('keys_unreadable')
    expect(raised.unreported()).toEqual(['keys_unreadable'])
    raised.reported(['keys_unreadable'])
    raised.add('keys_unreadable')
    expect([raised.unreported(), raised.all()]).toEqual([[], ['keys_unreadable']])
  })

  it('is reported again when it is raised again after its end', () => {
    const raised = alarms()
    raised.add('keys_unreadable')
    raised.reported(['keys_unreadable'])
    raised.clear('keys_unreadable')
    expect([raised.all(), raised.has('keys_unreadable'), raised.unreported()]).toEqual([[], false, []])
    raised.add('keys_unreadable')
    expect(raised.unreported()).toEqual(['keys_unreadable'])
  })

  it('that ended before it was reported is reported still', () => {
    const raised = alarms()
    raised.add('clock_differs')
    raised.clear('clock_differs')
    expect([raised.all(), raised.unreported()]).toEqual([[], ['clock_differs']])
  })

  it('is not taken for reported by the report of another', () => {
    const raised = alarms()
    raised.add('clock_differs')
    raised.add('keys_unreadable')
    raised.reported(['clock_differs'])
    expect(raised.unreported()).toEqual(['keys_unreadable'])
  })
})
