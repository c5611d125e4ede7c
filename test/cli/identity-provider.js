/**
 * A real identity provider on loopback, for `svc login`: codes on any loopback port, devices, refresh tokens that are used once, and
 * JWT access tokens for a resource. Prints its issuer, and ends with its standard input. A process of its own, because one of its
 * packages makes code.
 */
import { createServer } from 'node:http'
import { Provider } from 'oidc-provider'

const server = createServer()
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const issuer = `http://127.0.0.1:${server.address().port}`
const DEVICE = 'urn:ietf:params:oauth:grant-type:device_code'
const [, , accessTokenTTL = '600'] = process.argv
const provider = new Provider(issuer, {
  clients: [
    {
      client_id: 'svc-cli',
      token_endpoint_auth_method: 'none',
      application_type: 'native',
      grant_types: ['authorization_code', 'refresh_token', DEVICE],
      redirect_uris: ['http://127.0.0.1/callback'],
      response_types: ['code'],
    },
  ],
  pkce: { required: () => true },
  conformIdTokenClaims: false,
  claims: { openid: ['sub'], email: ['email', 'email_verified'] },
  scopes: ['openid', 'email', 'offline_access'],
  findAccount: (_, sub) => ({
    accountId: sub,
    claims: () => ({ sub, email: `${sub}@example.org`, email_verified: true }),
  }),
  extraTokenClaims: (_, { accountId }) => ({ email: `${accountId}@example.org`, email_verified: true }),
  rotateRefreshToken: true,
  features: {
    devInteractions: { enabled: false },
    deviceFlow: { enabled: true },
    revocation: { enabled: true },
    resourceIndicators: {
      enabled: true,
      getResourceServerInfo: (_, audience) => ({
        scope: 'use',
        audience,
        accessTokenTTL: Number(accessTokenTTL),
        accessTokenFormat: 'jwt',
      }),
    },
  },
  interactions: { url: (_, { uid }) => `/pick/${uid}` },
  loadExistingGrant: async (ctx) => {
    const { client, session, params } = ctx.oidc
    const grant = new ctx.oidc.provider.Grant({ clientId: client.clientId, accountId: session.accountId })
    grant.addOIDCScope('openid email offline_access')
    if (params.resource !== undefined) grant.addResourceScope(params.resource, 'use')
    await grant.save()
    return grant
  },
  cookies: { keys: ['for tests'] },
})

const callback = provider.callback()
server.on('request', async (request, response) => {
  const [, accountId] = /^\/pick\/[\w-]+\/([\w-]+)$/u.exec(request.url) ?? []
  if (accountId === undefined) return callback(request, response)
  const { prompt } = await provider.interactionDetails(request, response)
  const consent = prompt.name === 'consent' ? { consent: {} } : {}
  return provider.interactionFinished(request, response, { login: { accountId }, ...consent })
})
process.stdin.on('end', () => process.exit()).resume()
console.log(issuer)
