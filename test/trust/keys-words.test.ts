/** `svc keys`: what each command says and writes, word for word; the ids of keys stand as K1, K2, … */
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { svc } from './command.js'

let folder = ''
const home = process.cwd()
const START = Date.parse('2030-01-01T00:00:00.000Z')
const at = (minutes: number) => vi.setSystemTime(START + minutes * 60_000)
const names = new Map<string, string>()

beforeEach(() => {
  vi.useFakeTimers({ now: START, toFake: ['Date'] })
  folder = mkdtempSync(join(tmpdir(), 'svc-keys-words-'))
  process.chdir(folder)
  names.clear()
  vi.stubEnv('SVC_KEYS', undefined)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
  process.chdir(home)
  rmSync(folder, { recursive: true })
})

const named = (text: string): string =>
  text.replaceAll(/(?<=(?:manifest|tokens|audit)-|(?<![\w-]))[\w-]{43}(?![\w-])/gu, (kid) => {
    if (!names.has(kid)) names.set(kid, `K${names.size + 1}`)
    return names.get(kid)!
  })
/** What a command printed and said, line by line; those of a list in the order of K1, K2, … */
async function keys(...args: readonly string[]): Promise<readonly string[]> {
  const given = args.map((arg) => [...names].find(([, name]) => name === arg)?.[0] ?? arg)
  const { code, out, err } = await svc('keys', ...given)
  const lines = (sign: string, text: string) => named(text).split('\n').filter((line) => line !== '').map((line) => `${sign} ${line}`) // prettier-ignore
  const listed = lines('>', out)
  return [
    ...(args[0] === 'list' ? listed.toSorted() : listed),
    ...lines('!', err),
    ...(code === 0 ? [] : [`exit ${code}`]),
  ]
}

it('makes the first key of each role active, one of a role with an active one next', async () => {
  expect(await keys('generate')).toEqual([
    '! keys/manifest-K1.jwk.json: manifest, active, K1',
    '! keys/tokens-K2.jwk.json: tokens, active, K2',
    '! keys/audit-K3.jwk.json: audit, active, K3',
    expect.stringMatching(/^! keys\/rows-[0-9a-f]{32}\.secret\.json: rows, active, [0-9a-f]{32}$/u),
    expect.stringMatching(/^! keys\/connections-[0-9a-f]{32}\.secret\.json: connections, active, [0-9a-f]{32}$/u),
  ])
  expect(await keys('generate')).toEqual(['! keys has an active key of each role. For another one: svc keys rotate --role tokens']) // prettier-ignore
  expect(await keys('generate', '--role', 'audit')).toEqual(['! keys/audit-K4.jwk.json: audit, next, K4'])
  vi.stubEnv('SVC_KEYS', 'ring')
  expect(await keys('generate', '--role', 'manifest')).toEqual(['! ring/manifest-K5.jwk.json: manifest, active, K5'])
  expect(await keys('generate', '--dir', 'keys')).toHaveLength(1)
})

it('adds the public half of a key that is kept elsewhere, PEM or DER, for a role that is said', async () => {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey
  writeFileSync('a.pem', publicKey.export({ type: 'spki', format: 'pem' }))
  writeFileSync('b.der', other.export({ type: 'spki', format: 'der' }))
  writeFileSync('wrong.pem', generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey.export({ type: 'spki', format: 'pem' })) // prettier-ignore
  writeFileSync('none.pem', 'nothing')
  expect(await keys('generate', '--public-key', 'a.pem', '--role', 'tokens')).toEqual(['! keys/tokens-K1.jwk.json: tokens, active, K1, without its private half']) // prettier-ignore
  expect(await keys('generate', '--public-key', 'b.der', '--role', 'tokens')).toEqual(['! keys/tokens-K2.jwk.json: tokens, next, K2, without its private half']) // prettier-ignore
  expect(await keys('list')).toEqual([
    '> K1  tokens    active   signs since 2030-01-01T00:00:00.000Z (public part only)',
    '> K2  tokens    next     published, not yet used (public part only)',
  ])
  expect(await keys('generate', '--public-key', 'a.pem')).toEqual(['! svc: Say which role the key is for: --role manifest|tokens|audit', 'exit 2']) // prettier-ignore
  expect(await keys('generate', '--public-key', 'none.pem', '--role', 'audit')).toEqual(['! svc: none.pem is not a public P-256 key in PEM, DER or JWK. It is no public key.', 'exit 2']) // prettier-ignore
  const [wrong] = await keys('generate', '--public-key', 'wrong.pem', '--role', 'audit')
  expect(wrong).toMatch(/^! svc: wrong\.pem is not a public P-256 key in PEM, DER or JWK\. /u)
  expect((await keys('generate', '--public-key', 'gone', '--role', 'audit'))[0]).toMatch(/^! svc: gone cannot be read: Error: ENOENT/u) // prettier-ignore
  expect((await keys('generate', '--public-key', 'a.pem', '--print')).at(-1)).toBe('exit 2')
  expect(readdirSync('keys')).toHaveLength(2)
})

it('says of each key what it does, did and will do', async () => {
  await keys('generate', '--role', 'tokens')
  expect(await keys('rotate', '--role', 'tokens')).toEqual([
    '! Where a signed manifest is served (SVC_MANIFEST), sign it again first, before 2030-01-01T00:03:00.000Z: until it lists K2, the service keeps the old key. Run svc keys list --jwks > production.jwks.json here, and where you sign: svc sign --jwks production.jwks.json',
    '! K2 signs for tokens from 2030-01-01T00:03:00.000Z',
    '! K1 verifies until 2030-01-02T01:03:00.000Z',
  ])
  expect(await keys('list')).toEqual([
    '> K1  tokens    active   signs until 2030-01-01T00:03:00.000Z, then verifies until 2030-01-02T01:03:00.000Z',
    '> K2  tokens    next     signs from 2030-01-01T00:03:00.000Z',
  ])
  expect(await keys('rotate', '--role', 'tokens')).toEqual(['! The change to K2 is scheduled for 2030-01-01T00:03:00.000Z already.']) // prettier-ignore
  expect(await keys('rotate', '--role', 'tokens', '--lead', 'PT5M')).toEqual(['! The change to K2 is scheduled for 2030-01-01T00:03:00.000Z already.']) // prettier-ignore
  expect(await keys('rotate', '--role', 'tokens', '--lead', 'PT1M', '--overlap', 'PT1H')).toEqual([
    expect.stringContaining('sign it again first, before 2030-01-01T00:01:00.000Z'),
    '! K2 signs for tokens from 2030-01-01T00:01:00.000Z',
    '! K1 verifies until 2030-01-01T01:01:00.000Z',
  ])
  at(2)
  expect(await keys('list', '--role', 'tokens')).toEqual([
    '> K1  tokens    retired  verifies until 2030-01-01T01:01:00.000Z',
    '> K2  tokens    active   signs since 2030-01-01T00:01:00.000Z',
  ])
  at(62)
  expect((await keys('list'))[0]).toBe('> K1  tokens    retired  verified until 2030-01-01T01:01:00.000Z')
  expect(await keys('list', '--kids')).toEqual(['> K1', '> K2'])
  expect(await keys('list', '--role', 'audit')).toEqual(['! keys holds no such keys. Make them with: svc keys generate']) // prettier-ignore
})

it.each([
  ['manifest', 'verifies until 2030-02-01T00:03:00.000Z'],
  ['audit', 'verifies without an end'],
])('lets a %s key verify as long as it must', async (role, end) => {
  await keys('generate', '--role', role)
  expect((await keys('rotate', '--role', role)).at(-1)).toBe(`! K1 ${end}`)
  expect((await keys('list'))[0]).toContain(`signs until 2030-01-01T00:03:00.000Z, then ${end}`)
})

it('gives all of a key as data, and its public half alone as a JWKS', async () => {
  await keys('generate', '--role', 'tokens')
  await keys('rotate', '--role', 'tokens')
  const { keys: listed } = JSON.parse((await svc('keys', 'list', '--json')).out) as { readonly keys: readonly { readonly kid: string; readonly jwk: object }[] } // prettier-ignore
  const shown = listed.map(({ jwk, ...key }) => ({ ...key, jwk: Object.keys(jwk) })).toSorted((one, other) => named(one.kid).localeCompare(named(other.kid))) // prettier-ignore
  expect(JSON.parse(named(JSON.stringify(shown)))).toEqual([
    {
      kid: 'K1', role: 'tokens', state: 'active', has_private_key: true, created_at: '2030-01-01T00:00:00.000Z', active_from: '2030-01-01T00:00:00.000Z',
      retired_from: '2030-01-01T00:03:00.000Z', verify_until: '2030-01-02T01:03:00.000Z', jwk: expect.not.arrayContaining(['d']) as object,
    },
    {
      kid: 'K2', role: 'tokens', state: 'next', has_private_key: true, created_at: '2030-01-01T00:00:00.000Z', active_from: '2030-01-01T00:03:00.000Z',
      jwk: expect.not.arrayContaining(['d']) as object,
    },
  ]) // prettier-ignore
  expect(Object.keys(JSON.parse((await svc('keys', 'list', '--jwks')).out) as object)).toEqual(['keys'])
  for (const both of [
    ['--json', '--jwks'],
    ['--json', '--kids'],
    ['--kids', '--jwks'],
  ])
    expect((await keys('list', ...both)).at(-1)).toBe('exit 2')
})

it('says of a key that is retired what becomes of it', async () => {
  await keys('generate', '--role', 'audit')
  expect(await keys('retire', 'K1')).toEqual([
    '! svc: K1 is the only active audit key. First: svc keys rotate --role audit --lead PT0S (or a lead that lets caches follow).',
    'exit 2',
  ])
  expect(await keys('rotate', '--role', 'audit')).toHaveLength(3)
  expect(await keys('retire', 'K2')).toEqual([
    '! K1 signs on: the change of the audit key is called off',
    '! K2 is retired: it verifies nothing any more; its private part is removed',
  ])
  expect(await keys('rotate', '--role', 'audit', '--lead', 'PT0S')).toHaveLength(3)
  expect(await keys('retire', 'K1', '--keep-verifying')).toEqual(['! K1 is retired: it verifies on; its private part is removed']) // prettier-ignore
  expect(await keys('retire', 'K1')).toEqual([
    '! K1 is retired: it verifies nothing any more; its private part is removed',
    '! Checkpoints and exports that K1 signed verify no more. To let them verify: svc keys retire K1 --keep-verifying, or --until-checkpoint <file> when it has leaked',
  ])
  writeFileSync('last.json', '{}')
  expect((await keys('retire', 'K1', '--keep-verifying', '--until-checkpoint', 'last.json')).at(-1)).toBe('exit 2')
  expect(await keys('retire', 'K1', '--until-checkpoint', 'last.json')).toEqual(['! svc: --until-checkpoint last.json is not a checkpoint.', 'exit 2']) // prettier-ignore
})

it('takes away no end of a key that ends for another reason than the change that is called off', async () => {
  await keys('generate', '--role', 'tokens')
  await keys('rotate', '--role', 'tokens')
  await keys('generate', '--role', 'tokens')
  expect(await keys('retire', 'K3')).toEqual(['! K3 is retired: it verifies nothing any more; its private part is removed']) // prettier-ignore
  expect((await keys('list'))[0]).toContain('K1  tokens    active   signs until')
})

it('calls off the change of its own role alone, though another changes at the same time', async () => {
  await keys('generate', '--role', 'tokens')
  await keys('generate', '--role', 'audit')
  await keys('rotate', '--role', 'tokens')
  await keys('rotate', '--role', 'audit')
  expect(await keys('retire', 'K3')).toEqual([
    '! K1 signs on: the change of the tokens key is called off',
    '! K3 is retired: it verifies nothing any more; its private part is removed',
  ])
  expect((await keys('list', '--role', 'audit'))[0]).toContain(
    'K2  audit     active   signs until 2030-01-01T00:03:00.000Z',
  )
})

it('pins the ids that are named, each once, and refuses what is none', async () => {
  const lock = { version: 1, generator: 'x', inputs: {}, outputs: {} }
  const [one, two] = ['a'.repeat(43), 'b'.repeat(43)]
  expect(await keys('pin', one)).toEqual(['! svc: There is no svc.lock.json in this folder. Make it with: svc build', 'exit 2']) // prettier-ignore
  writeFileSync('svc.lock.json', JSON.stringify(lock))
  expect(await keys('pin')).toEqual([expect.stringMatching(/^! svc: /u), 'exit 2'])
  await keys('generate', '--role', 'tokens')
  expect(await keys('pin')).toEqual(['! svc: keys has no manifest key. Name the ids: svc keys pin <kid>', 'exit 2'])
  for (const wrong of ['a'.repeat(42), 'a'.repeat(44), `${'a'.repeat(42)}.`])
    expect(await keys('pin', one, wrong)).toEqual([`! svc: ${named(wrong)} is no key id. See: svc keys list --role manifest --kids`, 'exit 2']) // prettier-ignore
  expect(JSON.parse(readFileSync('svc.lock.json', 'utf8'))).toEqual(lock)
  expect(await keys('pin', one, two, one)).toEqual([`! pinned ${named(one)}`, `! pinned ${named(two)}`, `! pinned ${named(one)}`, '! Commit svc.lock.json, and run: svc build']) // prettier-ignore
  expect((JSON.parse(readFileSync('svc.lock.json', 'utf8')) as { manifest_keys: unknown }).manifest_keys).toEqual([one, two]) // prettier-ignore
  expect(await keys('pin', two)).toEqual([`! pinned ${named(two)}`, '! Commit svc.lock.json, and run: svc build'])
  expect((JSON.parse(readFileSync('svc.lock.json', 'utf8')) as { manifest_keys: unknown }).manifest_keys).toEqual([two])
})
