/**
 * A real identity provider on loopback: client credentials, JWT access tokens for any resource. Prints its issuer, and ends with
 * its standard input. A process of its own, because one of its packages makes code.
 */
import { createServer } from 'node:http'
import { Provider } from 'oidc-provider'

const server = createServer()
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const issuer = `http://127.0.0.1:${server.address().port}`
const client = (client_id) => ({
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
      getResourceServerInfo: (_, resource) => ({
        scope: 'use',
        audience: resource,
        accessTokenTTL: 600,
        accessTokenFormat: 'jwt',
      }),
    },
  },
  extraTokenClaims: (_, { clientId }) =>
    clientId === 'worker' ? {} : { email: `${clientId}@example.org`, email_verified: clientId === 'ana' },
})
server.on('request', provider.callback())
process.stdin.on('end', () => process.exit()).resume()
console.log(issuer)
