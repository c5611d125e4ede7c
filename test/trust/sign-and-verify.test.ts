import { cpSync, chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { signDetached } from '../../src/crypto/jws/jws.js'
import { generatePrivateJwk, signerFor, thumbprint } from '../../src/crypto/keys/key-ring.js'
import { canonicalBytes, canonicalText } from '../../src/crypto/json/canonical.js'
import { manifestDigest } from '../../src/crypto/jws/published-manifest.js'
import { readKeyRing, writeNewKeys } from '../../src/runtime/keys/key-directory.js'
import { svc } from './command.js'
import { originOf } from './origin.js'

let folder = ''
/** Of the key that signs the manifest. */
let kid: readonly string[] = []
const path = (name: string) => join(folder, name)
const read = (name: string) => readFileSync(path(name), 'utf8')
const verify = (...more: readonly string[]) =>
  svc('verify', path('dist/manifest.json'), '--jwks', path('dist/jwks.json'), ...kid, ...more)

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-sign-'))
  cpSync('examples/minimal/svc.yaml', path('svc.yaml'))
  await writeNewKeys(path('keys'), ['manifest', 'tokens', 'audit'], Date.now())
  kid = [
    '--manifest-kid',
    (await svc('keys', 'list', '--dir', path('keys'), '--role', 'manifest', '--kids')).out.trim(),
  ]
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

describe('svc sign', () => {
  it('writes canonical bytes, a detached signature and the public keys, which svc verify accepts', async () => {
    expect(await svc('sign', folder)).toMatchObject({ code: 0, out: '' })
    expect(read('dist/manifest.json')).toBe(canonicalText(JSON.parse(read('dist/manifest.json'))))
    expect(read('dist/manifest.jws')).toMatch(/^[\w-]+\.\.[\w-]{86}$/u)
    expect(read('dist/jwks.json')).not.toContain('"d"')
    const { code, out } = await verify()
    expect(code).toBe(0)
    expect(out).toContain('verified: manifest')
    const jwks = JSON.parse(read('dist/jwks.json')) as { keys: { kid: string }[] }
    expect(out).toContain(`signed by  ${jwks.keys[0]?.kid}`)
  })

  it('signs with a key that is kept elsewhere, in a file or a variable, and publishes its public half', async () => {
    const jwk = generatePrivateJwk()
    writeFileSync(path('offline.jwk'), JSON.stringify(jwk), { mode: 0o600 })
    expect((await svc('sign', folder, '--key', path('offline.jwk'))).err).toContain(thumbprint(jwk))
    expect((await verify()).out).toContain(thumbprint(jwk))
    vi.stubEnv('MANIFEST_KEY', JSON.stringify(jwk))
    expect((await svc('sign', folder, '--key', 'env:MANIFEST_KEY', '--out', 'public')).code).toBe(0)
    expect(read('public/jwks.json')).toContain(thumbprint(jwk))
  })

  it.each([
    [['--key', 'nowhere.jwk'], 'There is no key file nowhere.jwk.'],
    [['--key', 'env:NOTHING'], 'The environment has no variable NOTHING.'],
    [['--keys', 'elsewhere'], 'holds no keys'],
    [['--expires', 'soon'], 'neither a duration such as P30D nor a time'],
    [['--expires', '2020-01-01T00:00:00Z'], 'is not in the future'],
    [['--expires', 'PT0S'], 'is not in the future'],
    [['--expires', '2130-01-01'], 'neither a duration such as P30D nor a time'],
  ])('refuses %j and writes nothing', async (args, message) => {
    const { code, err } = await svc('sign', folder, ...args)
    expect(code).toBe(2)
    expect(err).toContain(message)
    expect(() => read('dist/manifest.json')).toThrow('ENOENT')
  })

  it('refuses a key that others may read, a key of another role, and what is no key', async () => {
    writeFileSync(path('open.jwk'), JSON.stringify(generatePrivateJwk()), { mode: 0o600 })
    chmodSync(path('open.jwk'), 0o644)
    expect(await svc('sign', folder, '--key', path('open.jwk'))).toMatchObject({
      code: 2,
      err: expect.stringContaining('chmod 600'),
    })
    for (const role of ['tokens', 'audit']) {
      writeFileSync(path('other.jwk'), JSON.stringify({ ...generatePrivateJwk(), svc_role: role }), { mode: 0o600 })
      expect((await svc('sign', folder, '--key', path('other.jwk'))).err).toContain(
        `has the role ${role}; only a manifest key signs manifests`,
      )
    }
    writeFileSync(path('odd.jwk'), '{"kty":"oct","k":"AA"}', { mode: 0o600 })
    expect((await svc('sign', folder, '--key', path('odd.jwk'))).err).toContain('not a P-256 key')
  })

  it('refuses a manifest with errors', async () => {
    writeFileSync(path('svc.yaml'), read('svc.yaml').replace('capabilities:', 'capabilites:'))
    expect((await svc('sign', folder)).code).toBe(1)
  })
})

describe('svc verify manifest', () => {
  beforeEach(async () => {
    await svc('sign', folder)
  })
  const change = (from: string | RegExp, to: string) => {
    expect(read('dist/manifest.json')).toMatch(from)
    writeFileSync(path('dist/manifest.json'), read('dist/manifest.json').replace(from, to))
  }

  it('names the member that differs, the digest and the signature', async () => {
    change('"type":"read"', '"type":"write"')
    const { code, out } = await verify()
    expect(code).toBe(1)
    expect(out).toContain('NOT verified: manifest')
    expect(out).toContain('the manifest or its signature was changed')
    expect(out).toContain('manifest_metadata.sha256 says')
    expect(out).toMatch(/\/capabilities\/\w+\/side_effect\/type is "write", expected "read"\./u)
  })

  it('tells a changed digest from a changed content', async () => {
    change(/"sha256":"./u, '"sha256":"x')
    const { out } = await verify()
    expect(out).toContain('/manifest_metadata/sha256 is "x')
  })

  it('finds a change whose digest was made anew', async () => {
    const document = JSON.parse(read('dist/manifest.json'))
    document.trust = { level: 'declarative' }
    document.manifest_metadata.sha256 = manifestDigest(document)
    writeFileSync(path('dist/manifest.json'), canonicalText(document))
    const { code, out } = await verify('--format', 'json')
    expect(code).toBe(1)
    const { findings } = JSON.parse(out) as { findings: readonly string[] }
    expect(findings[0]).toContain('The signature is not one of these bytes')
    expect(findings.join()).not.toContain('but the content has')
  })

  it('finds blanks and another order of members', async () => {
    writeFileSync(path('dist/manifest.json'), JSON.stringify(JSON.parse(read('dist/manifest.json')), undefined, 1))
    expect((await verify()).out).toContain('not the canonical form (RFC 8785)')
  })

  it('says when the key is not a trusted one', async () => {
    await writeNewKeys(path('others'), ['manifest'], Date.now())
    await svc('sign', folder, '--keys', path('others'))
    writeFileSync(path('dist/jwks.json'), JSON.stringify({ keys: [] }))
    expect(await verify()).toMatchObject({ code: 2, err: expect.stringContaining('holds no keys') })
    await svc('sign', folder, '--out', 'mine')
    const { code, out } = await svc('verify', path('dist/manifest.json'), '--jwks', path('mine/jwks.json'), ...kid)
    expect(code).toBe(1)
    expect(out).toContain('which is not among the given keys')
  })

  it.each([
    ['manifest.jws', '', 'not a detached ES256 JWS'],
    ['manifest.jws', 'eyJhbGciOiJub25lIn0..', 'not a detached ES256 JWS'],
    ['manifest.json', '{"manifest_metadata":{}', 'not valid JSON'],
    ['manifest.json', '[]', 'not a manifest'],
  ])('refuses %s that holds %j', async (file, text, message) => {
    writeFileSync(path(`dist/${file}`), text)
    const { code, out } = await verify()
    expect(code).toBe(1)
    expect(out).toContain(message)
  })

  it('compares with a source that is named, though everything is signed rightly', async () => {
    writeFileSync(path('other.yaml'), read('svc.yaml').replace('minimum_scope: [minimal.read]', 'minimum_scope: [other.read]'))
    const { code, out } = await verify('--source', path('other.yaml'))
    expect(code).toBe(1)
    expect(out).toContain('/capabilities/get_status/minimum_scope/0 is "minimal.read", expected "other.read".')
    expect((await verify('--source', path('svc.yaml'))).code).toBe(0)
  }) // prettier-ignore

  it('N06: refuses one that the tokens key signed, and one that lists no keys', async () => {
    const ring = await readKeyRing(path('keys'))
    writeFileSync(path('dist/manifest.jws'), await signDetached(signerFor(ring, 'tokens'), readFileSync(path('dist/manifest.json'))))
    expect(await verify()).toMatchObject({ code: 1, out: expect.stringContaining('which is not among the given keys') })
    expect(JSON.parse(read('dist/manifest.json')).service_identity['x-keys']).toEqual(
      Object.fromEntries(ring.keys.map(({ kid: id, role }) => [id, { role }])),
    )
    const { service_identity: _, ...rest } = JSON.parse(read('dist/manifest.json'))
    const document = { ...rest, service_identity: { id: 'minimal' } }
    document.manifest_metadata.sha256 = manifestDigest(document)
    writeFileSync(path('dist/manifest.json'), canonicalText(document))
    writeFileSync(path('dist/manifest.jws'), await signDetached(signerFor(ring, 'manifest'), readFileSync(path('dist/manifest.json'))))
    expect(await verify()).toMatchObject({ code: 1, out: expect.stringContaining('does not list keys') })
  }) // prettier-ignore

  it('says when the manifest has expired', async () => {
    vi.useFakeTimers({ now: Date.now() + 31 * 24 * 3_600_000, toFake: ['Date'] })
    const { code, out } = await verify()
    const then = new Date(Date.now() - 31 * 24 * 3_600_000).toISOString()
    expect((await verify('--at', then)).code).toBe(0)
    vi.useRealTimers()
    expect(code).toBe(1)
    expect(out).toContain('The manifest expired at')
  })

  it('takes keys from where a service publishes them, over https or on this machine', async () => {
    const server = createServer((_, response) => response.end(read('dist/jwks.json')))
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const { port } = server.address() as AddressInfo
    const manifest = path('dist/manifest.json')
    const published = `http://127.0.0.1:${port}/.well-known/jwks.json`
    expect((await svc('verify', manifest, '--jwks', published, ...kid)).code).toBe(0)
    expect(await svc('verify', manifest, '--jwks', published)).toMatchObject({
      code: 1,
      out: expect.stringContaining('Origin unverified'),
    })
    server.close()
    const { code, err } = await svc('verify', manifest, '--jwks', 'http://svc.example/.well-known/jwks.json')
    expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining('without https') })
  })

  it.each<[string, (response: ServerResponse) => unknown, string]>([
    ['leads elsewhere', (response) => response.writeHead(302, { location: '/other' }).end(), 'cannot be had.'],
    ['is none', (response) => response.writeHead(404).end(read('dist/jwks.json')), 'cannot be had (404).'],
    ['is too large', (response) => response.end(read('dist/jwks.json') + ' '.repeat(1_048_576)), 'is too large to be a JWKS.'],
  ])('takes no keys from an address that %s', async (_, answer, message) => {
    const server = createServer((request, response) =>
      request.url === '/other' ? response.end(read('dist/jwks.json')) : answer(response),
    )
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const { port } = server.address() as AddressInfo
    const { code, err } = await svc('verify', path('dist/manifest.json'), '--jwks', `http://127.0.0.1:${port}/`, ...kid)
    server.close()
    expect([code, err]).toEqual([2, expect.stringContaining(message)])
  }) // prettier-ignore

  it.each(['http://localhost.example/', 'http://127.0.0.1.example/', 'http://127.0.0.2.evil.example/'])(
    'takes no keys without https from %s',
    async (address) => {
      const { code, err } = await svc('verify', path('dist/manifest.json'), '--jwks', address, ...kid)
      expect([code, err]).toEqual([2, expect.stringContaining('keys that came without https are worth nothing')])
    },
  )

  it.each([
    [['verify', 'nowhere.json', '--jwks', 'x'], 'There is no file nowhere.json.'],
    [['verify', 'manifest', '--jwks', 'x'], 'Name the file of the manifest'],
    [['verify', 'token', 'x', '--jwks', 'x'], 'There is no kind token'],
    [['verify', 'package.json', '--jwks', 'package.json'], 'A JWKS must be an object with a list'],
    [['verify', 'package.json', '--jwks', 'https://'], '--jwks https:// is not an address'],
    [['verify', 'package.json', '--jwks', 'https://127.0.0.1:1/'], 'Save the keys in a file'],
    [['verify', 'export', '/dev/zero', '--jwks', 'x'], 'has more than 256 MiB'],
    [['verify', 'package.json'], "required option '--jwks <file>'"],
  ])('refuses %j', async (args, message) => {
    const { code, err } = await svc(...args)
    expect(code).toBe(2)
    expect(err).toContain(message)
  })
})

describe('svc verify grant', () => {
  const GRANT = { grant_id: 'grt_1', capability: 'search', approver: 'human:bob', grant_type: 'one_time', parameters_digest: 'sha256:00', max_uses: 1, issued_at: '2030-01-01T00:00:00Z', expires_at: '2020-01-01T00:00:00Z' } // prettier-ignore

  /** What is found of a grant that the key of a role signed, and then changed. */
  async function found(role: 'tokens' | 'audit', change: (signed: object) => object = (signed) => signed, more = true) {
    const signature = await signDetached(signerFor(await readKeyRing(path('keys')), role), canonicalBytes(GRANT))
    writeFileSync(path('grant.json'), JSON.stringify(change({ ...GRANT, signature })))
    const origin = await originOf(path('keys'), path('origin'))
    const { code, out } = await svc('verify', path('grant.json'), ...(more ? origin : origin.slice(0, 2)), '--json')
    const { findings } = JSON.parse(out) as { readonly findings: readonly string[] }
    return [code, ...findings]
  }
  const CHANGED = 'No trusted key signed this grant: a member or the signature was changed.'

  it('holds for what the key for tokens signed, also when it has expired', async () => {
    expect(await found('tokens')).toEqual([0])
  })

  it('does not hold for another key, a changed member, and no signature', async () => {
    expect(await found('audit')).toEqual([1, CHANGED])
    expect(await found('tokens', (signed) => ({ ...signed, max_uses: 2 }))).toEqual([1, CHANGED])
    expect(await found('tokens', (signed) => ({ ...signed, more: 1 }))).toEqual([1, CHANGED])
    expect(await found('tokens', () => GRANT)).toEqual([1, 'The grant has no signature.'])
  })

  it('does not hold for what is dated after its key was retired', async () => {
    const { kid: old } = signerFor(await readKeyRing(path('keys')), 'tokens')
    const signed = { ...GRANT, signature: await signDetached(signerFor(await readKeyRing(path('keys')), 'tokens'), canonicalBytes(GRANT)) } // prettier-ignore
    await svc('keys', 'rotate', '--dir', path('keys'), '--role', 'tokens', '--lead', 'PT0S')
    expect(await found('tokens', () => signed)).toEqual([1, expect.stringMatching(new RegExp(`^The key ${old} was retired at .*, but this is dated 2030-01-01T00:00:00Z`, 'u'))]) // prettier-ignore
  })

  it('N06: does not hold where nobody says whose keys they are', async () => {
    expect(await found('tokens', undefined, false)).toEqual([1, expect.stringContaining('Origin unverified')])
  })

  it('N06: does not hold by a manifest that has expired, or was changed', async () => {
    expect(await found('tokens')).toEqual([0])
    const origin = await originOf(path('keys'), path('origin'))
    const late = await svc('verify', path('grant.json'), ...origin, '--at', '2130-01-01T00:00:00Z')
    expect([late.code, late.out]).toEqual([1, expect.stringContaining('The manifest expired at')])
    writeFileSync(path('origin/manifest.json'), read('origin/manifest.json').replace('Does something.', 'Does anything.'))
    const changed = await svc('verify', path('grant.json'), ...origin)
    expect([changed.code, changed.out]).toEqual([1, expect.stringContaining('the manifest or its signature was changed')])
  }) // prettier-ignore
})
