/** Room for the bodies that are on their way: for each caller, for what is below a token, and for each pool (threats N10, N29, N30). */
import { expect, it } from 'vitest'
import { bodiesInFlight, type BodySender } from '../../src/runtime/request/bodies-in-flight.js'
import { DEFAULT_LIMITS, type RuntimeLimits } from '../../src/runtime/limits.js'

/** A part takes its bytes and 256 more. */
const PART = 256
/** So that 85 % of it is the room of two bodies of 100 bytes. */
const TWO = 838

function bounded(limits: Partial<RuntimeLimits>) {
  const time = { now: 0 }
  const refused: string[] = []
  const bodies = bodiesInFlight({ ...DEFAULT_LIMITS, ...limits }, () => time.now, (pool) => void refused.push(pool)) // prettier-ignore
  const known = (root: string, ...tokens: string[]) => bodies.begin({ pool: 'known', root, tokens })
  return { ...bodies, known, time, refused }
}

it('a caller has as much as it may have, over all of its bodies, and no more', () => {
  const { known } = bounded({ bodyBytesInFlightPerPrincipal: 2 * (PART + 100) })
  const [one, two] = [known('human:ana'), known('human:ana')]
  expect([one.take(100), two.take(100), two.take(0), one.take(0)]).toEqual([true, true, false, false])
  expect(known('human:bob').take(100)).toBe(true)
})

it('a part that goes beyond the bound by a byte takes nothing', () => {
  const body = bounded({ bodyBytesInFlightPerPrincipal: PART + 100 }).known('human:ana')
  expect([body.take(101), body.take(100)]).toEqual([false, true])
})

it('all known callers together have 85 % of what a process may have, and no more', () => {
  const { known } = bounded({ bodyBytesInFlight: TWO })
  const [ana, bob, eve] = [known('human:ana'), known('human:bob'), known('human:eve')]
  expect([ana.take(100), bob.take(100), eve.take(0)]).toEqual([true, true, false])
  ana.end()
  expect([eve.take(101), eve.take(100), ana.take(0)]).toEqual([false, true, false])
})

it('what was taken is given back once, however often a body ends', () => {
  const { known } = bounded({ bodyBytesInFlight: TWO })
  const [one, two] = [known('human:ana'), known('human:ana')]
  expect([one.take(100), two.take(100)]).toEqual([true, true])
  one.end()
  one.end()
  const three = known('human:ana')
  expect([three.take(100), three.take(0)]).toEqual([true, false])
})

it('N30 what is below a token has the share of a token, and leaves the rest to its siblings and its person', () => {
  const { known } = bounded({ bodyBytesInFlightPerToken: PART + 100 })
  const taken = [known('human:ana', 'tok_1').take(100), known('human:ana', 'tok_1', 'tok_2').take(0)]
  expect(taken).toEqual([true, false])
  expect([known('human:ana', 'tok_3').take(100), known('human:ana').take(1_000)]).toEqual([true, true])
})

const MB = 1024 * 1024

/** Takes all that it can get for a sender, in bodies that never end. */
function fill({ begin }: ReturnType<typeof bounded>, sender: BodySender): number {
  for (let count = 0; ; count++) if (!begin(sender).take(1_000)) return count
}

it.each<[string, BodySender[], BodySender]>([
  ['N29 strangers of five networks, calls', [1, 2, 3, 4, 5].map((at) => ({ pool: 'unknown', network: `10.0.${at}.0` })), { pool: 'known', root: 'human:ana', tokens: ['tok_1'] }],
  ['N29 strangers of five networks, operators', [1, 2, 3, 4, 5].map((at) => ({ pool: 'unknown', network: `10.0.${at}.0` })), { pool: 'reserved', root: 'human:op', tokens: [] }],
  ['N29 strangers of one network, those of another', [{ pool: 'unknown', network: '10.0.0.1' }], { pool: 'unknown', network: '10.0.0.2' }],
  ['N30 callers, revocation by one of them', ['ana', 'bob', 'cem', 'dan', 'eve'].map((root) => ({ pool: 'known', root, tokens: [] })), { pool: 'reserved', root: 'ana', tokens: [] }],
  ['N30 an agent, its person', [{ pool: 'known', root: 'ana', tokens: ['tok_1'] }, { pool: 'reserved', root: 'ana', tokens: ['tok_1'] }], { pool: 'reserved', root: 'ana', tokens: [] }],
  ['N30 an agent, the calls of its person', [{ pool: 'known', root: 'ana', tokens: ['tok_1'] }], { pool: 'known', root: 'ana', tokens: ['tok_2'] }],
  ['N30 a principal, the revocations of another', [{ pool: 'reserved', root: 'eve', tokens: [] }], { pool: 'reserved', root: 'ana', tokens: [] }],
])('%s: the ones take nothing from the others', (_, takers, other) => {
  const bodies = bounded({ bodyBytesInFlight: 8 * MB, bodyBytesInFlightPerPrincipal: 2 * MB, bodyBytesInFlightPerToken: MB / 2 })
  for (const taker of takers) fill(bodies, taker)
  expect(bodies.begin(other).take(1_000)).toBe(true)
}) // prettier-ignore

it('N29 strangers have 5 % of the room, and a body of 4 KiB', () => {
  const bodies = bounded({ bodyBytesInFlight: 100 * 1_256 })
  const networks = [1, 2, 3, 4, 5].map((at) => fill(bodies, { pool: 'unknown', network: `10.0.${at}.0` }))
  expect(networks.reduce((sum, count) => sum + count, 0)).toBe(5)
  expect(bodies.begin({ pool: 'unknown', network: '10.0.0.1' }).most).toBe(4_096)
})

it.each([
  ['known', ['tok_1', 'tok_2'], 500 * PART],
  ['known', ['tok_1', 'tok_2', 'tok_3'], 250 * PART],
  ['reserved', ['tok_1'], 500 * PART],
  ['reserved', ['tok_1', 'tok_2'], 250 * PART],
] as const)('N30 in the pool %s the tokens %j take at most half of what is above them', (pool, tokens, most) => {
  const { begin } = bounded({ bodyBytesInFlight: 100_000 * PART, bodyBytesInFlightPerPrincipal: 9_000 * PART, bodyBytesInFlightPerToken: 1_000 * PART, bodyBytes: 100 }) // prettier-ignore
  const body = begin({ pool, root: 'ana', tokens })
  let taken = 0
  while (body.take(0)) taken += PART
  expect(taken).toBe(most)
  expect(begin({ pool, root: 'ana', tokens: tokens.slice(0, -1) }).take(0)).toBe(true)
})

it.each([
  [1_999, false],
  [2_000, true],
])('N29 a body that made no progress for %i ms where half of the room is taken has ended: %s', (passed, isEnded) => {
  const bodies = bounded({ bodyBytesInFlightPerPrincipal: 3 * (PART + 100) })
  const [slow, steady] = [bodies.known('human:ana'), bodies.known('human:ana')]
  let ended = 0
  slow.whenEnded(() => (ended += 1))
  slow.take(100)
  bodies.time.now += passed
  expect([steady.take(100), steady.take(100), ended === 1]).toEqual([true, true, isEnded])
})

it('N29 a body without progress stays where there is room', () => {
  const bodies = bounded({})
  const slow = bodies.known('human:ana')
  slow.take(100)
  bodies.time.now += 20_000
  expect([bodies.known('human:ana').take(100), slow.take(100)]).toEqual([true, true])
})

it('N29 refusals are reported once a minute, and are over a minute after the last', () => {
  const bodies = bounded({ bodyBytesInFlightPerPrincipal: 0 })
  expect(bodies.wereRefused()).toBe(false)
  bodies.known('human:ana').take(1)
  bodies.known('human:ana').take(1)
  expect([bodies.refused, bodies.wereRefused()]).toEqual([['known'], true])
  bodies.time.now += 60_000
  expect(bodies.wereRefused()).toBe(false)
})
