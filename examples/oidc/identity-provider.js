/**
 * A real identity provider on loopback, for trying the example: OpenID Connect with JWT access tokens. For brevity its clients sign in
 * as themselves (client credentials); with yours, people sign in. Prints its issuer, and ends with its standard input.
 */
import { createServer } from 'node:http'
import { Provider } from 'oidc-provider'

const GROUPS = { ana: ['editors'], ben: ['readers'], guest: [] }

const server = createServer()
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const issuer = `http://127.0.0.1:${server.address().port}`
const provider = new Provider(issuer, {
  clients: Object.keys(GROUPS).map((client_id) => ({
    client_id,
    client_secret: 'secret',
    grant_types: ['client_credentials'],
    redirect_uris: [],
    response_types: [],
  })),
  features: {
    clientCredentials: { enabled: true },
    devInteractions: { enabled: false },
    resourceIndicators: {
      enabled: true,
      getResourceServerInfo: (_, audience) => ({ scope: 'use', audience, accessTokenFormat: 'jwt' }),
    },
  },
  extraTokenClaims: (_, { clientId }) => ({
    email: `${clientId}@example.org`,
    email_verified: true,
    groups: GROUPS[clientId],
  }),
})
server.on('request', provider.callback())
process.stdin.on('end', () => process.exit()).resume()
console.log(issuer)
