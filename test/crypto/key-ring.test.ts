/** Which key signs, which ones verify, and until when (section 2.2). */
import { describe, expect, it } from 'vitest'
import {
  generatePrivateJwk,
  generateRingKey,
  jwksOf,
  signerFor,
  verificationKeys,
  type RingKey,
} from '../../src/crypto/keys/key-ring.js'
import { keysOfRole, publishedKeysOf, readPublishedKeys } from '../../src/crypto/keys/published-keys.js'
import { ringAt, stateAt, storedKeyOf, type StoredKey } from '../../src/crypto/keys/stored-key.js'

const NOON = Date.parse('2026-03-01T12:00:00.000Z')
const LAST = { sequence: 2, entry_count: 5, merkle_root: `sha256:${'a'.repeat(64)}` }

const retired = (change: Partial<RingKey> = {}): RingKey => ({ ...generateRingKey('tokens', 'retired'), ...change })

describe('what a role has signed', () => {
  it('is verified by its next and active keys at any time, and by no key of another role', () => {
    const [next, active, other] = [generateRingKey('tokens', 'next'), generateRingKey('tokens', 'active'), generateRingKey('audit', 'active')] // prettier-ignore
    expect(verificationKeys({ keys: [next, active, other] }, 'tokens', NOON)).toEqual([next, active])
  })

  it('is verified by a retired key until its end, and not at it', () => {
    const key = retired({ verifyUntil: NOON })
    expect(verificationKeys({ keys: [key] }, 'tokens', NOON - 1)).toEqual([key])
    expect(verificationKeys({ keys: [key] }, 'tokens', NOON)).toEqual([])
    expect(jwksOf({ keys: [key] }, NOON - 1).keys).toEqual([key.publicJwk])
    expect(jwksOf({ keys: [key] }, NOON).keys).toEqual([])
  })

  it('is verified for ever by a retired key without an end', () => {
    const key = retired()
    expect(verificationKeys({ keys: [key] }, 'tokens', NOON * 2)).toEqual([key])
  })

  it('is not ended by a time that is set for a key that still signs', () => {
    const key = { ...generateRingKey('tokens', 'active'), verifyUntil: NOON }
    expect(verificationKeys({ keys: [key] }, 'tokens', NOON + 1)).toEqual([key])
  })

  it('is published once, though its key stands in two roles', () => {
    const key = generateRingKey('tokens', 'active')
    expect(jwksOf({ keys: [key, { ...key, role: 'audit' }] }, NOON).keys).toEqual([key.publicJwk])
  })
})

describe('the key that signs for a role', () => {
  it('is the first that is active and has its private half here', () => {
    const { signer: _, ...elsewhere } = generateRingKey('tokens', 'active')
    const keys = [generateRingKey('audit', 'active'), generateRingKey('tokens', 'next'), retired(), elsewhere, generateRingKey('tokens', 'active')] // prettier-ignore
    expect(signerFor({ keys }, 'tokens').kid).toBe(keys[4]!.kid)
    expect(() => signerFor({ keys: keys.slice(0, 4) }, 'tokens')).toThrow('There is no active signing key for tokens.')
  })
})

describe('a stored key', () => {
  const stored = (change: Partial<StoredKey> = {}): StoredKey => ({ ...storedKeyOf(generatePrivateJwk(), 'tokens', NOON), ...change }) // prettier-ignore

  it.each<[string, Partial<StoredKey>, string]>([
    ['without a time', {}, 'next'],
    ['before its time', { activeFrom: NOON + 1 }, 'next'],
    ['at its time', { activeFrom: NOON }, 'active'],
    ['before its end', { activeFrom: NOON, retiredFrom: NOON + 1 }, 'active'],
    ['at its end', { activeFrom: NOON - 1, retiredFrom: NOON }, 'retired'],
    ['that never was active, at its end', { retiredFrom: NOON }, 'retired'],
  ])('%s is in the state of its times (%#)', (_, change, state) => {
    expect(stateAt(stored(change), NOON)).toBe(state)
  })

  it('that took over last signs, whenever it was made', () => {
    const before = stored({ createdAt: NOON, activeFrom: NOON - 2 })
    const after = stored({ createdAt: NOON - 9, activeFrom: NOON - 1 })
    for (const order of [[before, after], [after, before]]) expect(signerFor(ringAt(order, NOON), 'tokens').kid).toBe(after.publicJwk.kid) // prettier-ignore
  })

  it('keeps in the ring when it ends, and up to which checkpoint it counts', () => {
    const key = stored({ role: 'audit', activeFrom: 1, retiredFrom: 2, verifyUntil: 3, untilCheckpoint: LAST })
    expect(ringAt([key], NOON).keys).toMatchObject([{ state: 'retired', retiredFrom: 2, verifyUntil: 3, untilCheckpoint: LAST }]) // prettier-ignore
  })
})

describe('published keys', () => {
  const [tokens, audit] = [generateRingKey('tokens', 'active'), generateRingKey('audit', 'active')]
  const leaked = { ...generateRingKey('audit', 'retired'), retiredFrom: NOON, untilCheckpoint: LAST }
  const published = publishedKeysOf({ keys: [tokens, audit, leaked] })
  const read = (change: object) => readPublishedKeys({ service_identity: { 'x-keys': { k: { role: 'audit', ...change }, other: { role: 'tokens' } } } } as never) // prettier-ignore

  it('say of each key its role, its end, and up to where it counts', () => {
    expect(published).toEqual({
      [tokens.kid]: { role: 'tokens' },
      [audit.kid]: { role: 'audit' },
      [leaked.kid]: { role: 'audit', retired_from: '2026-03-01T12:00:00.000Z', until_checkpoint: LAST },
    })
    expect(Object.keys(published)).toEqual(Object.keys(published).toSorted())
  })

  it('are taken for the role that they were given, and for no other', () => {
    const jwks = [tokens, audit, leaked, generateRingKey('audit', 'active')].map(({ publicJwk }) => publicJwk)
    expect(keysOfRole(jwks, published, 'audit')).toEqual([
      { kid: audit.kid, role: 'audit', state: 'active', publicJwk: audit.publicJwk },
      { kid: leaked.kid, role: 'audit', state: 'retired', publicJwk: leaked.publicJwk, retiredFrom: NOON, untilCheckpoint: LAST }, // prettier-ignore
    ])
  })

  it.each([
    [{}, true],
    [{ retired_from: '2026-03-01T12:00:00.000Z', until_checkpoint: LAST }, true],
    [{ role: 'root' }, false],
    [{ retired_from: 'soon' }, false],
    [{ until_checkpoint: {} }, false],
    [{ until_checkpoint: { ...LAST, sequence: -1 } }, false],
    [{ until_checkpoint: { ...LAST, entry_count: 1.5 } }, false],
    [{ until_checkpoint: { ...LAST, merkle_root: 'aa' } }, false],
  ])('with %j are read: %s', (change, isRead) => {
    expect(read(change) !== undefined).toBe(isRead)
  })
})
