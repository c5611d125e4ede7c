import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
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
