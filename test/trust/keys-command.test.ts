import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { rotate } from '../../src/cli/keys/rotate.js'
import { signDelegation, verifyDelegation } from '../../src/crypto/jws/jwt.js'
import { generatePrivateJwk, jwksOf, signerFor, thumbprint, verificationKeys } from '../../src/crypto/keys/key-ring.js'
import type { DelegationClaims } from '../../src/protocol/token.js'
import { readKeyRing, readKeyRingText } from '../../src/runtime/keys/key-directory.js'
import { svc, type Ran } from './command.js'

let folder = ''
let keys = ''
const START = Date.parse('2030-01-01T00:00:00.000Z')
const MINUTE = 60_000
const at = (ms: number) => vi.setSystemTime(START + ms)
const ring = () => readKeyRing(keys)

beforeEach(() => {
  vi.useFakeTimers({ now: START, toFake: ['Date'] })
  folder = mkdtempSync(join(tmpdir(), 'svc-keys-'))
  keys = join(folder, 'keys')
})
afterEach(() => {
  vi.useRealTimers()
  rmSync(folder, { recursive: true })
})

interface Listed {
  readonly keys: readonly {
    readonly kid: string
    readonly role: string
    readonly state: string
    readonly verify_until?: string
  }[]
}
const listed = async (): Promise<Listed['keys']> =>
  (JSON.parse((await svc('keys', 'list', '--dir', keys, '--json')).out) as Listed).keys
const states = async (role: string) => (await listed()).filter((key) => key.role === role).map(({ state }) => state)

it('makes no key whose id a command line would take for an option', () => {
  const kids = Array.from({ length: 300 }, () => thumbprint(generatePrivateJwk()))
  expect(kids.filter((kid) => kid.startsWith('-'))).toEqual([])
})

describe('svc keys of rows', () => {
  const rowsSecrets = async () => (await ring()).secrets!.filter(({ role }) => role === 'rows')
  const secrets = async () =>
    (JSON.parse((await svc('keys', 'list', '--dir', keys, '--json')).out) as { readonly secrets: readonly object[] })
      .secrets

  it('lists the secret without its value, in no JWKS', async () => {
    await svc('keys', 'generate', '--dir', keys)
    const [secret] = await rowsSecrets()
    const { out } = await svc('keys', 'list', '--dir', keys, '--json')
    expect(await secrets()).toContainEqual(expect.objectContaining({ kid: secret!.kid, role: 'rows', state: 'active' }))
    expect(out).not.toContain(Buffer.from(secret!.secret!).toString('base64url'))
    expect((await svc('keys', 'list', '--dir', keys, '--jwks')).out).not.toContain('oct')
  })

  it('lets the first secret of a ring that had none authenticate earlier rows for a week, and no other', async () => {
    const weeks = async () =>
      (await rowsSecrets()).map(({ createdAt, earlierRowsUntil = createdAt }) => earlierRowsUntil - createdAt)
    await svc('keys', 'generate', '--dir', keys)
    await svc('keys', 'rotate', '--dir', keys, '--role', 'rows', '--lead', 'PT0S')
    expect(await weeks()).toEqual([0, 0])
    for (const { kid } of await rowsSecrets()) rmSync(join(keys, `rows-${kid}.secret.json`))
    await svc('keys', 'generate', '--dir', keys)
    await svc('keys', 'rotate', '--dir', keys, '--role', 'rows', '--lead', 'PT0S')
    expect((await weeks()).toSorted()).toEqual([0, 7 * 24 * 3600_000])
  })

  it('rotates after the lead time, and keeps the old one until it is retired', async () => {
    await svc('keys', 'generate', '--dir', keys)
    const [old] = await rowsSecrets()
    expect((await svc('keys', 'retire', old!.kid, '--dir', keys)).err).toContain('is the only active rows key')
    await svc('keys', 'rotate', '--dir', keys, '--role', 'rows', '--lead', 'PT0S')
    expect((await rowsSecrets()).map(({ state }) => state).toSorted()).toEqual(['active', 'retired'])
    expect((await svc('keys', 'retire', old!.kid, '--dir', keys)).code).toBe(0)
    const left = (await rowsSecrets()).find(({ kid }) => kid === old!.kid)
    expect([left?.state, left?.secret, left?.createdAt]).toEqual(['retired', undefined, old!.createdAt])
  })

  it.each([
    [
      ['rotate', '--role', 'rows'],
      ['--overlap', 'PT1H'],
    ],
    [['retire', 'OLD'], ['--keep-verifying']],
    [
      ['retire', 'OLD'],
      ['--until-checkpoint', 'checkpoint.json'],
    ],
  ])('%j does not take %j, and changes nothing', async (command, option) => {
    await svc('keys', 'generate', '--dir', keys)
    const [old] = await rowsSecrets()
    await svc('keys', 'rotate', '--dir', keys, '--role', 'rows', '--lead', 'PT0S')
    const before = await rowsSecrets()
    const args = command.map((arg) => (arg === 'OLD' ? old!.kid : arg))
    const { code, err } = await svc('keys', ...args, '--dir', keys, ...option)
    expect([code, err]).toEqual([2, expect.stringContaining(`${option[0]} is for signing keys`)])
    expect(await rowsSecrets()).toEqual(before)
    expect((await svc('keys', ...args, '--dir', keys)).code).toBe(0)
  })
})

describe('svc keys generate', () => {
  it('makes a key of each role, 0600, and no second ones', async () => {
    expect((await svc('keys', 'generate', '--dir', keys)).code).toBe(0)
    expect(readdirSync(keys)).toHaveLength(5)
    expect(statSync(keys).mode & 0o777).toBe(0o700)
    for (const file of readdirSync(keys)) expect(statSync(join(keys, file)).mode & 0o777).toBe(0o600)
    expect((await svc('keys', 'generate', '--dir', keys)).err).toContain('has an active key of each role')
    expect(readdirSync(keys)).toHaveLength(5)
  })

  it('ends with a sentence where no folder can be made', async () => {
    const { code, err } = await svc('keys', 'generate', '--dir', '/proc/nowhere/keys')
    expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining('/proc/nowhere') })
  })

  it('needs to write nothing where there is a key of each role', async () => {
    await svc('keys', 'generate', '--dir', keys)
    writeFileSync(join(keys, '.changing'), '')
    expect((await svc('keys', 'generate', '--dir', keys)).code).toBe(0)
    expect(readdirSync(keys)).toHaveLength(5)
  })

  it('makes a further key of a role, which is next', async () => {
    await svc('keys', 'generate', '--dir', keys)
    await svc('keys', 'generate', '--dir', keys, '--role', 'tokens')
    expect(await states('tokens')).toEqual(expect.arrayContaining(['next', 'active']))
  })

  it('makes an active key of a role that has none but a retired one', async () => {
    await svc('keys', 'generate', '--dir', keys)
    await svc('keys', 'rotate', '--dir', keys, '--role', 'tokens', '--lead', 'PT0S')
    const [active = ''] = (await listed()).filter(({ state, role }) => role === 'tokens' && state === 'active').map(({ kid }) => kid) // prettier-ignore
    const file = readdirSync(keys).find((name) => readFileSync(join(keys, name), 'utf8').includes(active))!
    rmSync(join(keys, file))
    expect(await states('tokens')).toEqual(['retired'])
    expect((await svc('keys', 'generate', '--dir', keys)).code).toBe(0)
    expect((await states('tokens')).toSorted()).toEqual(['active', 'retired'])
  })

  it('prints a key for an environment variable', async () => {
    const { out } = await svc('keys', 'generate', '--role', 'audit', '--print')
    expect(readKeyRingText(`[${out}]`).keys).toMatchObject([{ role: 'audit', state: 'active' }])
    expect((await svc('keys', 'generate', '--print')).err).toContain('--role manifest|tokens|audit')
  })
})

describe('svc keys list', () => {
  it('shows roles and states, and never a private part', async () => {
    await svc('keys', 'generate', '--dir', keys)
    const outputs: Ran[] = []
    for (const flags of [['--json'], ['--jwks'], []]) outputs.push(await svc('keys', 'list', '--dir', keys, ...flags))
    const secrets = readdirSync(keys).map(
      (file) => (JSON.parse(readFileSync(join(keys, file), 'utf8')) as { d: string }).d,
    )
    for (const { out } of outputs) for (const secret of secrets) expect(out).not.toContain(secret)
    expect(outputs[2]?.out).toMatch(/tokens +active +signs since 2030-01-01T00:00:00\.000Z/u)
  })

  it('gives a JWKS of one role', async () => {
    await svc('keys', 'generate', '--dir', keys)
    const { out } = await svc('keys', 'list', '--dir', keys, '--jwks', '--role', 'audit')
    const [audit] = verificationKeys(await ring(), 'audit', START)
    expect(JSON.parse(out)).toEqual({
      keys: [
        {
          ...audit?.publicJwk,
          svc_role: 'audit',
          svc_created_at: '2030-01-01T00:00:00.000Z',
          svc_active_from: '2030-01-01T00:00:00.000Z',
        },
      ],
    })
  })
})

describe('svc keys pin', () => {
  const home = process.cwd()
  afterEach(() => process.chdir(home))

  it('pins the manifest keys that sign or will sign, and no other ones', async () => {
    await svc('keys', 'generate', '--dir', keys)
    await svc('keys', 'rotate', '--dir', keys, '--role', 'manifest', '--lead', 'PT0S')
    await svc('keys', 'generate', '--dir', keys, '--role', 'manifest')
    const manifest = (await listed()).filter(({ role }) => role === 'manifest')
    expect(manifest.map(({ state }) => state).toSorted()).toEqual(['active', 'next', 'retired'])
    process.chdir(folder)
    writeFileSync('svc.lock.json', '{"version":1,"generator":"x","inputs":{},"outputs":{}}')
    expect((await svc('keys', 'pin', '--dir', keys)).code).toBe(0)
    const { manifest_keys: pinned } = JSON.parse(readFileSync('svc.lock.json', 'utf8')) as { manifest_keys: string[] }
    expect(pinned).toEqual(manifest.filter(({ state }) => state !== 'retired').map(({ kid }) => kid).toSorted()) // prettier-ignore
  })
})

const claims = (now: number): DelegationClaims => ({
  jti: 'tok_1',
  iss: 'a',
  aud: 'a',
  sub: 'agent:a',
  iat: now,
  nbf: now,
  exp: now + 24 * 3600,
  scope: ['a'],
  root_principal: 'human:a',
  purpose: { parameters: {} },
  constraints: { max_delegation_depth: 0, concurrent_branches: 'allowed' },
})

describe('svc keys rotate', () => {
  it('ends the old key at once where nothing overlaps, as after a restored backup', async () => {
    await svc('keys', 'generate', '--dir', keys)
    const old = signerFor(await ring(), 'tokens').kid
    await svc('keys', 'rotate', '--dir', keys, '--role', 'tokens', '--lead', 'PT0S', '--overlap', 'PT0S')
    expect(verificationKeys(await ring(), 'tokens', Date.now()).map(({ kid }) => kid)).not.toContain(old)
  })

  it.each([
    ['tokens', 'PT1H', '2030-01-01T01:00:00.000Z'],
    ['manifest', 'PT1H', '2030-01-01T01:00:00.000Z'],
    ['audit', 'PT1H', undefined],
  ])('--overlap holds for the earlier keys of %s too, except audit keys', async (role, overlap, earliest) => {
    await svc('keys', 'generate', '--dir', keys)
    await svc('keys', 'rotate', '--dir', keys, '--role', role, '--lead', 'PT0S')
    const first = (await listed()).find((key) => key.role === role && key.state === 'retired')
    const { err } = await svc('keys', 'rotate', '--dir', keys, '--role', role, '--lead', 'PT0S', '--overlap', overlap)
    expect((await listed()).find(({ kid }) => kid === first!.kid)?.verify_until).toBe(earliest)
    expect(err).toContain(
      `${first!.kid} ${earliest === undefined ? 'verifies without an end' : `verifies until ${earliest}`}`,
    )
  })

  it('--overlap lengthens the time of no earlier key', async () => {
    await svc('keys', 'generate', '--dir', keys)
    await svc('keys', 'rotate', '--dir', keys, '--role', 'tokens', '--lead', 'PT0S', '--overlap', 'PT1H')
    const first = (await listed()).find((key) => key.role === 'tokens' && key.state === 'retired')
    await svc('keys', 'rotate', '--dir', keys, '--role', 'tokens', '--lead', 'PT0S', '--overlap', 'P1D')
    expect((await listed()).find(({ kid }) => kid === first!.kid)?.verify_until).toBe('2030-01-01T01:00:00.000Z')
  })

  it('changes a key in the file where it stands, whatever its name', async () => {
    await svc('keys', 'generate', '--dir', keys)
    const written = readdirSync(keys).find((file) => file.startsWith('tokens-'))!
    renameSync(join(keys, written), join(keys, 'from-the-vault.jwk.json'))
    expect((await svc('keys', 'rotate', '--dir', keys, '--role', 'tokens')).code).toBe(0)
    expect(readdirSync(keys)).not.toContain(written)
    expect(await states('tokens')).toEqual(['next', 'active'])
  })

  it('refuses no token at any time, on replicas that know the ring as it was up to a minute ago', async () => {
    await svc('keys', 'generate', '--dir', keys)
    const known: Awaited<ReturnType<typeof ring>>[] = [await ring()]
    const issued: { readonly jwt: string; readonly until: number }[] = []
    for (let minute = 0; minute < 60 * 27; minute += minute < 30 ? 1 : 90) {
      at(minute * MINUTE)
      if (minute === 5) await svc('keys', 'rotate', '--dir', keys, '--role', 'tokens')
      known.push(await ring())
      const now = Math.floor(Date.now() / 1000)
      if (minute < 30)
        issued.push({
          jwt: await signDelegation(signerFor(known.at(-1)!, 'tokens'), claims(now)),
          until: now + 24 * 3600,
        })
      for (const replica of known.slice(-2)) {
        const expected = {
          keys: verificationKeys(replica, 'tokens', Date.now()),
          issuer: 'a',
          audience: 'a',
          now,
          toleranceSeconds: 5,
        }
        for (const { jwt } of issued.filter(({ until }) => until > now))
          expect(verifyDelegation(jwt, expected).ok).toBe(true)
      }
    }
    expect(await states('tokens')).toEqual(['active', 'retired'])
    expect(jwksOf(await ring(), Date.now()).keys).toHaveLength(3)
  })

  it('J03: publishes the new key before it signs', async () => {
    await svc('keys', 'generate', '--dir', keys)
    await svc('keys', 'rotate', '--dir', keys, '--role', 'tokens')
    expect(await states('tokens')).toEqual(['next', 'active'])
    expect(jwksOf(await ring(), Date.now()).keys).toHaveLength(4)
    at(3 * MINUTE)
    expect(await states('tokens')).toEqual(['active', 'retired'])
  })

  it('takes a key that was published long enough at once', async () => {
    await svc('keys', 'generate', '--dir', keys)
    await svc('keys', 'generate', '--dir', keys, '--role', 'audit')
    at(4 * MINUTE)
    await svc('keys', 'rotate', '--dir', keys, '--role', 'audit')
    expect(await states('audit')).toEqual(['active', 'retired'])
  })

  it('lets a retired audit key verify without an end, a token key until its tokens are over', async () => {
    await svc('keys', 'generate', '--dir', keys)
    for (const role of ['tokens', 'audit', 'manifest'])
      await svc('keys', 'rotate', '--dir', keys, '--role', role, '--lead', 'PT0S')
    const ends = (await listed())
      .filter(({ state }) => state === 'retired')
      .map(({ role, verify_until }) => [role, verify_until])
    expect(ends).toEqual([
      ['manifest', '2030-02-01T00:00:00.000Z'],
      ['tokens', '2030-01-02T01:00:00.000Z'],
      ['audit', undefined],
    ])
  })

  it('does not schedule twice', async () => {
    await svc('keys', 'generate', '--dir', keys)
    await svc('keys', 'rotate', '--dir', keys, '--role', 'tokens')
    expect((await svc('keys', 'rotate', '--dir', keys, '--role', 'tokens')).err).toContain(
      'is scheduled for 2030-01-01T00:03:00.000Z already',
    )
    expect(await listed()).toHaveLength(4)
  })

  it('brings a scheduled change forward when a shorter lead is asked for, so that a key that leaks meanwhile can end', async () => {
    await svc('keys', 'generate', '--dir', keys)
    const old = signerFor(await ring(), 'tokens')
    at(MINUTE)
    await svc('keys', 'rotate', '--dir', keys, '--role', 'tokens', '--lead', 'P30D')
    expect((await svc('keys', 'retire', '--dir', keys, '--', old.kid)).code).toBe(2)
    await svc('keys', 'rotate', '--dir', keys, '--role', 'tokens', '--lead', 'PT0S')
    expect(await states('tokens')).toEqual(['active', 'retired'])
    expect((await svc('keys', 'retire', '--dir', keys, '--', old.kid)).code).toBe(0)
    expect(await listed()).toHaveLength(4)
  })

  it('ends what a killed one began: the old key gets its end', async () => {
    await svc('keys', 'generate', '--dir', keys)
    const { kid } = signerFor(await ring(), 'tokens')
    const old = join(keys, `tokens-${kid}.jwk.json`)
    const before = readFileSync(old)
    await svc('keys', 'rotate', '--dir', keys, '--role', 'tokens')
    writeFileSync(old, before)
    expect((await svc('keys', 'rotate', '--dir', keys, '--role', 'tokens')).err).toContain(`${kid} verifies until`)
    at(3 * MINUTE)
    expect(await states('tokens')).toEqual(['active', 'retired'])
  })

  it('makes one key when two commands run at once', async () => {
    vi.useRealTimers()
    await svc('keys', 'generate', '--dir', keys)
    const quiet = vi.spyOn(process.stderr, 'write').mockImplementation(() => true)
    await Promise.all([rotate({ dir: keys, role: 'tokens' }), rotate({ dir: keys, role: 'tokens' })])
    quiet.mockRestore()
    expect(readdirSync(keys)).toHaveLength(6)
  })

  it('takes a key at once where none signs', async () => {
    await svc('keys', 'generate', '--dir', keys, '--role', 'audit')
    const [file = ''] = readdirSync(keys)
    const { svc_active_from: _, ...unused } = JSON.parse(readFileSync(join(keys, file), 'utf8')) as {
      [name: string]: string
    }
    writeFileSync(join(keys, file), JSON.stringify(unused))
    expect(await states('audit')).toEqual(['next'])
    await svc('keys', 'rotate', '--dir', keys, '--role', 'audit')
    expect(await states('audit')).toEqual(['active'])
  })

  it.each([
    [['rotate', '--role', 'tokens'], 'Make one with: svc keys generate --role tokens'],
    [['rotate'], "required option '--role <role>'"],
    [['rotate', '--role', 'all'], 'Allowed choices are manifest, tokens, audit'],
    [['retire', 'nothing'], 'has no key nothing. See: svc keys list'],
  ])('refuses %j in an empty directory', async (args, message) => {
    const { code, err } = await svc('keys', ...args, '--dir', keys)
    expect(code).toBe(2)
    expect(err).toContain(message)
  })

  it.each([
    [['rotate', '--role', 'tokens', '--lead', '3m'], '--lead 3m is not an ISO 8601 duration'],
    [['rotate', '--role', 'tokens', '--lead', 'P300000Y'], 'is longer than a hundred years'],
  ])('refuses %j', async (args, message) => {
    await svc('keys', 'generate', '--dir', keys)
    const { code, err } = await svc('keys', ...args, '--dir', keys)
    expect(code).toBe(2)
    expect(err).toContain(message)
  })
})

describe('how long a rotated key verifies', () => {
  const ends = async (yaml: string): Promise<string | undefined> => {
    writeFileSync(join(folder, 'svc.yaml'), yaml)
    await svc('keys', 'generate', '--dir', keys)
    await svc('keys', 'rotate', '--dir', keys, '--role', 'tokens', '--lead', 'PT0S')
    return (await listed()).find(({ role, state }) => role === 'tokens' && state === 'retired')?.verify_until
  }
  const manifest = (expiresInSeconds: number) => `${readFileSync('examples/minimal/svc.yaml', 'utf8')}
    approval:
      required: always
      grant_policy: { allowed_grant_types: [one_time], default_grant_type: one_time, expires_in_seconds: ${expiresInSeconds}, max_uses: 1 }
limits: { max_delegation_depth: 3, default_ttl_hours: 2, max_ttl_hours: 48 }
`

  it('is an hour longer than the longest token or grant of the service', async () => {
    expect(await ends(manifest(900))).toBe('2030-01-03T01:00:00.000Z')
  })

  it('is an hour longer than a grant that outlives every token', async () => {
    expect(await ends(manifest(3 * 24 * 3600))).toBe('2030-01-04T01:00:00.000Z')
  })

  it('is an hour longer than the grants of each capability, not of the first alone', async () => {
    const [second = ''] = manifest(3 * 24 * 3600)
      .split('capabilities:\n')[1]!
      .split('limits:')
    const both = manifest(900).replace('limits:', `${second.replace('get_status', 'get_history')}limits:`)
    expect(await ends(both)).toBe('2030-01-04T01:00:00.000Z')
  })
})

describe('svc keys retire', () => {
  it('keeps the end that the key had, and the time since which it signs no more', async () => {
    await svc('keys', 'generate', '--dir', keys)
    const old = signerFor(await ring(), 'tokens')
    await svc('keys', 'rotate', '--dir', keys, '--role', 'tokens', '--lead', 'PT0S')
    at(60 * MINUTE)
    expect((await svc('keys', 'retire', '--dir', keys, '--keep-verifying', '--', old.kid)).code).toBe(0)
    const text = readFileSync(join(keys, `tokens-${old.kid}.jwk.json`), 'utf8')
    expect(JSON.parse(text)).toMatchObject({ svc_retired_from: '2030-01-01T00:00:00.000Z', svc_verify_until: '2030-01-02T01:00:00.000Z' }) // prettier-ignore
    expect(text).not.toContain('"d"')
    await svc('keys', 'retire', '--dir', keys, '--', old.kid)
    expect((await listed()).find(({ kid }) => kid === old.kid)?.verify_until).toBe('2030-01-01T01:00:00.000Z')
  })

  it('asks for more of an id that several keys begin with', async () => {
    await svc('keys', 'generate', '--dir', keys)
    const { code, err } = await svc('keys', 'retire', '--dir', keys, '--', '')
    expect([code, err]).toEqual([2, expect.stringContaining('Several keys begin with . Write more of the id.')])
    expect(await states('tokens')).toEqual(['active'])
  })

  it('ends a key at once and removes its private part', async () => {
    await svc('keys', 'generate', '--dir', keys)
    const old = signerFor(await ring(), 'tokens')
    await svc('keys', 'rotate', '--dir', keys, '--role', 'tokens', '--lead', 'PT0S')
    expect((await svc('keys', 'retire', old.kid.slice(0, 12), '--dir', keys)).code).toBe(0)
    expect(verificationKeys(await ring(), 'tokens', Date.now()).map(({ kid }) => kid)).not.toContain(old.kid)
    expect(readFileSync(join(keys, `tokens-${old.kid}.jwk.json`), 'utf8')).not.toContain('"d"')
  })

  it('ends a key now that was to sign until another does', async () => {
    const other = join(folder, 'other')
    for (const dir of [keys, other]) await svc('keys', 'generate', '--dir', dir, '--role', 'tokens')
    const { kid } = signerFor(await ring(), 'tokens')
    const [name = ''] = readdirSync(other)
    renameSync(join(other, name), join(keys, name))
    await svc('keys', 'rotate', '--dir', keys, '--role', 'tokens', '--lead', 'PT1H')
    await svc('keys', 'retire', '--dir', keys, '--', kid)
    const text = readFileSync(join(keys, `tokens-${kid}.jwk.json`), 'utf8')
    expect(JSON.parse(text)).toMatchObject({ svc_retired_from: '2030-01-01T00:00:00.000Z' })
  })

  it('calls the change off when the key was to sign later: the old one signs on', async () => {
    await svc('keys', 'generate', '--dir', keys)
    const old = signerFor(await ring(), 'tokens')
    await svc('keys', 'rotate', '--dir', keys, '--role', 'tokens')
    const next = (await listed()).find(({ state }) => state === 'next')!
    expect((await svc('keys', 'retire', '--dir', keys, '--', next.kid)).err).toContain(`${old.kid} signs on`)
    at(5 * MINUTE)
    expect(signerFor(await ring(), 'tokens').kid).toBe(old.kid)
    expect((await svc('keys', 'rotate', '--dir', keys, '--role', 'tokens')).err).toContain('signs for tokens from')
  })

  it('says what becomes of checkpoints that a retired audit key signed', async () => {
    await svc('keys', 'generate', '--dir', keys)
    const { kid } = signerFor(await ring(), 'audit')
    await svc('keys', 'rotate', '--dir', keys, '--role', 'audit', '--lead', 'PT0S')
    expect((await svc('keys', 'retire', '--dir', keys, '--', kid)).err).toContain('signed verify no more')
    expect(verificationKeys(await ring(), 'audit', Date.now())).toHaveLength(1)
    await svc('keys', 'retire', '--dir', keys, '--keep-verifying', '--', kid)
    expect(verificationKeys(await ring(), 'audit', Date.now())).toHaveLength(2)
  })

  it('keeps the only active key of a role', async () => {
    await svc('keys', 'generate', '--dir', keys)
    const { kid } = signerFor(await ring(), 'tokens')
    const { code, err } = await svc('keys', 'retire', kid, '--dir', keys)
    expect(code).toBe(2)
    expect(err).toContain('svc keys rotate --role tokens')
  })

  it('refuses a directory that others can write to', async () => {
    await svc('keys', 'generate', '--dir', keys)
    writeFileSync(join(keys, 'x.jwk.json'), '{}', { mode: 0o644 })
    expect(await svc('keys', 'list', '--dir', keys)).toMatchObject({
      code: 2,
      err: expect.stringContaining('chmod 600'),
    })
  })
})
