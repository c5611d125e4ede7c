import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { keepLogin, loginAt } from '../../src/cli/service/logins/logins.js'
import { loginCredential } from '../../src/cli/service/logins/refresh.js'

let config: string
beforeEach(() => {
  config = mkdtempSync(join(tmpdir(), 'svc-renewed-'))
  vi.stubEnv('XDG_CONFIG_HOME', config)
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(config, { recursive: true })
})

/** An identity provider that answers each renewal with these members, and an access token. */
async function startProvider(more: object): Promise<string> {
  const server = createServer((request, response) => {
    const issuer = `http://${request.headers.host}`
    const answer = request.url?.startsWith('/.well-known/')
      ? { issuer, token_endpoint: `${issuer}/token`, authorization_endpoint: `${issuer}/auth` }
      : { access_token: 'new', token_type: 'bearer', expires_in: 3600, ...more }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
  })
  await new Promise<void>((listens) => void server.listen(0, '127.0.0.1', listens))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const URL_OF_SERVICE = 'https://shop.example'
it.each([
  [{}, 'first'],
  [{ refresh_token: 'second' }, 'second'],
])('a renewal that gives %j keeps the refresh token %s', async (given, left) => {
  const issuer = await startProvider(given)
  const expired = { credential: 'old', refresh_token: 'first', expires_at: '2020-01-01T00:00:00.000Z' }
  await keepLogin(URL_OF_SERVICE, { issuer, client_id: 'svc-cli', send: 'access', ...expired })
  expect(await loginCredential(URL_OF_SERVICE)).toBe('new')
  expect(loginAt(URL_OF_SERVICE)).toMatchObject({ credential: 'new', refresh_token: left })
})
