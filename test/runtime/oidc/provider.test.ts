import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Provider } from 'oidc-provider'
import { startFixture } from '../fixture/service.js'

/** A real identity provider on loopback: client credentials, JWT access tokens for one resource. */
let server: Server
let issuer: string
const RESOURCE = 'https://flights.example/'

beforeAll(async () => {
  server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  issuer = `http://127.0.0.1:${(server.address() as { port: number }).port}`
  const client = (client_id: string) => ({
    client_id,
    client_secret: 'secret',
    grant_types: ['client_credentials'],
    redirect_uris: [],
    response_types: [],
  })
  const provider = new Provider(issuer, {
    clients: [client('ana'), client('unverified'), client('worker')],
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_: unknown, resource: string) => ({
          scope: 'use',
          audience: resource,
          accessTokenTTL: 600,
          accessTokenFormat: 'jwt',
        }),
      },
    },
    extraTokenClaims: (_: unknown, token: { clientId?: string }) => {
      if (token.clientId === 'worker') return {}
      return { email: `${String(token.clientId)}@example.org`, email_verified: token.clientId === 'ana' }
    },
  })
  const handle = provider.callback()
  server.on('request', (request, response) => void handle(request, response))
})
afterAll(() => server.close())

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
        entitlements: () => ({ caller_classes: ['partner'] }),
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
