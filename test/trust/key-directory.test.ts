import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { generatePrivateJwk, jwksOf, signerFor, verificationKeys } from '../../src/crypto/keys/key-ring.js'
import { readStoredKey, ringAt, stateAt, storedKeyOf, writeStoredKey } from '../../src/crypto/keys/stored-key.js'
import { KEY_ROLES } from '../../src/protocol/words.js'
import {
  KeyTrouble,
  readKeyRing,
  readKeyRingText,
  readStoredKeyFiles,
  writeKeyFile,
  writeNewKeys,
} from '../../src/runtime/keys/key-directory.js'

const NOW = Date.parse('2030-01-01T00:00:00.000Z')
const clock = () => NOW
let folder = ''

beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'svc-keys-')), 'keys')
})
afterEach(() => rm(join(folder, '..'), { recursive: true }))

describe('H16: a key directory', () => {
  it('is 0700 with files of 0600', async () => {
    const files = await writeNewKeys(folder, KEY_ROLES, NOW)
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    for (const file of files) expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(await readdir(folder)).toHaveLength(5)
  })

  it('makes a key private that is written where a draft of others is left', async () => {
    const key = { ...storedKeyOf(generatePrivateJwk(), 'tokens', NOW), activeFrom: NOW }
    await mkdir(folder, { mode: 0o700 })
    const draft = join(folder, `tokens-${key.publicJwk.kid}.jwk.json.new`)
    await writeFile(draft, 'left', { mode: 0o644 })
    await chmod(draft, 0o644)
    const file = await writeKeyFile(folder, key)
    expect([(await stat(file)).mode & 0o777, await readdir(folder)]).toEqual([
      0o600,
      [`tokens-${key.publicJwk.kid}.jwk.json`],
    ])
  })

  it('gives a ring with an active key of each role', async () => {
    await writeNewKeys(folder, KEY_ROLES, NOW)
    const ring = await readKeyRing(folder, clock)
    expect(ring.keys.map(({ role, state }) => [role, state])).toEqual([
      ['manifest', 'active'],
      ['tokens', 'active'],
      ['audit', 'active'],
    ])
    expect(signerFor(ring, 'tokens').kid).toBe(ring.keys[1]?.kid)
  })

  it.each([0o640, 0o604, 0o660, 0o777])('is refused when a file has mode %o', async (mode) => {
    const [file = ''] = await writeNewKeys(folder, ['tokens'], NOW)
    await chmod(file, mode)
    await expect(readKeyRing(folder, clock)).rejects.toThrow(`Run: chmod 600 ${file}`)
  })

  it.each([0o720, 0o702])('is refused when it has mode %o itself', async (mode) => {
    await writeNewKeys(folder, ['tokens'], NOW)
    await chmod(folder, mode)
    await expect(readKeyRing(folder, clock)).rejects.toThrow(`Run: chmod 700 ${folder}`)
  })

  it('is refused when it is missing or empty, with the command that mends it', async () => {
    await expect(readKeyRing(folder, clock)).rejects.toThrow('svc keys generate')
    expect(await readStoredKeyFiles(folder)).toEqual([])
  })

  it('is refused when something stands in it that is named like a key and is no file', async () => {
    await mkdir(join(folder, 'a.jwk.json'), { mode: 0o700, recursive: true })
    await expect(readKeyRing(folder, clock)).rejects.toThrow('a.jwk.json is not a file')
  })

  it('is refused in a sentence when it cannot be read', async () => {
    await writeNewKeys(folder, KEY_ROLES, NOW)
    const [file] = await readdir(folder)
    await expect(readKeyRing(join(folder, file!))).rejects.toThrow(
      new KeyTrouble(
        `The keys in ${join(folder, file!)} cannot be read: ENOTDIR: not a directory, scandir '${join(folder, file!)}'.`,
      ),
    )
    await symlink('nowhere', join(folder, 'lost.jwk.json'))
    await expect(readKeyRing(folder)).rejects.toThrow(/cannot be read: ENOENT: .*lost\.jwk\.json'\.$/u)
  })

  it('is refused when one key stands in two roles', async () => {
    const key = storedKeyOf(generatePrivateJwk(), 'tokens', NOW)
    await writeKeyFile(folder, key)
    await writeKeyFile(folder, { ...key, role: 'audit' })
    await expect(readKeyRing(folder, clock)).rejects.toThrow('a key has one role')
  })

  it.each([
    ['{', 'not valid JSON'],
    ['{"kty":"RSA"}', 'not a P-256 key'],
    ['{"kty":"EC","crv":"P-256","x":"AA","y":"AA","svc_role":"tokens"}', 'not a point on P-256'],
  ])('is refused when a file holds %s', async (text, reason) => {
    await writeNewKeys(folder, ['tokens'], NOW)
    await writeFile(join(folder, 'audit-odd.jwk.json'), text, { mode: 0o600 })
    await expect(readKeyRing(folder, clock)).rejects.toThrow(reason)
  })

  it('is refused when the halves of a key do not belong together', async () => {
    const { d } = generatePrivateJwk()
    const key = storedKeyOf({ ...generatePrivateJwk(), d }, 'tokens', NOW)
    await writeKeyFile(folder, key)
    await expect(readKeyRing(folder, clock)).rejects.toThrow('do not belong together')
  })

  it('reads the same ring from a text', async () => {
    const files = await writeNewKeys(folder, KEY_ROLES, NOW)
    const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')))
    const kids = (await readKeyRing(folder, clock)).keys.map(({ kid }) => kid)
    expect(readKeyRingText(`[${texts.join(',')}]`, clock).keys.map(({ kid }) => kid)).toEqual(kids)
    expect(readKeyRingText(`{"keys":[${texts.join(',')}]}`, clock).keys.map(({ kid }) => kid)).toEqual(kids)
    expect(() => readKeyRingText('{}', clock)).toThrow(KeyTrouble)
  })

  it('changes the states of keys from a text at their times, too', async () => {
    const key = { ...storedKeyOf(generatePrivateJwk(), 'tokens', 0), activeFrom: 10, retiredFrom: 20, verifyUntil: 30 }
    let now = 0
    const ring = readKeyRingText(`[${writeStoredKey(key)}]`, () => now)
    expect(ring.keys[0]?.state).toBe('next')
    now = 10
    expect((await ring.reload?.())?.keys[0]?.state).toBe('active')
  })
})

describe('a stored key', () => {
  const key = { ...storedKeyOf(generatePrivateJwk(), 'tokens', 0), activeFrom: 10, retiredFrom: 20, verifyUntil: 30 }

  it.each([
    [9, 'next', true],
    [10, 'active', true],
    [19, 'active', true],
    [20, 'retired', true],
    [29, 'retired', true],
    [30, 'retired', false],
  ] as const)('at %i is %s and verifies: %s', (now, state, verifies) => {
    expect(stateAt(key, now)).toBe(state)
    const ring = ringAt([key], now)
    expect(verificationKeys(ring, 'tokens', now)).toHaveLength(verifies ? 1 : 0)
    expect(verificationKeys(ring, 'audit', now)).toEqual([])
    expect(jwksOf(ring, now).keys).toHaveLength(verifies ? 1 : 0)
  })

  it('reads back as it was written', () => {
    expect(readStoredKey(writeStoredKey(key))).toEqual(key)
  })

  it('is published with seven members and no private one', () => {
    const [published] = jwksOf(ringAt([key], 10), 10).keys
    expect(Object.keys(published!).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
  })

  it('signs by the newest active key', () => {
    const newer = { ...storedKeyOf(generatePrivateJwk(), 'tokens', 5), activeFrom: 15 }
    expect(signerFor(ringAt([key, newer], 14), 'tokens').kid).toBe(key.publicJwk.kid)
    expect(signerFor(ringAt([key, newer], 15), 'tokens').kid).toBe(newer.publicJwk.kid)
    expect(() => signerFor(ringAt([key], 20), 'tokens')).toThrow('svc keys generate --role tokens')
  })
})
