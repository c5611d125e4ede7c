/**
 * An identity provider that gives each client another subject for one person, as Entra ID does, with the claim `oid` that is the
 * same for all. Prints its issuer, and ends with its process.
 */
import { createServer } from 'node:http'
import { Provider } from 'oidc-provider'

const CALLBACK = /^http:\/\/127\.0\.0\.1:\d+\/(?:-\/console\/)?callback$/u

const server = createServer()
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const issuer = `http://127.0.0.1:${server.address().port}`
const publicClient = (client_id) => ({
  client_id,
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code'],
  redirect_uris: ['http://127.0.0.1/callback'],
  response_types: ['code'],
  application_type: 'native',
  subject_type: 'pairwise',
})
const provider = new Provider(issuer, {
  clients: [publicClient('svc-cli'), publicClient('svc-console')],
  subjectTypes: ['pairwise'],
  pairwiseIdentifier: (_, accountId, { clientId }) => `${accountId}-at-${clientId}`,
  pkce: { required: () => true },
  conformIdTokenClaims: false,
  claims: { openid: ['sub', 'oid'] },
  findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ sub, oid: `oid-${sub}` }) }),
  extraTokenClaims: (_, { accountId }) => ({ oid: `oid-${accountId}` }),
  features: {
    devInteractions: { enabled: false },
    resourceIndicators: {
      enabled: true,
      getResourceServerInfo: (_, audience) => ({
        scope: 'use',
        audience,
        accessTokenTTL: 600,
        accessTokenFormat: 'jwt',
      }),
    },
  },
  interactions: { url: (_, { uid }) => `/pick/${uid}` },
  loadExistingGrant: async (ctx) => {
    const { client, session, params } = ctx.oidc
    const grant = new ctx.oidc.provider.Grant({ clientId: client.clientId, accountId: session.accountId })
    grant.addOIDCScope('openid')
    if (params.resource !== undefined) grant.addResourceScope(params.resource, 'use')
    await grant.save()
    return grant
  },
  cookies: { keys: ['for tests'] },
})
provider.Client.prototype.redirectUriAllowed = (uri) => CALLBACK.test(uri)

const callback = provider.callback()
server.on('request', async (request, response) => {
  const [, uid, accountId] = /^\/pick\/([\w-]+)(?:\/([\w-]+))?$/u.exec(request.url) ?? []
  if (uid === undefined) return callback(request, response)
  if (accountId !== undefined) {
    const { prompt } = await provider.interactionDetails(request, response)
    const consent = prompt.name === 'consent' ? { consent: {} } : {}
    return provider.interactionFinished(request, response, { login: { accountId }, ...consent })
  }
  return response.writeHead(200, { 'content-type': 'text/html' }).end(`<a href="/pick/${uid}/ana">Ana</a>`)
})
process.stdin.on('end', () => process.exit()).resume()
console.log(issuer)
