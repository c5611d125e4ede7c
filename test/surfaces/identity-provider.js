/**
 * A real identity provider on loopback: people sign in by the authorization code flow with PKCE, clients register themselves, access
 * tokens are JWTs for the resource that was asked for. Whoever `login_hint` names is signed in and consents. Prints its issuer, and
 * ends with its standard input.
 */
import { createServer } from 'node:http'
import { Provider } from 'oidc-provider'

const server = createServer()
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const issuer = `http://127.0.0.1:${server.address().port}`

const provider = new Provider(issuer, {
  cookies: { keys: ['of this test'] },
  findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
  extraTokenClaims: (_, { accountId }) => ({ email: `${accountId}@example.org`, email_verified: true }),
  interactions: { url: (_, { uid }) => `/sign-in/${uid}` },
  issueRefreshToken: () => true,
  responseTypes: ['code'],
  scopes: ['use'],
  features: {
    devInteractions: { enabled: false },
    registration: { enabled: true },
    resourceIndicators: {
      enabled: true,
      getResourceServerInfo: (_, resource) => ({
        scope: 'use',
        audience: resource,
        accessTokenTTL: 600,
        accessTokenFormat: 'jwt',
      }),
      useGrantedResource: () => true,
    },
  },
})

async function consent({ grantId, params, session }) {
  const grant = grantId
    ? await provider.Grant.find(grantId)
    : new provider.Grant({ accountId: session.accountId, clientId: params.client_id })
  grant.addOIDCScope('use')
  if (params.resource !== undefined) grant.addResourceScope(params.resource, 'use')
  return { consent: { grantId: await grant.save() } }
}

const answer = provider.callback()
server.on('request', async (request, response) => {
  if (!request.url.startsWith('/sign-in/')) return answer(request, response)
  const details = await provider.interactionDetails(request, response)
  const { prompt, params } = details
  const result = prompt.name === 'login' ? { login: { accountId: params.login_hint ?? 'ana' } } : await consent(details)
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: true })
})
process.stdin.on('end', () => process.exit()).resume()
console.log(issuer)
