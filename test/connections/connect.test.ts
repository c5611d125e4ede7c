/** A person connects an account once; agents below them use it, and nobody else does (decisions, section 19). */
import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { beginConsent, endConsent } from '../../src/runtime/connections/authorize.js'
import {
  agentOf,
  authorizationServer,
  CALLBACK,
  connectedAs,
  consented,
  followed,
  listed,
  mail,
  publicClient,
  startMail,
} from './world.js'

const { issuer, control } = authorizationServer()
beforeEach(async () => {
  mail.connection = publicClient(issuer())
  await control({ sent: [], reused: 0, delay: 0, fail: 0, revoked: 0, registered: 0, lifetime: 600 })
})

const PAGE = '/-/console/connections'
const sha256 = createHash('sha256').update('robot-key').digest('hex')
const SERVICE_KEY = [{ id: 'robot', sha256, principal: 'service:robot' as const, scopes: ['travel.search'] }]

it('lets agents of a person use the account that the person has connected, and tells them where to connect one', async () => {
  const world = await startMail()
  const agent = await agentOf(world, 'ana-key')
  expect(await agent.call('read_mail')).toMatchObject({
    status: 403,
    type: 'connection_required',
    retry: true,
    detail: `The account of human:ana at Mail is not connected. Open connection_url as human:ana, and make the call again.`,
    connection_url: `${world.url}${PAGE}?connect=mail`,
    resolution: { action: 'provide_credentials', recovery_class: 'retry_now' },
  })
  const ana = await connectedAs(world, 'ana-key', 'ana@mail.example')
  expect(ana.page).toBe(`${PAGE}?connected=mail`)
  expect(await agent.call('read_mail')).toMatchObject({ status: 200, account: 'ana@mail.example' })
  const list = await listed(ana)
  expect(list).toEqual({
    connections: [
      {
        connection_id: expect.stringMatching(/^con_/u),
        person: 'human:ana',
        upstream: 'mail',
        account: 'ana@mail.example',
        scopes: ['mail.read'],
        state: 'connected',
        connected_at: expect.any(String),
        last_used_at: expect.any(String),
        last_used_by: 'agent:desk',
      },
    ],
    upstreams: [
      {
        upstream: 'mail',
        title: 'Mail',
        issuer: issuer(),
        capabilities: ['read_mail', 'send_mail', 'send_approved'],
        connection_url: `${world.url}${PAGE}?connect=mail`,
      },
    ],
    count: 1,
  })
})

it('gives each person their own account, and agents of another person none', async () => {
  const world = await startMail()
  const [anas, bobs, eves] = await Promise.all(['ana-key', 'bob-key', 'eve-key'].map((key) => agentOf(world, key)))
  await connectedAs(world, 'ana-key', 'ana@mail.example')
  expect(await bobs!.call('read_mail')).toMatchObject({ status: 403, type: 'connection_required' })
  await connectedAs(world, 'bob-key', 'bob@mail.example')
  const accounts = await Promise.all([anas, bobs, eves].map((each) => each!.call('read_mail')))
  expect(accounts.map(({ account, type }) => account ?? type)).toEqual([
    'ana@mail.example',
    'bob@mail.example',
    'connection_required',
  ])
})

it.each([
  ['another person', ['human:bob']],
  ['an agent of another person', ['human:bob', 'agent:of-bob']],
])('N37 gives an account to no token that its person delegated to %s', async (_, subjects) => {
  const world = await startMail()
  await connectedAs(world, 'ana-key', 'ana@mail.example')
  let parent = await world.fixture.issued('ana-key', { scope: ['travel.search'] })
  for (const subject of subjects)
    parent = await world.fixture.issued(parent.token, { parent_token: parent.token_id, subject, scope: ['travel.search'] })
  const { status, body } = await world.fixture.invoke('read_mail', parent.token)
  expect([status, body['failure']]).toMatchObject([
    403,
    {
      type: 'connection_required',
      retry: false,
      detail: 'human:bob acts for human:ana, whose account at Mail is for nobody else: use a token of your own.',
    },
  ])
}) // prettier-ignore

it('asks nobody to approve a call whose account is missing, and has none for a service', async () => {
  const world = await startMail({ apiKeys: SERVICE_KEY })
  const agent = await agentOf(world, 'robot-key', 'service:robot')
  expect(await agent.call('send_approved')).toMatchObject({
    status: 403,
    type: 'connection_required',
    retry: false,
    detail: 'Mail is used by accounts of people, and service:robot is none.',
    connection_url: undefined,
    resolution: { action: 'contact_service_owner', recovery_class: 'terminal' },
  })
})

it('sends the credential of the environment where there is one, and asks for no account', async () => {
  const world = await startMail()
  const agent = await agentOf(world, 'ana-key')
  expect(await agent.call('read_shared')).toMatchObject({ status: 422, type: 'upstream_unavailable' })
})

const ENDPOINTS = {}
const endpointsOf = (server: string) => ({
  issuer: undefined as never,
  authorizationUrl: `${server}/auth`,
  tokenUrl: `${server}/token`,
})

describe('a client', () => {
  it.each([
    ['that is configured, with a secret', { clientId: 'svc-mail', clientSecret: 'mail-secret' }, 0],
    ['that registers itself', { clientId: '' }, 1],
    ['at two endpoints, as a description names them', ENDPOINTS, 0],
  ])('%s', async (_, client, registrations) => {
    mail.connection = publicClient(issuer(), client === ENDPOINTS ? endpointsOf(issuer()) : client)
    const world = await startMail()
    const { page } = await connectedAs(world, 'ana-key', 'ana@mail.example')
    expect(page).toBe(`${PAGE}?connected=mail`)
    expect(await (await agentOf(world, 'ana-key')).call('read_mail')).toMatchObject({ account: 'ana@mail.example' })
    expect((await control()).registered).toBe(registrations)
  })

  it('has a metadata document', async () => {
    const world = await startMail()
    const { status, body } = await world.fixture.call('GET', '/.well-known/svc-client.json')
    expect([status, body]).toEqual([
      200,
      {
        client_id: `${world.url}/.well-known/svc-client.json`,
        client_name: expect.any(String),
        redirect_uris: [`${world.url}${CALLBACK}`],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        application_type: 'web',
        token_endpoint_auth_method: 'none',
      },
    ])
  })
})

describe('a client by its metadata document', () => {
  const SHOP = 'https://shop.example'
  const OWN = { documentUrl: `${SHOP}/.well-known/svc-client.json`, redirectUri: `${SHOP}${CALLBACK}`, name: 'Shop' }

  /** A service that others reach at https, whose document the server reads; `own` is what it is told of the service. */
  async function consent(own = OWN) {
    const world = await startMail({}, { publicUrl: SHOP })
    await control({ shopAt: world.url })
    const settings = publicClient(issuer(), { clientId: undefined })
    const { location, underWay } = await beginConsent(settings, own)
    const back = await followed(world.browser(), location, `${SHOP}${CALLBACK}`, 'ana@mail.example')
    return endConsent(settings, underWay, new URL(back).searchParams, Date.now())
  }

  it('is known to a server that reads the document', async () => {
    const { account, tokens } = await consent()
    expect([account, tokens.client]).toEqual(['ana@mail.example', { id: OWN.documentUrl, method: 'none' }])
    expect((await control()).registered).toBe(0)
  })

  it('gets no code at an address that the document does not name', async () => {
    await expect(consent({ ...OWN, redirectUri: `${SHOP}/other` })).rejects.toThrow('invalid_redirect_uri')
  })
})

describe('more scope', () => {
  it('is asked for when the upstream system wants it, and used once the person gave it', async () => {
    const world = await startMail()
    const agent = await agentOf(world, 'ana-key')
    const ana = await connectedAs(world, 'ana-key', 'ana@mail.example')
    expect(await agent.call('send_mail')).toMatchObject({
      type: 'connection_required',
      retry: true,
      detail:
        'The account of human:ana at Mail is not connected. It asks for more: mail.send. Open connection_url as human:ana, ' +
        'and make the call again.',
    })
    expect((await listed(ana))['connections']![0]).toMatchObject({ wanted: ['mail.send'] })
    expect(await agent.call('read_mail')).toMatchObject({ status: 200 })
    await connectedAs(world, 'ana-key', 'ana@mail.example')
    expect(await agent.call('send_mail')).toMatchObject({ status: 200, account: 'ana@mail.example' })
  })

  it('is refused where nobody allowed it', async () => {
    mail.connection = publicClient(issuer(), { furtherScopes: [] })
    const world = await startMail()
    const ana = await connectedAs(world, 'ana-key', 'ana@mail.example')
    const agent = await agentOf(world, 'ana-key')
    expect(await agent.call('send_mail')).toMatchObject({ status: 422, type: 'upstream_unavailable' })
    expect((await listed(ana))['connections']![0]).not.toHaveProperty('wanted')
  })
})

describe('the end of a connection', () => {
  it('comes by its person, at once, and at the authorization server', async () => {
    const world = await startMail()
    const ana = await connectedAs(world, 'ana-key', 'ana@mail.example')
    const agent = await agentOf(world, 'ana-key')
    await agent.call('read_mail')
    const id = (await listed(ana))['connections']![0]!['connection_id'] as unknown as string
    const eve = world.browser()
    await eve.byKey('eve-key')
    expect((await eve.post(`/-/console/api/connections/${id}/disconnect`)).status).toBe(404)
    expect((await ana.post(`/-/console/api/connections/${id}/disconnect`)).body).toMatchObject({
      state: 'ended',
      ended_because: 'disconnected',
    })
    expect(await agent.call('read_mail')).toMatchObject({ type: 'connection_required' })
    await expect.poll(async () => (await control()).revoked).toBe(1)
    expect((await ana.post(`/-/console/api/connections/${id}/disconnect`)).status).toBe(404)
  })

  it('comes with a block of its person', async () => {
    const world = await startMail()
    const ana = await connectedAs(world, 'ana-key', 'ana@mail.example')
    await world.fixture.post('/-/tokens/revoke', 'op-key', { principal: 'human:ana', reason: 'Left.' })
    const { body } = await world.fixture.call('GET', '/-/connections/all', { bearer: 'op-key' })
    expect(body['connections']).toMatchObject([{ person: 'human:ana', state: 'ended', ended_because: 'blocked' }])
    expect((await ana.get('/-/console/api/connections')).status).toBe(401)
  })

  it('is on the trail of its person, without content', async () => {
    const world = await startMail()
    const ana = await connectedAs(world, 'ana-key', 'ana@mail.example')
    const kept = (await listed(ana))['connections']![0]
    const id = String(kept!['connection_id'])
    await ana.post(`/-/console/api/connections/${id}/disconnect`)
    const entries = await world.fixture.service.storage.audit.query({ rootPrincipal: 'human:ana', limit: 9 })
    const about = entries.filter(({ operated }) => operated?.name.startsWith('connection_'))
    expect(about.map(({ operated, actor_key }) => [actor_key, operated])).toEqual([
      [
        'human:ana',
        { name: 'connection_ended', target: { upstream: 'mail', connection_id: id, because: 'disconnected' } },
      ],
      ['human:ana', { name: 'connection_made', target: { upstream: 'mail', connection_id: id } }],
    ])
  })
})

it('tells a person who refuses so, and connects nothing', async () => {
  const world = await startMail()
  const { page } = await connectedAs(world, 'ana-key', 'nobody')
  expect(page).toBe(`${PAGE}?because=denied`)
  expect(await (await agentOf(world, 'ana-key')).call('read_mail')).toMatchObject({ type: 'connection_required' })
})

describe('N37 a callback', () => {
  it('of another session connects nothing, in either session', async () => {
    const world = await startMail()
    const [ana, eve] = [world.browser(), world.browser()]
    await ana.byKey('ana-key')
    await eve.byKey('eve-key')
    await consented(ana, world.url, 'ana@mail.example')
    const hers = await consented(eve, world.url, 'bob@mail.example')
    expect((await ana.get(hers)).headers.get('location')).toBe(`${PAGE}?because=refused`)
    expect((await world.browser().get(hers)).headers.get('location')).toBe(`${PAGE}?because=expired`)
    expect((await listed(ana))['count']).toBe(0)
    await consented(ana, world.url, 'ana@mail.example')
    for (const [name, value] of ana.jar) if (name.includes('connect')) eve.jar.set(name, value)
    expect((await eve.get(hers)).headers.get('location')).toBe(`${PAGE}?because=expired`)
    expect((await listed(eve))['count']).toBe(0)
  })

  it.each([
    ['another issuer', (back: URL) => back.searchParams.set('iss', 'https://evil.example')],
    ['no issuer', (back: URL) => back.searchParams.delete('iss')],
    ['another state', (back: URL) => back.searchParams.set('state', 'x')],
    ['another code', (back: URL) => back.searchParams.set('code', 'x')],
  ])('with %s connects nothing', async (_, change) => {
    const world = await startMail()
    const ana = world.browser()
    await ana.byKey('ana-key')
    const back = new URL(await consented(ana, world.url, 'ana@mail.example'))
    change(back)
    expect((await ana.get(back.href)).headers.get('location')).toBe(`${PAGE}?because=refused`)
    expect((await listed(ana))['count']).toBe(0)
  })

  it('counts once, and for ten minutes', async () => {
    const world = await startMail()
    const ana = world.browser()
    await ana.byKey('ana-key')
    const back = await consented(ana, world.url, 'ana@mail.example')
    world.pass(10 * 60_000 + 1)
    expect((await ana.get(back)).headers.get('location')).toBe(`${PAGE}?because=expired`)
    const again = await consented(ana, world.url, 'ana@mail.example')
    expect((await ana.get(again)).headers.get('location')).toBe(`${PAGE}?connected=mail`)
    expect((await ana.get(again)).headers.get('location')).toBe(`${PAGE}?because=expired`)
  })

  it('leads nowhere but to the page of connections, whatever it says', async () => {
    const world = await startMail()
    const { headers } = await world
      .browser()
      .get(`${CALLBACK}?code=x&state=y&redirect=https://evil.example&page=//evil`)
    expect(headers.get('location')).toBe(`${PAGE}?because=expired`)
  })
})
