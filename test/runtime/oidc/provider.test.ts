import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startFixture } from '../fixture/service.js'

let provider: ChildProcess
let issuer: string
const RESOURCE = 'https://flights.example/'

beforeAll(async () => {
  const { NODE_OPTIONS: _, ...env } = process.env
  provider = spawn(process.execPath, ['test/runtime/oidc/identity-provider.js'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env,
  })
  issuer = String(((await once(provider.stdout!.setEncoding('utf8'), 'data')) as [string])[0]).trim()
})
afterAll(() => provider.stdin!.end())

async function accessToken(client: string, resource = RESOURCE): Promise<string> {
  const response = await fetch(`${issuer}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${client}:secret`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', resource, scope: 'use' }),
  })
  return ((await response.json()) as { access_token: string }).access_token
}

const start = () =>
  startFixture({
    clock: Date.now,
    oidc: [
      {
        issuer,
        audience: RESOURCE,
        serviceAccounts: { worker: 'service:worker' },
        entitlements: () => ({ scopes: ['travel.search'], caller_classes: ['partner'] }),
      },
    ],
  })

it.each([
  ['ana', 'human:ana@example.org'],
  ['unverified', 'oidc:unverified'],
  ['worker', 'service:worker'],
])('an access token of %s bootstraps %s', async (client, principal) => {
  const { post, storage } = await start()
  const reply = await post('/svc/tokens', await accessToken(client), {
    scope: ['travel.search'],
    caller_class: 'partner',
  })
  expect(reply.status).toBe(200)
  const [root] = (await storage.tokens.chain(reply.body['token_id'] as unknown as string))!
  expect(root.claims).toMatchObject({ sub: principal, root_principal: principal, caller_class: 'partner' })
})

it('a token for another resource does not count', async () => {
  const { post } = await start()
  expect(
    (await post('/svc/tokens', await accessToken('ana', 'https://hotels.example/'), { scope: ['travel.search'] }))
      .status,
  ).toBe(401)
})

it('a token whose payload or signature was changed does not count', async () => {
  const { post } = await start()
  const [header, payload, signature] = (await accessToken('ana')).split('.') as [string, string, string]
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object
  const forged = Buffer.from(JSON.stringify({ ...claims, email: 'eve@example.org' })).toString('base64url')
  for (const bearer of [`${header}.${forged}.${signature}`, `${header}.${payload}.${signature.slice(0, -4)}AAAA`])
    expect((await post('/svc/tokens', bearer, { scope: ['travel.search'] })).status).toBe(401)
})

it('an expired token does not count', async () => {
  const bearer = await accessToken('ana')
  const { post } = await startFixture({ clock: () => Date.now() + 700_000, oidc: [{ issuer, audience: RESOURCE }] })
  expect((await post('/svc/tokens', bearer, { scope: ['travel.search'] })).status).toBe(401)
})
