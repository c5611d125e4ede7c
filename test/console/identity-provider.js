/**
 * A real identity provider on loopback, for people: they pick who they are, and come back with a code. Prints its issuer, and ends
 * with its standard input. A process of its own, because one of its packages makes code.
 */
import { createServer } from 'node:http'
import { Provider } from 'oidc-provider'

/** Subject -> what the ID token says. */
const PEOPLE = {
  'u-ana': { email: 'ana@example.com', email_verified: true, groups: ['travellers'] },
  'u-bob': { email: 'bob@example.com', email_verified: true, groups: ['managers'] },
  'u-cleo': { email: 'cleo@example.com', email_verified: true, groups: ['managers'] },
  'u-dora': { email: 'dora@example.com', email_verified: true, groups: ['operators'] },
  'u-nobody': { email: 'nobody@example.com', email_verified: false, groups: [] },
}

const CALLBACK = /^http:\/\/127\.0\.0\.1:\d+\/-\/console\/callback$/u

const server = createServer()
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const issuer = `http://127.0.0.1:${server.address().port}`
const provider = new Provider(issuer, {
  clients: [
    {
      client_id: 'svc-console',
      client_secret: 'console-secret',
      grant_types: ['authorization_code'],
      redirect_uris: ['http://127.0.0.1/-/console/callback'],
      response_types: ['code'],
    },
  ],
  pkce: { required: () => true },
  conformIdTokenClaims: false,
  claims: { openid: ['sub'], email: ['email', 'email_verified', 'groups'] },
  findAccount: (_, sub) =>
    Object.hasOwn(PEOPLE, sub) ? { accountId: sub, claims: () => ({ sub, ...PEOPLE[sub] }) } : undefined,
  features: { devInteractions: { enabled: false } },
  interactions: { url: (_, { uid }) => `/pick/${uid}` },
  loadExistingGrant: async (ctx) => {
    const grant = new ctx.oidc.provider.Grant({
      clientId: ctx.oidc.client.clientId,
      accountId: ctx.oidc.session.accountId,
    })
    grant.addOIDCScope('openid email')
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
  if (accountId !== undefined) return provider.interactionFinished(request, response, { login: { accountId } })
  const links = Object.entries(PEOPLE).map(([sub, { email }]) => `<li><a href="/pick/${uid}/${sub}">${email}</a></li>`)
  return response
    .writeHead(200, { 'content-type': 'text/html' })
    .end(`<!doctype html><title>Who are you?</title><ul>${links.join('')}</ul>`)
})
process.stdin.on('end', () => process.exit()).resume()
console.log(issuer)
