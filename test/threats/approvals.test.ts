import { describe, expect, it } from 'vitest'
import { sha256Hex } from '../../src/crypto/json/digest.js'
import type { ApprovalGrant } from '../../src/protocol/approval.js'
import { capability, input } from '../runtime/fixture/manifest.js'
import { API_KEYS, startFixture, type Fixture, type Given } from '../runtime/fixture/service.js'

const policy = {
  allowed_grant_types: ['one_time', 'session_bound'],
  default_grant_type: 'one_time',
  expires_in_seconds: 60,
  max_uses: 5,
} as const
const book = capability({
  inputs: [input('hotel'), input('nights', { type: 'number', required: false, default: 1 })],
  side_effect: { type: 'irreversible' },
  approval: { required: 'always', grant_policy: policy },
})

const typeOf = (reply: { readonly status: number; readonly body: { readonly [name: string]: unknown } }) =>
  `${reply.status} ${String((reply.body['failure'] as { readonly type?: string } | undefined)?.type)}`

async function start(given: Given = {}) {
  const effects: unknown[] = []
  const fixture = await startFixture({
    capabilities: { book, other: book, trip: book },
    handlers: { book: (each: unknown) => (effects.push(each), {}) },
    ...given,
  })
  const requester = await fixture.root({ subject: 'agent:planner', session_id: 's' })
  const ask = async (parameters: object = { hotel: 'Ritz' }) =>
    (await fixture.invoke('book', requester.token, { parameters })).body['failure']?.[
      'approval_request_id'
    ] as unknown as string
  const grant = (id: string, body: object = {}, bearer = 'bob-key') =>
    fixture.post('/svc/approval_grants', bearer, { approval_request_id: id, grant_type: 'one_time', ...body })
  const granted = async (body: object = {}) => (await grant(await ask(), body)).body['grant_id'] as unknown as string
  const go = (
    approval_grant: string,
    parameters: object = { hotel: 'Ritz' },
    bearer = requester.token,
    name = 'book',
  ) => fixture.invoke(name, bearer, { parameters, approval_grant })
  const uses = async (id: string) => (await fixture.storage.approvals.grant(id))?.uses
  return { ...fixture, effects, requester, ask, grant, granted, go, uses }
}

const WITH_DESK = [
  ...API_KEYS,
  { ...API_KEYS[1]!, id: 'desk', principal: 'service:desk', sha256: sha256Hex('desk-key') } as const,
]

/** A manifest that lets agents and services approve. */
const byMachines = {
  approvals: { request_ttl: 'PT24H', denial_holds: 'PT10M', allow_agents: true, separation_of_duties: true },
}

const stillPending = async ({ storage }: Pick<Fixture, 'storage'>, id: string) =>
  expect((await storage.approvals.get(id))?.status).toBe('pending')

describe('POST /svc/approval_grants', () => {
  it('G01 the requester, its root principal and its chain do not approve', async () => {
    const fixture = await start()
    const id = await fixture.ask()
    const child = await fixture.issued(fixture.requester.token, {
      scope: ['travel.search'],
      subject: 'agent:w',
      parent_token: fixture.requester.token_id,
    })
    for (const bearer of ['ana-key', fixture.requester.token, child.token])
      expect(typeOf(await fixture.grant(id, {}, bearer))).toBe('403 approver_not_authorized')
    await stillPending(fixture, id)
  })

  it('G01 nobody approves whose authority the requester uses', async () => {
    const fixture = await start({ apiKeys: WITH_DESK, manifest: byMachines })
    const desk = await fixture.root({ subject: 'service:desk' })
    const agent = await fixture.issued(desk.token, {
      parent_token: desk.token_id,
      subject: 'agent:planner',
      scope: ['travel.search'],
    })
    const asked = await fixture.invoke('book', agent.token, { parameters: { hotel: 'Ritz' } })
    const id = asked.body['failure']?.['approval_request_id'] as unknown as string
    expect(typeOf(await fixture.grant(id, {}, 'desk-key'))).toBe('403 approver_not_authorized')
    expect((await fixture.grant(id)).status).toBe(200)
  })

  /** An approver's token that was lent to the desk, which made it out to another name. */
  async function aliasOfDesk(fixture: Fixture): Promise<string> {
    const lent = await fixture.issued('bob-key', { scope: ['approver:book'], subject: 'service:desk' })
    const alias = { parent_token: lent.token_id, subject: 'service:night', scope: ['approver:book'] }
    return (await fixture.issued(lent.token, alias)).token
  }

  it('G01 the requester does not approve with a token that it made out to another name', async () => {
    const fixture = await start({ manifest: byMachines })
    const asking = await fixture.root({ subject: 'service:desk' })
    const asked = await fixture.invoke('book', asking.token, { parameters: { hotel: 'Ritz' } })
    const id = asked.body['failure']?.['approval_request_id'] as unknown as string
    expect(typeOf(await fixture.grant(id, {}, await aliasOfDesk(fixture)))).toBe('403 approver_not_authorized')
    await stillPending(fixture, id)
  })

  it.each([
    ['the root principal', 'desk-key'],
    ['a member of the chain', 'ana-key'],
  ])('G01 %s does not approve with a token that it made out to another name', async (_, key) => {
    const fixture = await start({ apiKeys: WITH_DESK, manifest: byMachines })
    const desk = await fixture.issued(key, { subject: 'service:desk', scope: ['travel.search'] })
    const agent = await fixture.issued(desk.token, {
      parent_token: desk.token_id,
      subject: 'agent:planner',
      scope: ['travel.search'],
    })
    const asked = await fixture.invoke('book', agent.token, { parameters: { hotel: 'Ritz' } })
    const id = asked.body['failure']?.['approval_request_id'] as unknown as string
    expect(typeOf(await fixture.grant(id, {}, await aliasOfDesk(fixture)))).toBe('403 approver_not_authorized')
    await stillPending(fixture, id)
  })

  it('a grant is spent by who asked, and by nobody who was only given the same name', async () => {
    const fixture = await start()
    const id = await fixture.granted()
    const other = await fixture.root({ subject: 'agent:other', session_id: 's' })
    const named = { parent_token: other.token_id, subject: 'agent:planner', scope: ['travel.search'], session_id: 's' }
    const namesake = await fixture.issued(other.token, named)
    const refused = (await fixture.go(id, { hotel: 'Ritz' }, namesake.token)).body['failure']
    expect([refused?.['type'], refused?.['reason'], fixture.effects]).toEqual(['approval_grant_invalid', 'requester_mismatch', []])
    expect([(await fixture.go(id)).status, fixture.effects.length]).toEqual([200, 1])
  }) // prettier-ignore

  it('a worker that names the service which began its chain is not that service: it reads and withdraws nothing of its others', async () => {
    const fixture = await start({ apiKeys: WITH_DESK, manifest: byMachines })
    const scope = ['travel.search']
    const [one, two] = [await fixture.issued('desk-key', { subject: 'service:one', scope }), await fixture.issued('desk-key', { subject: 'service:two', scope })]
    const asked = await fixture.invoke('book', one.token, { parameters: { hotel: 'Ritz' } })
    const id = asked.body['failure']?.['approval_request_id'] as unknown as string
    const named = await fixture.issued(two.token, { parent_token: two.token_id, subject: 'service:desk', scope })
    const read = (bearer: string) => fixture.call('GET', `/svc/approval_requests/${id}`, { bearer })
    const list = await fixture.call('GET', '/svc/approval_requests', { bearer: named.token })
    expect([(await read(named.token)).status, list.body['count']]).toEqual([404, 0])
    expect((await fixture.post(`/svc/approval_requests/${id}/withdraw`, named.token)).status).toBe(404)
    expect((await read('desk-key')).status).toBe(200)
    const own = await fixture.issued('desk-key', { subject: 'service:desk', scope })
    expect((await read(own.token)).status).toBe(200)
    await stillPending(fixture, id)
  }) // prettier-ignore

  it.each([
    ['refused', {}, '403 approver_not_authorized'],
    ['taken where the manifest allows agents', { manifest: byMachines }, '200 undefined'],
  ])('N05 G02 a decision by an agent or a service, as subject or as root, is %s', async (_, given, expected) => {
    const apiKeys = [...WITH_DESK, { ...WITH_DESK[1]!, id: 'helper', principal: 'agent:helper', sha256: sha256Hex('helper-key') } as const]
    const fixture = await start({ apiKeys, ...given })
    const lent = async (key: string, subject: string) => (await fixture.issued(key, { scope: ['approver:book'], subject })).token
    const bearers = ['desk-key', 'helper-key', await lent('bob-key', 'agent:x'), await lent('bob-key', 'service:x'), await lent('desk-key', 'agent:x')]
    for (const [n, bearer] of bearers.entries()) {
      const id = await fixture.ask({ hotel: `Ritz ${n}` })
      const denied = await fixture.post(`/svc/approval_requests/${await fixture.ask({ hotel: `Savoy ${n}` })}/deny`, bearer)
      expect([typeOf(await fixture.grant(id, {}, bearer)), typeOf(denied)]).toEqual([expected, expected])
      if (expected.startsWith('403')) await stillPending(fixture, id)
    }
  }) // prettier-ignore

  it('G03 an approver of something else does not approve', async () => {
    const fixture = await start()
    const id = await fixture.ask()
    const { token } = await fixture.issued('bob-key', { scope: ['approver:trip'] })
    expect(typeOf(await fixture.grant(id, {}, token))).toBe('403 approver_not_authorized')
    await stillPending(fixture, id)
  })

  it.each([
    { max_uses: 0 },
    { max_uses: -1 },
    { max_uses: 1.5 },
    { max_uses: '1' },
    { max_uses: 1e9 },
    { expires_in_seconds: -1 },
    { expires_in_seconds: 0 },
    { expires_in_seconds: 1e12 },
    { expires_in_seconds: 0.5 },
    { grant_type: 'other' },
    { grant_type: 'session_bound' },
    { grant_type: 'session_bound', session_id: '' },
    { session_id: 's' },
  ])('G04 a grant with %j is refused', async (body) => {
    const fixture = await start()
    const id = await fixture.ask()
    expect((await fixture.grant(id, body)).status).toBe(400)
    await stillPending(fixture, id)
  })

  it.each(['capability', 'scope', 'parameters_digest', 'requester', 'grant_id', 'expires_at'])(
    'G05 a %s in the body is refused',
    async (name) => {
      const fixture = await start()
      const id = await fixture.ask()
      expect((await fixture.grant(id, { [name]: 'x' })).status).toBe(400)
      await stillPending(fixture, id)
    },
  )

  it('G06 who may not approve cannot tell what exists', async () => {
    const fixture = await start()
    const id = await fixture.ask()
    for (const bearer of ['nobody', 'ana-key', 'bot-key', fixture.requester.token]) {
      const [known, unknown] = [await fixture.grant(id, {}, bearer), await fixture.grant('apr_unknown', {}, bearer)]
      expect([known.status, known.body]).toEqual([unknown.status, unknown.body])
    }
  })

  it.each([
    ['{"nights":1,"hotel":"Ritz"}', true], [' { "hotel" : "Ritz" } ', true], ['{"hotel":"Ritz","nights":1.0}', true], ['{"hotel":"Ritz","nights":null}', true],
    ['{"hotel":"Ri\\u0301tz"}', false], ['{"hotel":"Ritz","nights":2}', false], ['{"hotel":"Ritz","extra":1}', false], ['{"hotel":"Ritz","hotel":"Ritz"}', false], ['{"hotel":"Ritz","__proto__":{}}', false],
  ])('G07 the parameters %s are the approved ones: %s', async (parameters, same) => {
    const fixture = await start()
    const id = await fixture.granted()
    const text = `{"parameters":${parameters},"approval_grant":"${id}"}`
    const { status } = await fixture.call('POST', '/svc/invoke/book', { bearer: fixture.requester.token, text })
    expect([status === 200, await fixture.uses(id)]).toEqual([same, same ? 1 : 0])
  }) // prettier-ignore

  it('G08 G09 another principal, token, session, capability or request does not use a grant', async () => {
    const fixture = await start()
    const id = await fixture.granted({ grant_type: 'session_bound', session_id: 's' })
    const eve = await fixture.issued('eve-key', { scope: ['travel.search'], subject: 'agent:planner', session_id: 's' })
    const other = await fixture.root({ subject: 'agent:planner', session_id: 't' })
    const refusals = [
      await fixture.go(id, undefined, eve.token),
      await fixture.go(id, undefined, other.token),
      await fixture.go(id, undefined, undefined, 'other'),
      await fixture.go(id, { hotel: 'Savoy' }),
    ]
    expect(refusals.map(typeOf)).toEqual(Array.from({ length: 4 }, () => '403 approval_grant_invalid'))
    expect([await fixture.uses(id), fixture.effects]).toEqual([0, []])
  })

  it.each([
    ['max_uses', { max_uses: 99 }],
    ['expires_at', { expires_at: '2030-01-01T00:00:00.000Z' }],
    ['parameters_digest', { parameters_digest: `sha256:${'0'.repeat(64)}` }],
    ['capability', { capability: 'other' }],
  ] as const)('G10 a stored grant whose %s was edited is refused, loudly', async (_, edit: Partial<ApprovalGrant>) => {
    const fixture = await start()
    const id = await fixture.granted()
    const stored = (await fixture.storage.approvals.grant(id))!
    Object.assign(fixture.storage.approvals, {
      grant: async () => ({ ...stored, grant: { ...stored.grant, ...edit } }),
    })
    expect([typeOf(await fixture.go(id)), fixture.effects]).toEqual(['403 approval_grant_invalid', []])
    expect((await fixture.call('GET', '/-/ready')).body['alarms']).toEqual(['grant_integrity'])
  })

  it('G11 R04 a request and a grant end exactly at their expiry', async () => {
    const fixture = await start({
      manifest: {
        approvals: { request_ttl: 'PT1M', denial_holds: 'PT10M', allow_agents: false, separation_of_duties: true },
      },
    })
    const [grantId, requestId] = [await fixture.granted(), await fixture.ask({ hotel: 'Savoy' })]
    fixture.time.now += 60_000
    expect(typeOf(await fixture.grant(requestId))).toBe('409 approval_request_closed')
    expect((await fixture.go(grantId)).body['failure']?.['reason']).toBe('expired')
  })

  it('G12 a grant stays used when the handler fails', async () => {
    const fixture = await start({ handlers: { book: () => { throw new Error('no') } } }) // prettier-ignore
    const id = await fixture.granted()
    expect([typeOf(await fixture.go(id)), typeOf(await fixture.go(id)), await fixture.uses(id)]).toEqual([
      '500 outcome_unknown',
      '403 approval_grant_invalid',
      1,
    ])
  })

  it('G13 R05 a requester that was revoked does not continue', async () => {
    const fixture = await start()
    const id = await fixture.granted()
    await fixture.post('/svc/tokens/revoke', 'ana-key', { token_id: fixture.requester.token_id })
    expect([typeOf(await fixture.go(id)), fixture.effects, await fixture.uses(id)]).toEqual([
      '401 token_revoked',
      [],
      0,
    ])
  })

  it('G14 an approver that was revoked does not approve', async () => {
    const fixture = await start()
    const id = await fixture.ask()
    const approver = await fixture.issued('bob-key', { scope: ['approver:book'] })
    await fixture.post('/svc/tokens/revoke', 'bob-key', { token_id: approver.token_id })
    expect(typeOf(await fixture.grant(id, {}, approver.token))).toBe('401 token_revoked')
    await stillPending(fixture, id)
  })

  it('G14 an approver that is revoked after its request was read decides nothing: the insert asks again', async () => {
    const fixture = await start()
    const { approvals } = fixture.storage
    const { approve, deny } = approvals
    const approver = await fixture.issued('bob-key', { scope: ['approver:book'] })
    const revoked = () => fixture.storage.tokens.revoke(approver.token_id, fixture.time.now)
    Object.assign(approvals, {
      approve: async (...given: Parameters<typeof approve>) => (await revoked(), approve(...given)),
      deny: async (...given: Parameters<typeof deny>) => (await revoked(), deny(...given)),
    })
    const id = await fixture.ask()
    expect(typeOf(await fixture.grant(id, {}, approver.token))).toBe('409 approval_request_closed')
    await stillPending(fixture, id)
  })

  it('G02 a token that only names the agent that gave a grant does not take it back', async () => {
    const fixture = await start({ apiKeys: WITH_DESK, manifest: byMachines })
    const scope = ['approver:book']
    const lent = await fixture.issued('bob-key', { scope, subject: 'agent:clerk' })
    const other = await fixture.issued('bob-key', { scope, subject: 'agent:other' })
    const naming = await fixture.issued(other.token, { scope, subject: 'agent:clerk', parent_token: other.token_id })
    const elsewhere = await fixture.issued('eve-key', { scope: ['travel.search'], subject: 'agent:clerk' })
    const id = await fixture.ask()
    const grant = String((await fixture.grant(id, {}, lent.token)).body['grant_id'])
    const revoke = async (bearer: string) => typeOf(await fixture.post(`/-/approval_grants/${grant}/revoke`, bearer))
    expect(await revoke(naming.token)).toBe('404 approval_request_not_found')
    expect(await revoke(elsewhere.token)).toBe('404 approval_request_not_found')
    const again = await fixture.issued('bob-key', { scope, subject: 'agent:clerk' })
    expect((await fixture.post(`/-/approval_grants/${grant}/revoke`, again.token)).status).toBe(200)
  })

  it('G15 a thousand identical calls ask once, and different ones are capped', async () => {
    const fixture = await start({
      limits: { connections: 20_000, pendingApprovalsPerRequester: 3, refusalsPerMinute: 10_000 },
    })
    const ids = await Promise.all(Array.from({ length: 1000 }, () => fixture.ask()))
    expect(new Set(ids).size).toBe(1)
    const replies = []
    for (const hotel of ['a', 'b', 'c'])
      replies.push(typeOf(await fixture.invoke('book', fixture.requester.token, { parameters: { hotel } })))
    expect(replies).toEqual(['403 approval_required', '403 approval_required', '429 rate_limited'])
  })

  it('G15 a token that names a thousand subjects asks no more often than one, and hides nobody', async () => {
    const fixture = await start({
      capabilities: { book: { ...book, inputs: [input('hotel')] } },
      limits: { pendingApprovalsPerRequester: 3, pendingApprovalsPerChain: 5, pendingApprovalsPerRoot: 8 },
    })
    const quiet = await fixture.issued('eve-key', { scope: ['travel.search'] })
    await fixture.invoke('book', quiet.token, { parameters: { hotel: 'Savoy' } })
    fixture.time.now += 10
    const flood = async (token: { readonly token: string; readonly token_id: string }, name: string) => {
      let opened = 0
      for (let n = 0; n < 20; n++) {
        const child = await fixture.issued(token.token, { scope: ['travel.search'], parent_token: token.token_id, subject: `agent:${name}${n}` }) // prettier-ignore
        opened += Number((await fixture.invoke('book', child.token, { parameters: { hotel: `${n}` } })).status === 403)
      }
      return opened
    }
    expect(await flood(fixture.requester, 'a')).toBe(5)
    expect(await flood(await fixture.root({ subject: 'agent:second' }), 'b')).toBe(3)
    const { body } = await fixture.call('GET', '/svc/approval_requests?status=pending&limit=2', { bearer: 'bob-key' })
    const listed = body['approval_requests'] as unknown as readonly {
      readonly requester: { readonly root_principal: string }
    }[]
    expect(listed.map(({ requester }) => requester.root_principal)).toEqual(['human:ana', 'human:eve'])
  })

  it('G16 the handler sees the digest of what was previewed', async () => {
    const seen: unknown[] = []
    const fixture = await start({
      implementation: { previews: { book: ({ hotel }: { hotel: string }) => ({ shows: hotel }) } },
      handlers: {
        book: (_: never, { approval }: { approval: { preview_digest: string } }) => (
          seen.push(approval.preview_digest),
          {}
        ),
      },
    })
    const id = await fixture.granted()
    await fixture.go(id)
    expect(seen).toEqual([(await fixture.storage.approvals.grant(id))?.grant.preview_digest])
  })

  it('G17 grant ids are not guessed, and a foreign one looks like an unknown one', async () => {
    const fixture = await start()
    const id = await fixture.granted()
    const eve = await fixture.issued('eve-key', { scope: ['travel.search'] })
    const [foreign, unknown] = [
      await fixture.go(id, undefined, eve.token),
      await fixture.go('grt_unknown', undefined, eve.token),
    ]
    expect(foreign.body['failure']).toEqual(unknown.body['failure'])
    expect(new Set(Array.from({ length: 10_000 }, () => fixture.service.ids.make('grant'))).size).toBe(10_000)
  })

  it('G18 R01 R02 R03 races have one winner, or as many as there are uses', async () => {
    const fixture = await start()
    const one = await fixture.granted()
    await Promise.all(Array.from({ length: 48 }, () => fixture.go(one)))
    expect([fixture.effects.length, await fixture.uses(one)]).toEqual([1, 1])
    const five = await fixture.granted({ grant_type: 'session_bound', session_id: 's', max_uses: 5 })
    await Promise.all(Array.from({ length: 48 }, () => fixture.go(five)))
    expect([fixture.effects.length, await fixture.uses(five)]).toEqual([6, 5])
    const id = await fixture.ask({ hotel: 'Savoy' })
    const approvals = await Promise.all(
      Array.from({ length: 48 }, (_, index) =>
        fixture.grant(id, index % 2 === 0 ? {} : { grant_type: 'session_bound', session_id: 's' }),
      ),
    )
    expect(approvals.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 47 }, () => 409)])
  })
})
