import { describe, expect, it } from 'vitest'
import { setCookie } from '../../src/console/session/cookie.js'
import type { Setting } from '../../src/console/setting.js'
import { startWorld } from '../console/world.js'

const keys = { options: { development: true } }
const SIGN_OUT = '/-/console/api/sign-out'

it('N16 a link in a mail decides nothing, whoever opens it: every GET leaves a request as it was', async () => {
  const world = await startWorld(keys)
  const { token } = await world.fixture.root({ subject: 'agent:planner' })
  const asked = await world.fixture.invoke('book', token, { parameters: { hotel: 'Aurora' } })
  const id = asked.body['failure']?.['approval_request_id'] as unknown as string
  const bob = world.browser()
  await bob.byKey('bob-key')
  const api = `/-/console/api/approvals/${id}`
  for (const scanner of [world.browser(), bob])
    for (const path of [`/-/console/approvals/${id}`, `${api}/approve`, `${api}/deny?reason=x`, `${api}/withdraw`, api]) await scanner.get(path) // prettier-ignore
  expect((await world.fixture.storage.approvals.get(id))?.status).toBe('pending')
})

describe('N16 other pages change nothing at the console', () => {
  it.each([
    ['a page of another origin', { origin: 'https://evil.example' }],
    ['a page at another port of this machine', { origin: 'http://127.0.0.1:1' }],
    ['a page without an origin', { origin: 'null' }],
    ['a navigation from elsewhere', { 'sec-fetch-site': 'cross-site' }],
    ['a sister site', { 'sec-fetch-site': 'same-site' }],
    ['a page without the token', { 'x-csrf-token': '' }],
    ['a page with another token', { 'x-csrf-token': 'x'.repeat(43) }],
  ])('changes nothing for %s', async (_, headers) => {
    const world = await startWorld(keys)
    const browser = world.browser()
    await browser.byKey('bob-key')
    expect((await browser.post(SIGN_OUT, {}, headers)).status).toBe(403)
    expect((await browser.me())['person']).toBeDefined()
  })

  it('lets nobody sign in without saying from which page', async () => {
    const { url } = await startWorld(keys)
    const body = JSON.stringify({ key: 'bob-key' })
    const signIn = (origin: object) =>
      fetch(`${url}/-/console/api/sign-in/key`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', ...origin },
      })
    expect([(await signIn({})).status, (await signIn({ origin: url })).status]).toEqual([403, 200])
  })

  it('takes a change as JSON alone, which no form can send, and never by GET', async () => {
    const browser = (await startWorld(keys)).browser()
    await browser.byKey('bob-key')
    const form = await browser.post('/-/console/api/sign-in/key', {}, { 'content-type': 'text/plain' })
    expect(form.status).toBe(415)
    expect((await browser.get(SIGN_OUT)).status).toBe(405)
    expect((await browser.me())['person']).toBeDefined()
  })

  it('is framed by nobody, runs nothing inline, and asks nobody else', async () => {
    const browser = (await startWorld(keys)).browser()
    for (const path of [
      '/-/console/',
      '/-/console/approvals/apr_1',
      '/-/console/api/me',
      '/-/console/assets/app.js',
      '/-/console/api/none',
    ]) {
      const { headers } = await browser.get(path)
      const policy = headers.get('content-security-policy') ?? ''
      expect([path, policy.includes("frame-ancestors 'none'"), policy.includes("default-src 'self'")]).toEqual([path, true, true]) // prettier-ignore
      expect(policy).not.toMatch(/unsafe|https?:|\*/u)
      expect(policy).toBe(
        "default-src 'self'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; object-src 'none'; " +
          "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
      )
      for (const name of ['referrer-policy', 'cross-origin-opener-policy', 'cross-origin-resource-policy'])
        expect([name, headers.get(name)]).toEqual([name, 'same-origin'])
      expect(headers.get('x-robots-tag')).toBe('noindex')
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect(headers.get('access-control-allow-origin')).toBeNull()
    }
    const page = (await browser.get('/-/console/')).text
    expect(page).not.toMatch(/<script>|<style|\son\w+=|style=|https?:\/\//u)
  })

  it('begins a session of its own, whatever cookie was planted', async () => {
    const browser = (await startWorld(keys)).browser()
    await browser.byKey('bob-key')
    const [name, planted] = [...browser.jar][0]!
    await browser.byKey('eve-key')
    const fresh = browser.jar.get(name)
    expect(fresh).not.toBe(planted)
    browser.jar.set(name, planted)
    expect((await browser.me())['person']).toBeUndefined()
    browser.jar.set(name, 'chosen-by-somebody')
    await browser.byKey('bob-key')
    expect(browser.jar.get(name)).not.toBe('chosen-by-somebody')
  })

  it('marks its cookie for itself: HttpOnly, SameSite=Lax, and __Host- with Secure where the address is https', async () => {
    const world = await startWorld(keys)
    const signed = await world.browser().post('/-/console/api/sign-in/key', { key: 'bob-key' })
    expect(signed.headers.getSetCookie()[0]).toMatch(/^svc-console-\d+-session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=43200$/u) // prettier-ignore
    const published = { origin: () => 'https://svc.example', base: '' } as Setting
    expect(setCookie(published, 'session', 'secret', 60)).toEqual([
      'set-cookie',
      '__Host-svc-console-session=secret; Path=/; HttpOnly; SameSite=Lax; Max-Age=60; Secure',
    ])
  })

  it.each(['/svc/tokens', '/svc/approval_requests', '/svc/audit', '/-/approval_grants/x/revoke', '/mcp'])(
    'lends its cookie to nothing else: %s',
    async (path) => {
      const world = await startWorld(keys)
      const browser = world.browser()
      await browser.byKey('bob-key')
      const method = path === '/svc/approval_requests' ? 'GET' : 'POST'
      const answer = await browser.request(method, path, { body: {} })
      expect([401, 404]).toContain(answer.status)
      const handle = await fetch(world.url + path, { method, headers: { authorization: 'Bearer console-session', 'content-type': 'application/json' } }) // prettier-ignore
      expect([401, 404]).toContain(handle.status)
    },
  )

  it('comes back to a page of the console, whatever page was asked for', async () => {
    const { pageIn } = await import('../../src/console/sign-in/under-way.js')
    for (const page of [
      'https://evil.example/',
      '//evil.example',
      '/-/console//evil.example',
      '/-/console/../svc',
      '/\\evil',
      5,
      undefined,
      `/-/console/${'a'.repeat(600)}`,
    ])
      expect([page, pageIn(page)]).toEqual([page, '/-/console/'])
    expect(pageIn('/-/console/approvals/apr_1?x=1')).toBe('/-/console/approvals/apr_1?x=1')
  })

  it('believes no Host header: no answer names a forged one', async () => {
    const { url } = await startWorld(keys)
    const { request } = await import('node:http')
    const answer = await new Promise<{ status: number; text: string }>((resolve) => {
      const { port } = new URL(url)
      request({ port, host: '127.0.0.1', path: '/-/console/api/me', headers: { host: 'evil.example' } }, (response) => {
        let text = ''
        response.on('data', (part: Buffer) => (text += part.toString())).on('end', () => resolve({ status: response.statusCode ?? 0, text })) // prettier-ignore
      }).end()
    })
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.text).not.toContain('evil.example')
  })
})
