/**
 * A real authorization server on loopback, and the mailbox that its tokens open. Refresh tokens are rotated: one that is
 * sent twice ends its grant. Prints its issuer, and ends with its standard input. A process of its own, because one of its
 * packages makes code.
 */
import { createServer } from 'node:http'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { Provider } from 'oidc-provider'

const PEOPLE = ['ana@mail.example', 'bob@mail.example']
const RESOURCE = 'urn:mail'
const SCOPES = ['mail.read', 'mail.send']

const server = createServer()
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const issuer = `http://127.0.0.1:${server.address().port}`
const state = {
  sent: [],
  reused: 0,
  delay: 0,
  fail: 0,
  revoked: 0,
  lifetime: 600,
  registered: 0,
  metadataAt: '',
  resource: '',
  /** Where an address of https://shop.example is read from. */
  shopAt: '',
  sessions: 0,
  refresh: true,
  refused: false,
}
const client = { grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'], redirect_uris: [`${issuer}/back`] } // prettier-ignore
const provider = new Provider(issuer, {
  clients: [
    { ...client, client_id: 'svc-mail', client_secret: 'mail-secret' },
    { ...client, client_id: 'svc-public', token_endpoint_auth_method: 'none' },
  ],
  pkce: { required: () => true },
  conformIdTokenClaims: false,
  scopes: ['openid', 'offline_access', 'email'],
  claims: { openid: ['sub'], email: ['email'] },
  ttl: { AccessToken: () => state.lifetime },
  rotateRefreshToken: true,
  issueRefreshToken: async () => state.refresh,
  findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ sub, email: sub }) }),
  fetch: (url, { method, headers }) =>
    fetch(String(url).replace('https://shop.example', state.shopAt), { method, headers, redirect: 'manual' }),
  features: {
    clientIdMetadataDocument: { enabled: true, ack: 'draft-02', cacheDuration: { min: 0, max: 0 } },
    devInteractions: { enabled: false },
    registration: { enabled: true },
    revocation: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => RESOURCE,
      useGrantedResource: () => true,
      getResourceServerInfo: (_, indicator) => ({
        scope: SCOPES.join(' '),
        audience: indicator,
        accessTokenFormat: 'opaque',
      }),
    },
  },
  interactions: { url: (_, { uid }) => `/pick/${uid}` },
  loadExistingGrant: async (ctx) => {
    const { client: asking, session, params } = ctx.oidc
    const grant = new ctx.oidc.provider.Grant({ clientId: asking.clientId, accountId: session.accountId })
    const wanted = String(params.scope ?? '').split(' ')
    grant.addOIDCScope(wanted.filter((scope) => !SCOPES.includes(scope)).join(' '))
    grant.addResourceScope(params.resource ?? RESOURCE, wanted.filter((scope) => SCOPES.includes(scope)).join(' '))
    await grant.save()
    return grant
  },
  cookies: { keys: ['for tests'] },
})
const { redirectUriAllowed } = provider.Client.prototype
provider.Client.prototype.redirectUriAllowed = function (uri) {
  const isLoopback = /^http:\/\/127\.0\.0\.1:\d+(?:\/-\/console\/connections)?\/callback$/u.test(uri)
  return isLoopback || redirectUriAllowed.call(this, uri)
}
provider.use(async (ctx, next) => {
  if (ctx.path === '/token' && state.fail) {
    const { status, headers = {}, body = '' } = state.fail
    ctx.set(headers)
    return void Object.assign(ctx, { status, body }, (state.fail = 0))
  }
  await next()
  if (ctx.path === '/reg') state.registered++
  if (ctx.path === '/token/revocation') state.revoked++
  if (ctx.path !== '/token') return
  const token = ctx.oidc?.params?.refresh_token
  if (token !== undefined) {
    if (state.sent.includes(token)) state.reused++
    state.sent.push(token)
  }
  if (token !== undefined && state.delay > 0) await new Promise((done) => setTimeout(done, state.delay))
})

const callback = provider.callback()
const json = (response, status, body, headers = {}) =>
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))

async function mailbox(request, response) {
  const [, bearer] = /^Bearer (.+)$/u.exec(request.headers.authorization ?? '') ?? []
  const token = bearer && (await provider.AccessToken.find(bearer))
  if (!token || state.refused) return json(response, 401, {}, { 'www-authenticate': 'Bearer error="invalid_token"' })
  const needed = request.method === 'POST' ? 'mail.send' : 'mail.read'
  if (!token.scope?.split(' ').includes(needed))
    return json(response, 403, {}, { 'www-authenticate': `Bearer error="insufficient_scope", scope="${new URL(request.url, issuer).searchParams.get('ask') ?? needed}"` }) // prettier-ignore
  return json(response, 200, { account: token.accountId })
}

const METADATA = '/.well-known/oauth-protected-resource/mcp'

/** Tools of an MCP server, in the account of the token. */
async function tools(request, response) {
  const [, bearer] = /^Bearer (.+)$/u.exec(request.headers.authorization ?? '') ?? []
  const token = bearer && (await provider.AccessToken.find(bearer))
  const at = state.metadataAt || issuer + METADATA
  const challenge = (text) => ({ 'www-authenticate': `Bearer ${text}, resource_metadata="${at}"` })
  if (!token) return json(response, 401, {}, challenge('scope="mail.read"'))
  let text = ''
  for await (const part of request) text += part
  const message = text === '' ? {} : JSON.parse(text)
  if (message.params?.name === 'send' && !token.scope.split(' ').includes('mail.send'))
    return json(response, 403, {}, challenge('error="insufficient_scope", scope="mail.read mail.send"'))
  if (message.method === 'initialize') state.sessions++
  const mcp = new Server({ name: 'tools', version: '1' }, { capabilities: { tools: {} } })
  const inputSchema = { type: 'object' }
  mcp.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: ['look', 'send'].map((name) => ({ name, description: '', inputSchema })),
  }))
  mcp.setRequestHandler(CallToolRequestSchema, () => ({
    content: [],
    structuredContent: { account: token.accountId },
  }))
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined, enableJsonResponse: true })
  await mcp.connect(transport)
  return transport.handleRequest(request, response, message)
}

async function control(request, response) {
  let text = ''
  for await (const part of request) text += part
  Object.assign(state, JSON.parse(text || '{}'))
  return json(response, 200, state)
}

server.on('request', async (request, response) => {
  if (request.url.startsWith('/mail/')) return mailbox(request, response)
  if (request.url === '/mcp') return tools(request, response)
  if (request.url === METADATA)
    return json(response, 200, {
      resource: state.resource || `${issuer}/mcp`,
      authorization_servers: [issuer],
      scopes_supported: SCOPES,
    })
  if (request.url === '/control') return control(request, response)
  const [, uid, accountId] = /^\/pick\/([\w-]+)(?:\/([\w.@-]+))?$/u.exec(request.url) ?? []
  if (uid === undefined) return callback(request, response)
  if (accountId === 'nobody')
    return provider.interactionFinished(request, response, { error: 'access_denied', error_description: 'No.' })
  if (accountId !== undefined)
    return provider.interactionFinished(request, response, { login: { accountId }, consent: {} })
  return response.writeHead(200, { 'content-type': 'text/html' }).end(PEOPLE.map((each) => `<a href="/pick/${uid}/${each}">${each}</a>`).join('')) // prettier-ignore
})
process.stdin.on('end', () => process.exit()).resume()
console.log(issuer)
