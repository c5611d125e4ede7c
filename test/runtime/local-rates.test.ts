/** Rates of callers whom nobody knows, in this process alone (decisions, section 9). */
import { expect, it } from 'vitest'
import { localRates } from '../../src/runtime/rates/local-rates.js'
import { startFixture } from './fixture/service.js'

const start = () => {
  const time = { now: 1_000_000 }
  const rates = localRates(() => time.now)
  const take = (name = 'a', perMinute = 2) => rates.take(name, perMinute)
  return { time, take }
}

it('a name has a minute’s worth of places, and each comes back in its time', () => {
  const { time, take } = start()
  expect([take(), take(), take()]).toEqual([undefined, undefined, 30])
  time.now += 29_999
  expect(take()).toBe(1)
  time.now += 1
  expect([take(), take()]).toEqual([undefined, 30])
})

it('asking again while there is none makes nobody wait longer', () => {
  const { time, take } = start()
  take()
  take()
  for (const wait of [30, 23, 15, 8]) {
    expect(take()).toBe(wait)
    time.now += 7_500
  }
  expect(take()).toBeUndefined()
})

it('what is not used for an hour is a minute’s worth still', () => {
  const { time, take } = start()
  take()
  time.now += 3600_000
  expect([take(), take(), take()]).toEqual([undefined, undefined, 30])
})

it('a clock that is set back gives no place, and takes none', () => {
  const { time, take } = start()
  take()
  take()
  time.now -= 3600_000
  expect(take()).toBe(30)
  time.now += 30_000
  expect(take()).toBeUndefined()
})

it('names do not share', () => {
  const { take } = start()
  expect([take('a'), take('a'), take('a'), take('b')]).toEqual([undefined, undefined, 30, undefined])
})

it('a credential that is known takes none of the places for guessing', async () => {
  const { post } = await startFixture({ limits: { badCredentialsPerMinute: 1 } })
  const asked = { scope: ['travel.search'] }
  const statuses = []
  for (const bearer of ['ana-key', 'ana-key', 'guess', 'ana-key', 'guess']) statuses.push((await post('/svc/tokens', bearer, asked)).status) // prettier-ignore
  expect(statuses).toEqual([200, 200, 401, 200, 429])
})

it('guesses at a role, at a revocation and at a decision count as guesses', async () => {
  const { post, call } = await startFixture({ limits: { badCredentialsPerMinute: 3 } })
  const statuses = [
    (await call('GET', '/-/tokens', { bearer: 'guess' })).status,
    (await post('/svc/tokens/revoke', 'guess', { token_id: 'tok_x' })).status,
    (await post('/-/audit', 'guess')).status,
    (await post('/svc/tokens', 'guess', { scope: ['travel.search'] })).status,
  ]
  expect(statuses).toEqual([401, 401, 401, 429])
})
