import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client as Devops } from '../../examples/devops/generated/client.js'
import { run, type SignedInExample } from '../../examples/oidc/run.js'
import type { Client as Documents } from '../../examples/oidc/generated/client.js'
import type { Client as FrontRest } from '../../examples/front-rest/generated/client.js'
import type { Client as Pipeline } from '../../examples/pipeline/generated/client.js'
import type { Client as Refunds } from '../../examples/refunds/generated/client.js'
import { start, type Example } from '../../examples/start.js'
import type { Governance, TokenRequest } from '../../src/client/index.js'

/** A client of an example that speaks with a root token of one of its principals. */
async function clientOf<Client extends Governance<Client>>(
  { url, credentials, createClient }: Example,
  variable: string,
  request: TokenRequest,
): Promise<Client> {
  const bootstrap: Client = createClient({ baseUrl: url, credential: credentials[variable] ?? '' })
  const delegated = await bootstrap.delegate(request)
  if (!delegated.success) throw new Error(delegated.failure.detail)
  return delegated.client
}

function running(name: string, env?: () => { readonly [variable: string]: string }): { readonly get: () => Example } {
  let example: Example
  beforeAll(async () => void (example = await start(name, env?.())), 60_000)
  afterAll(() => example?.stop())
  return { get: () => example }
}

describe('examples/pipeline', () => {
  const example = running('pipeline')
  const client = () =>
    clientOf<Pipeline>(example.get(), 'SVC_DEVELOPER_KEY', { scope: ['reports.read', 'reports.write'] })

  it('resolves the caller’s words, asks back where they are ambiguous, refuses what means nothing', async () => {
    const reports = await client()
    expect(await reports.findAccounts({ region: 'Nordics' })).toMatchObject({
      success: true,
      result: { region: 'emea-north', accounts: ['Nordlys', 'Fjord'] },
    })
    expect(await reports.findAccounts({ region: 'Europe' })).toMatchObject({
      failure: {
        type: 'clarification_required',
        clarification: { inputs: [{ name: 'region', reason: 'ambiguous', candidates: ['emea-north', 'emea-south'] }] },
      },
    })
    expect(await reports.findAccounts({ region: 'Moon' })).toMatchObject({ failure: { type: 'invalid_parameters' } })
  })

  it('takes values from the actor, from defaults and from closed sets', async () => {
    const reports = await client()
    expect(await reports.computeFigures({ region: 'emea-north', quarter: 'q2' })).toMatchObject({
      success: true,
      result: { currency: 'EUR', revenue: 1200, lines: [] },
    })
    expect(
      await reports.computeFigures({ region: 'emea-north', quarter: 'q2', currency: 'NOK', detail: 'long' }),
    ).toMatchObject({ result: { currency: 'NOK', lines: [{ account: 'Nordlys' }, { account: 'Fjord' }] } })
  })

  it('composes, and says nothing was found where nothing was', async () => {
    const reports = await client()
    expect(await reports.summariseRegion({ region: 'nordics', quarter: 'q1' })).toMatchObject({
      success: true,
      result: { accounts: ['Nordlys', 'Fjord'], revenue: 1200 },
    })
    expect(await reports.summariseRegion({ region: 'asia', quarter: 'q1' })).toMatchObject({
      success: true,
      result: { accounts: [], revenue: 0 },
    })
  })

  it('streams its progress', async () => {
    const reports = await client()
    const writing = reports.streaming.writeReport({ title: 'Spring', pages: 2 })
    const pages: unknown[] = []
    for await (const { payload } of writing) pages.push(payload)
    expect(pages).toEqual([
      { page: 1, of: 2 },
      { page: 2, of: 2 },
    ])
    expect(await writing.outcome()).toMatchObject({ success: true, result: { pages: 2 } })
  })
})

describe('examples/refunds', () => {
  const example = running('refunds')

  it('refunds small amounts, waits for a person for large ones, takes a refund back', async () => {
    const refunds = await clientOf<Refunds>(example.get(), 'SVC_DEVELOPER_KEY', {
      scope: ['orders.read', 'refunds.create'],
      budget: { currency: 'EUR', max_amount: 500 },
    })
    const small = await refunds.refundOrder({ order_id: 'o-1', amount: 40, reason: 'late' })
    expect(small).toMatchObject({ success: true, cost_actual: { currency: 'EUR', amount: 40 } })
    expect(await refunds.readOrder({ order_id: 'o-1' })).toMatchObject({ result: { paid: 240, refunded: 40 } })
    expect(await refunds.refundOrder({ order_id: 'o-1', amount: 150, reason: 'damaged' })).toMatchObject({
      failure: { type: 'approval_required' },
    })
    expect(await refunds.refundOrder({ order_id: 'o-2', amount: 99, reason: 'damaged' })).toMatchObject({
      failure: { type: 'too_much' },
    })
    if (small.success)
      expect(await refunds.cancelRefund({ refund_id: small.result.refund_id })).toMatchObject({ success: true })
  })
})

describe('examples/devops', () => {
  const example = running('devops')
  const scope = ['deployments.read', 'deployments.restart', 'environments.delete']

  it('restarts only with a token that is bound to that, and streams its progress', async () => {
    const broad = await clientOf<Devops>(example.get(), 'SVC_DEVELOPER_KEY', { scope })
    const restart = { environment: 'staging', deployment: 'web' } as const
    expect(await broad.restartDeployment(restart)).toMatchObject({
      failure: { type: 'control_requirement_unsatisfied' },
    })
    const bound = await broad.delegate({ scope, capability: 'restart_deployment' })
    if (!bound.success) throw new Error(bound.failure.detail)
    const states: unknown[] = []
    for await (const { payload } of bound.client.streaming.restartDeployment(restart)) states.push(payload)
    expect(states).toHaveLength(3)
  })

  it('makes one call at a time with an exclusive token', async () => {
    const broad = await clientOf<Devops>(example.get(), 'SVC_DEVELOPER_KEY', { scope })
    const bound = await broad.delegate({ scope, capability: 'restart_deployment', concurrent_branches: 'exclusive' })
    if (!bound.success) throw new Error(bound.failure.detail)
    const restart = { environment: 'staging', deployment: 'web' } as const
    const outcomes = await Promise.all(
      Array.from({ length: 4 }, () => bound.client.restartDeployment(restart, { retries: 0 })),
    )
    const failures = outcomes.flatMap((outcome) => (outcome.success ? [] : [outcome.failure.type]))
    expect(failures.length).toBeLessThan(4)
    expect(new Set(failures)).toEqual(new Set(['concurrent_request_rejected']))
  })

  it('lets nobody but the person delete, and asks for an approval where something is up', async () => {
    const person = await clientOf<Devops>(example.get(), 'SVC_DEVELOPER_KEY', { scope })
    const deletion = { environment: 'staging', reference: 'CHG-1' } as const
    expect(await person.deleteEnvironment(deletion)).toMatchObject({ failure: { type: 'approval_required' } })
    const agent = await person.delegate({ scope, subject: 'agent:assistant' })
    if (!agent.success) throw new Error(agent.failure.detail)
    expect(await agent.client.deleteEnvironment(deletion)).toMatchObject({ failure: { type: 'non_delegable_action' } })
  })
})

describe('examples/front-rest', () => {
  let desk: Server
  let address = ''
  const asked: string[] = []
  beforeAll(
    () =>
      new Promise<void>((done) => {
        desk = createServer((request, response) => {
          asked.push(`${request.method} ${request.url} ${request.headers.authorization}`)
          response.writeHead(request.url?.startsWith('/tickets/t-9') ? 404 : 200, {
            'Content-Type': 'application/json',
          })
          response.end(request.method === 'GET' ? '[{"id": "t-1", "subject": "Help", "state": "open"}]' : '{}')
        }).listen(0, '127.0.0.1', () => {
          const bound = desk.address()
          address = typeof bound === 'object' && bound !== null ? `http://127.0.0.1:${bound.port}` : ''
          done()
        })
      }),
  )
  afterAll(() => desk.close())
  const example = running('front-rest', () => ({ DESK_URL: address, DESK_KEY: 'desk-secret' }))

  it('governs an API whose credential no agent sees', async () => {
    const tickets = await clientOf<FrontRest>(example.get(), 'SVC_DEVELOPER_KEY', {
      scope: ['tickets.read', 'tickets.close'],
    })
    expect(await tickets.listTickets()).toMatchObject({ success: true, result: { tickets: [{ id: 't-1' }] } })
    expect(await tickets.closeTicket({ ticket_id: 't-1', answer: 'Done.' })).toMatchObject({ success: true })
    expect(await tickets.closeTicket({ ticket_id: 't-9', answer: 'Done.' })).toMatchObject({
      failure: { type: 'ticket_unknown' },
    })
    expect(asked[0]).toBe('GET /tickets?state=open Bearer desk-secret')
  })

  it.each(['..', '.', '%2e%2e', '.%2E', '', '/', 't-1/../../admin', '..\\', 't-1?x', 't-1#x', ' ', 'x'.repeat(101)])(
    'L4: a ticket called %j reaches nothing of the API',
    async (ticket_id) => {
      const tickets = await clientOf<FrontRest>(example.get(), 'SVC_DEVELOPER_KEY', { scope: ['tickets.close'] })
      const before = asked.length
      expect(await tickets.closeTicket({ ticket_id, answer: 'Done.' })).toMatchObject({
        failure: { type: 'ticket_unknown' },
      })
      expect(asked).toHaveLength(before)
    },
  )

  it('L4: U+0000 in the name of a ticket is refused at the door', async () => {
    const tickets = await clientOf<FrontRest>(example.get(), 'SVC_DEVELOPER_KEY', { scope: ['tickets.close'] })
    const before = asked.length
    expect(await tickets.closeTicket({ ticket_id: 't\u00001', answer: 'Done.' })).toMatchObject({
      failure: { type: 'invalid_parameters' },
    })
    expect(asked).toHaveLength(before)
  })
})

describe('examples/oidc', () => {
  let example: SignedInExample
  beforeAll(async () => void (example = await run()), 60_000)
  afterAll(() => example.stop())
  const clientWith = (credential: string): Documents => example.createClient({ baseUrl: example.url, credential })
  const read = ['documents.read']
  const share = [...read, 'documents.share']

  it('lets people do what their groups entitle them to', async () => {
    const ana = await clientWith(await example.signIn('ana')).delegate({ scope: share })
    if (!ana.success) throw new Error(ana.failure.detail)
    expect(await ana.client.shareDocument({ document_id: 'd-1', with: 'eve@example.org' })).toMatchObject({
      success: true,
      result: { shared_with: ['eve@example.org'], shared_by: 'human:ana@example.org' },
    })
    const ben = clientWith(await example.signIn('ben'))
    expect(await ben.delegate({ scope: share })).toMatchObject({ failure: { type: 'scope_escalation' } })
    expect(await ben.delegate({ scope: read })).toMatchObject({ success: true })
    const guest = clientWith(await example.signIn('guest'))
    expect(await guest.delegate({ scope: read })).toMatchObject({ failure: { type: 'scope_escalation' } })
  })

  it('lets an agent read for a person, but not share', async () => {
    const ana = await clientWith(await example.signIn('ana')).delegate({ scope: share })
    if (!ana.success) throw new Error(ana.failure.detail)
    const agent = await ana.client.delegate({ scope: share, subject: 'agent:assistant' })
    if (!agent.success) throw new Error(agent.failure.detail)
    expect(await agent.client.listDocuments()).toMatchObject({ success: true })
    expect(await agent.client.shareDocument({ document_id: 'd-1', with: 'eve@example.org' })).toMatchObject({
      failure: { type: 'non_delegable_action' },
    })
  })

  it('believes nobody whom the provider did not sign in', async () => {
    expect(await clientWith('made up').delegate({ scope: read })).toMatchObject({
      failure: { type: 'authentication_required' },
    })
  })
})
