/** N37 and N35 for connections: authorization servers that attack, and people who are blocked (decisions, section 19). */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { beginConsent } from '../../src/runtime/connections/authorize.js'
import { agentOf, CALLBACK, listed, mail, startMail } from '../connections/world.js'

/** A server of the attacker; what it answers is changed by each test. */
let issuer = ''
let metadata: object | string = {}
let answer: object | string = {}
let registration = {}
const seen: string[] = []
const server = createServer((request, response) => void answered(request, response))

async function answered(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = ''
  for await (const part of request) body += String(part)
  const { url = '' } = request
  const given = url.startsWith('/.well-known/') ? metadata : url === '/token' ? answer : registration
  if (!url.startsWith('/.well-known/')) seen.push(`${url} ${body}`)
  if (typeof given === 'string') return void response.writeHead(307, { location: given }).end()
  return void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(given))
}

/** A host that nothing may reach. */
const reached: string[] = []
const elsewhere = createServer((request, response) => {
  reached.push(request.url ?? '')
  response.end('{}')
})
let other = ''

beforeAll(async () => {
  for (const each of [server, elsewhere]) await once(each.listen(0, '127.0.0.1'), 'listening')
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  other = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`
})
afterAll(() => [server, elsewhere].forEach((each) => (each.close(), each.closeAllConnections())))

const honest = (more: object = {}) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  revocation_endpoint: `${issuer}/revoke`,
  ...more,
})
const TOKENS = { access_token: 'access-1', refresh_token: 'refresh-1', token_type: 'Bearer', expires_in: 600 }

beforeEach(() => {
  mail.url = issuer
  mail.connection = { issuer, clientId: 'svc', scopes: ['mail.read'], title: 'Mail' }
  metadata = honest()
  answer = TOKENS
  seen.length = 0
  reached.length = 0
})

/** Begins a consent; the browser comes back as the server says. */
async function begun() {
  const world = await startMail()
  const ana = world.browser()
  await ana.byKey('ana-key')
  const { status, body } = await ana.post('/-/console/api/connections/connect', { upstream: 'mail' })
  const state = status === 200 ? new URL(String(body['location'])).searchParams.get('state') : undefined
  const back = async (more = '') => (await ana.get(`${CALLBACK}?code=c&state=${state}${more}`)).headers.get('location')
  return { world, ana, body, back }
}

describe('N37 an authorization server', () => {
  it.each<[string, () => void, string]>([
    ['with metadata of another issuer', () => (metadata = honest({ issuer: 'https://bank.example' })), `The authorization server ISSUER has metadata of another issuer.`],
    ['whose metadata is at another host', () => (metadata = `${other}/metadata`), 'The authorization server ISSUER gives no metadata.'],
    ['whose page is a script', () => (metadata = honest({ authorization_endpoint: 'javascript:alert(1)' })), 'An address of the authorization server is not https, or a loopback address.'],
    ['whose page is not https', () => (metadata = honest({ authorization_endpoint: 'http://id.example/authorize' })), 'An address of the authorization server is not https, or a loopback address.'],
    ['that takes codes over http', () => (metadata = honest({ token_endpoint: 'http://id.example/token' })), 'An address of the authorization server is not https, or a loopback address.'],
    ['that takes no PKCE', () => (metadata = honest({ code_challenge_methods_supported: ['plain'] })), 'The authorization server does not take PKCE with S256.'],
  ])('%s gets nobody', async (_, attack, why) => {
    attack()
    const { body } = await begun()
    expect(body['failure']?.['detail']).toBe(`The account could not be connected. ${why.replace('ISSUER', issuer)}`)
    expect([seen, reached]).toEqual([[], []])
  }) // prettier-ignore

  it.each<[string, () => void, readonly string[]]>([
    ['gives a scope that was not asked for', () => (answer = { ...TOKENS, scope: 'mail.read mail.all' }), ['/token', '/revoke']],
    ['gives a token of another type', () => (answer = { ...TOKENS, token_type: 'mac' }), ['/token']],
    ['sends the code on to another host', () => (answer = `${other}/token`), ['/token']],
    ['is another one when the person comes back', () => ((metadata = honest({ issuer: `${issuer}/other` })), (mail.connection = { ...mail.connection, issuer: `${issuer}/other` })), []],
  ])('that %s connects nothing', async (_, attack, asked) => {
    const { ana, back } = await begun()
    attack()
    expect(await back()).toBe('/-/console/connections?because=refused')
    expect((await listed(ana))['count']).toBe(0)
    expect([seen.map((each) => each.split(' ')[0]), reached]).toEqual([asked, []])
  }) // prettier-ignore

  it.each<[string, () => void, readonly string[], string]>([
    ['renews with a scope that nobody was asked for', () => (answer = { ...TOKENS, scope: 'mail.all' }), ['/token', '/revoke'], 'refused_upstream'],
    ['sends the refresh token on to another host', () => (answer = `${other}/token`), ['/token'], 'interrupted'],
    ['is another one', () => ((metadata = honest({ issuer: `${issuer}/other`, token_endpoint: `${other}/token` })), (mail.connection = { ...mail.connection, issuer: `${issuer}/other` })), [], 'refused_upstream'],
  ])('that %s keeps no connection, and gets no refresh token', async (_, attack, asked, ended_because) => {
    const { world, ana, back } = await begun()
    expect(await back()).toBe('/-/console/connections?connected=mail')
    seen.length = 0
    attack()
    const agent = await agentOf(world, 'ana-key')
    expect((await agent.call('read_mail')).account).toBeUndefined()
    expect([seen.map((each) => each.split(' ')[0]), reached.filter((path) => path === '/token')]).toEqual([asked, []])
    expect((await listed(ana))['connections']).toMatchObject([{ state: 'ended', ended_because }])
  }) // prettier-ignore
})

/** What the server is told of this service, which others reach at an https address. */
const OWN = {
  documentUrl: 'https://shop.example/.well-known/svc-client.json',
  redirectUri: 'https://shop.example/-/console/connections/callback',
  name: 'Shop',
}
const DOCUMENTS = { client_id_metadata_document_supported: true }
const REGISTERS = { registration_endpoint: 'REGISTER' }

it.each<[string, object, string | undefined, string]>([
  ['a configured id, whatever else it takes', { ...DOCUMENTS, ...REGISTERS }, 'svc', 'svc'],
  ['a metadata document where it takes one', { ...DOCUMENTS, ...REGISTERS }, undefined, OWN.documentUrl],
  ['a registration where it takes no document', REGISTERS, undefined, 'registered'],
])('an authorization server knows this service by %s', async (_, takes, clientId, id) => {
  const endpoint = 'registration_endpoint' in takes && { registration_endpoint: `${issuer}/register` }
  metadata = honest({ token_endpoint_auth_methods_supported: ['none'], ...takes, ...endpoint })
  registration = { client_id: 'registered' }
  const { location } = await beginConsent({ issuer, scopes: [], clientId }, OWN)
  const { searchParams } = new URL(location)
  expect([searchParams.get('client_id'), searchParams.get('redirect_uri')]).toEqual([id, OWN.redirectUri])
  expect(seen.length).toBe(id === 'registered' ? 1 : 0)
}) // prettier-ignore

describe('N35 a connection of somebody who is blocked', () => {
  it('is not made by a consent that had begun', async () => {
    const { world, back } = await begun()
    await world.fixture.post('/-/tokens/revoke', 'op-key', { principal: 'human:ana', reason: 'Left.' })
    expect(await back()).toBe('/-/console/connections?because=expired')
    const { body } = await world.fixture.call('GET', '/-/connections/all', { bearer: 'op-key' })
    expect([body['count'], seen]).toEqual([0, []])
  })

  it('ends where the block comes while the code is exchanged', async () => {
    const { world, back } = await begun()
    const { connections } = world.fixture.storage
    const { put } = connections
    Object.assign(connections, {
      put: async (given: never) => {
        await world.fixture.post('/-/tokens/revoke', 'op-key', { principal: 'human:ana', reason: 'Left.' })
        await put(given)
      },
    })
    expect(await back()).toBe('/-/console/connections?because=refused')
    const { body } = await world.fixture.call('GET', '/-/connections/all', { bearer: 'op-key' })
    expect(body['connections']).toMatchObject([{ state: 'ended', ended_because: 'blocked' }])
  })
})

it('N37 no answer, log, trail or list of a connected person holds a token of theirs', async () => {
  const { world, ana, back } = await begun()
  await back()
  const agent = await agentOf(world, 'ana-key')
  const said = [await agent.call('read_mail'), (await ana.get('/-/console/api/connections')).text]
  answer = { error: 'invalid_grant', error_description: 'refresh-1 is unknown' }
  world.fixture.service.connections.held.clear()
  said.push(await agent.call('read_mail'), (await ana.get('/-/console/api/connections')).text)
  const entries = await world.fixture.service.storage.audit.query({ rootPrincipal: 'human:ana', limit: 50 })
  const all = await world.fixture.call('GET', '/-/connections/all', { bearer: 'op-key' })
  const text = JSON.stringify([said, entries, all.body, world.fixture.logged])
  expect(text).toContain('connection_made')
  expect(text).not.toMatch(/access-1|refresh-1/u)
})
