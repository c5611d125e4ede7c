import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { signInByBrowser } from '../../src/cli/login/browser.js'
import { keepLogin, loginAt } from '../../src/cli/service/logins/logins.js'
import { loginFrom } from '../../src/cli/service/logins/provider.js'
import { loginCredential } from '../../src/cli/service/logins/refresh.js'
import { serve } from '../../src/runtime/node.js'
import { startFixture } from '../runtime/fixture/service.js'
import { signIn, startProvider } from './signing-in.js'

const RESOURCE = 'https://flights.example/'
const config = mkdtempSync(join(tmpdir(), 'svc-login-'))
afterAll(() => rmSync(config, { recursive: true, force: true, maxRetries: 20 }))
const FILE = join(config, 'svc', 'logins.json')

let provider: Awaited<ReturnType<typeof startProvider>>
beforeAll(async () => {
  provider = await startProvider()
})
afterAll(() => provider.close())

async function start(issuer = provider.issuer) {
  const fixture = await startFixture({
    clock: Date.now,
    oidc: [{ issuer, audience: RESOURCE, entitlements: () => ({ scopes: ['travel.search'], roles: ['auditor'] }) }],
  })
  const { url, close } = await serve(fixture.service, { port: 0 })
  onTestFinished(close)
  return { url, signing: ['login', '--url', url, '--issuer', issuer, '--client-id', 'svc-cli', '--resource', RESOURCE] }
}

interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs svc, and does something as soon as its standard error matches. */
function svc(args: readonly string[], when?: RegExp, act?: (found: RegExpExecArray) => Promise<unknown>): Promise<Ran> {
  const { SVC_TOKEN_FILE: _, SVC_TOKEN: __, ...env } = process.env
  const child = spawn(process.execPath, [resolve('bin/svc.cjs'), ...args], {
    env: { ...env, NO_COLOR: '1', XDG_CONFIG_HOME: config },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [stdout, stderr, acting] = ['', '', false]
  return new Promise((done, fail) => {
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString()
      const found = acting ? null : when?.exec(stderr)
      if (!found) return
      acting = true
      act?.(found).catch(fail)
    })
    child.once('close', (code) => done({ code, stdout, stderr }))
  })
}

const BROWSER = /Sign in at (\S+)\n/u
const byBrowser = (args: readonly string[], account = 'ana') =>
  svc(args, BROWSER, ([, address = '']) => signIn(address, account))

interface Kept {
  readonly credential: string
  readonly refresh_token: string
  readonly expires_at: string
}
const kept = () => JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, Kept>

describe('svc login', () => {
  it('signs in by the browser; every command uses it, nothing prints it, and svc logout ends it', async () => {
    const { url, signing } = await start()
    const made = await byBrowser(signing)
    expect(made).toMatchObject({ code: 0, stdout: `Signed in to ${url} as ana@example.org, renewed by itself.\n` })
    const { credential, refresh_token } = kept()[url]!
    expect([statSync(FILE).mode & 0o777, statSync(join(config, 'svc')).mode & 0o777]).toEqual([0o600, 0o700])
    const issued = await svc(['token', 'issue', '--url', url, '--scope', 'travel.search', '--json'])
    expect([issued.code, issued.stderr]).toEqual([0, ''])
    expect(JSON.parse(issued.stdout)).toMatchObject({ token: expect.any(String) as string })
    const trail = await svc(['audit', 'list', '--url', url])
    expect(trail).toMatchObject({ code: 0, stdout: expect.stringContaining('human:ana@example.org') as string })
    for (const { stdout, stderr } of [made, issued, trail])
      for (const secret of [credential, refresh_token]) expect(stdout + stderr).not.toContain(secret)
    expect(await svc(['logout', '--url', url])).toEqual({ code: 0, stdout: `Signed out of ${url}.\n`, stderr: '' })
    expect(kept()).not.toHaveProperty([url])
    const after = await svc(['audit', 'list', '--url', url])
    expect([after.code, after.stderr]).toEqual([2, expect.stringContaining(`svc login --url ${url}`)])
    const form = { grant_type: 'refresh_token', client_id: 'svc-cli', refresh_token }
    const refused = await fetch(`${provider.issuer}/token`, { method: 'POST', body: new URLSearchParams(form) })
    expect([refused.status, ((await refused.json()) as { error: string }).error]).toEqual([400, 'invalid_grant'])
  })

  it('signs in with a code that is entered elsewhere', async () => {
    const { url, signing } = await start()
    const made = await svc([...signing, '--device'], /Open (\S+) and enter [\w-]+\.\n/u, ([, address = '']) =>
      signIn(address, 'bob'),
    )
    expect(made).toMatchObject({ code: 0, stdout: `Signed in to ${url} as bob@example.org, renewed by itself.\n` })
    expect((await svc(['audit', 'list', '--url', url])).code).toBe(0)
  })

  it('renews what has ended, once, whatever asks at once', async () => {
    const { url, signing } = await start()
    expect((await byBrowser(signing)).code).toBe(0)
    const before = kept()
    writeFileSync(
      FILE,
      JSON.stringify({ ...before, [url]: { ...before[url], expires_at: '2020-01-01T00:00:00.000Z' } }),
    )
    const listing = ['audit', 'list', '--url', url]
    const all = await Promise.all([svc(listing), svc(listing), svc(listing)])
    expect(all.map(({ code }) => code)).toEqual([0, 0, 0])
    expect(kept()[url]!.refresh_token).not.toBe(before[url]!.refresh_token)
  })

  it('asks to sign in again where nothing renews it', async () => {
    const { url, signing } = await start()
    expect((await byBrowser([...signing, '--scope', 'openid email'])).code).toBe(0)
    expect(kept()[url]).not.toHaveProperty('refresh_token')
    const ended = { ...kept()[url], expires_at: '2020-01-01T00:00:00.000Z' }
    writeFileSync(FILE, JSON.stringify({ [url]: ended }))
    const after = await svc(['audit', 'list', '--url', url])
    expect([after.code, after.stderr]).toEqual([2, expect.stringContaining(`Sign in again: svc login --url ${url}`)])
  })

  it('sends a credential to no other service than that of the login', async () => {
    const { signing } = await start()
    expect((await byBrowser(signing)).code).toBe(0)
    let asked = 0
    const other = createServer((_, response) => (asked++, response.end('{}'))).listen(0, '127.0.0.1')
    onTestFinished(() => void other.close())
    await new Promise((listening) => other.once('listening', listening))
    const { port } = other.address() as AddressInfo
    const elsewhere = await svc(['audit', 'list', '--url', `http://127.0.0.1:${port}`])
    expect([elsewhere.code, asked]).toEqual([2, 0])
  })

  it('takes no code that it did not ask for', async () => {
    const { signing } = await start()
    const made = await svc(signing, BROWSER, async ([, address = '']) => {
      const back = new URL(address).searchParams.get('redirect_uri')!
      expect((await fetch(`${back}?code=forged&state=forged`)).status).toBe(404)
      expect((await fetch(`${back}?code=forged`, { method: 'POST' })).status).toBe(404)
      await signIn(address, 'ana')
    })
    expect(made.code).toBe(0)
  })

  it.each([
    [['login', '--url', 'http://127.0.0.1:1'], 'Name the identity provider'],
    [['login', '--url', 'http://127.0.0.1:1', '--issuer', 'http://sso.example', '--client-id', 'x'], 'use https'],
    [['login', '--url', 'http://127.0.0.1:1', '--issuer', 'sso', '--client-id', 'x'], 'is not an address'],
    [['login', '--url', 'http://127.0.0.1:1', '--issuer', 'http://127.0.0.1:1', '--client-id', 'x'], 'did not succeed'],
    [['login', '--url', 'http://svc.example', '--issuer', 'https://sso.example', '--client-id', 'x'], 'in the clear'],
  ])('refuses %j with what to do', async (args, message) => {
    expect(await svc(args)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(message) as string })
  })

  it('forgets what nobody has', async () => {
    expect(await svc(['logout', '--url', 'http://127.0.0.1:1'])).toMatchObject({ code: 0, stdout: 'Nobody is signed in to http://127.0.0.1:1.\n' }) // prettier-ignore
  })
})

describe('a login', () => {
  const client = { issuer: 'https://sso.example', clientId: 'svc-cli' }
  const NOW = Date.parse('2030-01-01T00:00:00.000Z')
  const given = (more: object) => ({ token_type: 'bearer', access_token: 'opaque', id_token: 'a.b.c', expiresIn: () => 60, claims: () => ({ exp: NOW / 1000 + 90 }), ...more }) as never // prettier-ignore
  const kept = { issuer: 'https://sso.example', client_id: 'svc-cli', send: 'access', credential: 'c', expires_at: '' } as const // prettier-ignore
  beforeEach(() => {
    vi.useFakeTimers({ now: NOW, toFake: ['Date'] })
    vi.stubEnv('XDG_CONFIG_HOME', join(config, 'kept'))
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllEnvs()
  })

  it('is the token that the service can read, until that ends', () => {
    expect(loginFrom(client, given({}))).toEqual({ issuer: 'https://sso.example', client_id: 'svc-cli', send: 'id', credential: 'a.b.c', expires_at: '2030-01-01T00:01:30.000Z' }) // prettier-ignore
    expect(loginFrom(client, given({ access_token: 'x.y.z' }))).toMatchObject({ send: 'access', credential: 'x.y.z', expires_at: '2030-01-01T00:01:00.000Z' }) // prettier-ignore
    expect(loginFrom({ ...client, send: 'access' }, given({ expiresIn: () => undefined }))).toMatchObject({ credential: 'opaque', expires_at: '2030-01-01T01:00:00.000Z' }) // prettier-ignore
    expect(() => loginFrom(client, given({ id_token: undefined }))).toThrow('The identity provider gave no id token.')
  })

  it('keeps what renews it where the provider gives nothing new', () => {
    const last = { ...kept, refresh_token: 'first' }
    expect(loginFrom(client, given({}), last)).toMatchObject({ refresh_token: 'first' })
    expect(loginFrom(client, given({ refresh_token: 'next' }), last)).toMatchObject({ refresh_token: 'next' })
    expect(loginFrom(client, given({}))).not.toHaveProperty('refresh_token')
  })

  it('is of one service, and forgotten without the others', async () => {
    await keepLogin('https://one.example/', { ...kept, credential: 'one' })
    await keepLogin('https://one.example/a', { ...kept, credential: 'a' })
    await keepLogin('https://one.example', { ...kept, credential: 'again' })
    const all = () => ['https://ONE.example//', 'https://one.example/a/', 'https://one.example:444', 'http://one.example'].map((url) => loginAt(url)?.credential) // prettier-ignore
    expect(all()).toEqual(['again', 'a', undefined, undefined])
    await keepLogin('https://one.example', undefined)
    expect(all()).toEqual([undefined, 'a', undefined, undefined])
  })

  it('is sent while it lasts for more than half a minute', async () => {
    const lasting = (ms: number) => keepLogin('https://svc.example', { ...kept, expires_at: new Date(NOW + ms).toISOString() }) // prettier-ignore
    await lasting(30_001)
    expect(await loginCredential('https://svc.example')).toBe('c')
    await lasting(30_000)
    await expect(loginCredential('https://svc.example')).rejects.toThrow('The login at https://svc.example has ended.')
  })

  it.each(['{"https://svc.example":{"credential":"secret"}}', '["secret"]', '{"secret":', '{"a":null,"b":"secret"}'])(
    'in a file that holds %s is none, and is not shown',
    async (text) => {
      await keepLogin('https://svc.example', kept)
      writeFileSync(join(config, 'kept/svc/logins.json'), text)
      const read = () => loginAt('https://svc.example')
      expect(read).toThrow('logins.json is not what svc login wrote. Delete it, and sign in again.')
      expect(read).not.toThrow('secret')
      rmSync(join(config, 'kept/svc/logins.json'))
    },
  )

  it('by the browser listens to its own address alone, and ends where the provider refuses', async () => {
    const openid = await import('openid-client')
    const described = new openid.Configuration({ issuer: client.issuer, authorization_endpoint: `${client.issuer}/auth` }, client.clientId) // prettier-ignore
    let back = new URL('http://127.0.0.1')
    const signing = signInByBrowser(described, client, (address) => {
      const asked = new URL(address).searchParams
      expect([asked.get('code_challenge_method'), asked.get('nonce')?.length]).toEqual(['S256', 43])
      back = new URL(`${asked.get('redirect_uri')}?state=${asked.get('state')}&error=access_denied`)
    })
    const refused = expect(signing).rejects.toThrow()
    await vi.waitFor(() => expect(back.port).not.toBe(''))
    const statusBy = (host: string, path = back.pathname + back.search) =>
      new Promise((done) => {
        const { port } = back
        get({ host: '127.0.0.1', port, path, headers: { host }, agent: false }, (response) => done(response.resume().statusCode)) // prettier-ignore
      })
    expect(await statusBy('evil.example')).toBe(404)
    expect(await statusBy(back.host, `/other${back.search}`)).toBe(404)
    expect(await statusBy(back.host, `/callback?code=x`)).toBe(404)
    expect(await statusBy(back.host)).toBe(200)
    await refused
  })
})
