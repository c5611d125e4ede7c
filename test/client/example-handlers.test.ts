/** What the handlers of the examples do, one call after another, and how they fail. */
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { deploymentsOf } from '../../examples/devops/src/deployments.js'
import * as devops from '../../examples/devops/src/handlers/index.js'
import { useDesk } from '../../examples/front-rest/src/desk.js'
import * as desk from '../../examples/front-rest/src/handlers/index.js'
import { getStatus } from '../../examples/minimal/src/handlers/index.js'
import { entitlements } from '../../examples/oidc/src/entitlements.js'
import * as documents from '../../examples/oidc/src/handlers/index.js'
import { actorPolicy } from '../../examples/pipeline/src/actor-policy.js'
import * as pipeline from '../../examples/pipeline/src/handlers/index.js'
import { resolveRegion } from '../../examples/pipeline/src/regions.js'
import * as refunds from '../../examples/refunds/src/handlers/index.js'
import { testContext } from '../../src/runtime/testing/index.js'

/** Where the bookings of examples/travel are; read when its handlers are loaded. */
const BOOKINGS = join(mkdtempSync(join(tmpdir(), 'svc-bookings-')), 'bookings.json')
vi.stubEnv('SVC_BOOKINGS', BOOKINGS)
afterAll(() => {
  vi.unstubAllEnvs()
  rmSync(dirname(BOOKINGS), { recursive: true })
})
const travel = await import('../../examples/travel/src/handlers/index.js')

/** The context of a call, whatever its handler is given. */
const context = (invocation_id = 'inv-1', facts: object = {}) =>
  testContext({ invocation: { invocation_id }, ...facts } as object)
const within = (made: ReturnType<typeof context>) => made.context as never

/** What a handler gives back, or how it fails. */
async function told(call: () => unknown): Promise<unknown> {
  try {
    return await call()
  } catch (error) {
    const { type, message } = error as { readonly type: string; readonly message: string }
    return [type, message]
  }
}

describe('examples/refunds', () => {
  const call = (handler: (input: never, context: never) => unknown, input: object, made = context()) =>
    told(() => handler(input as never, within(made)))

  it('refunds what is left of an order, to the cent, and takes a refund back', async () => {
    const made = context('inv-a')
    const order = { order_id: 'o-2', reason: 'late' }
    expect(await call(refunds.refundOrder, { ...order, amount: 0.1 }, made)).toEqual({ refund_id: 'r-inv-a', order_id: 'o-2', amount: 0.1 })
    expect(made.cost()).toEqual({ currency: 'EUR', amount: 0.1 })
    expect(await call(refunds.refundOrder, { ...order, amount: 0.2 }, context('inv-b'))).toMatchObject({ amount: 0.2 })
    expect(await call(refunds.readOrder, { order_id: 'o-2' })).toEqual({ order_id: 'o-2', paid: 35.5, refunded: 0.3 })
    expect(await call(refunds.refundOrder, { ...order, amount: 35.21 }, context('inv-c'))).toEqual(['too_much', 'At most 35.2 EUR can be refunded.'])
    expect(await call(refunds.refundOrder, { ...order, amount: 35.2 }, context('inv-c'))).toMatchObject({ amount: 35.2 })
    expect(await call(refunds.cancelRefund, { refund_id: 'r-inv-c' })).toEqual({ refund_id: 'r-inv-c', state: 'cancelled' })
    expect(await call(refunds.readOrder, { order_id: 'o-2' })).toMatchObject({ refunded: 0.3 })
    expect(await call(refunds.readOrder, { order_id: 'o-1' })).toMatchObject({ refunded: 0 })
  }) // prettier-ignore

  it('fails for what is not there, and for nothing or less', async () => {
    expect(await call(refunds.readOrder, { order_id: 'o-9' })).toEqual(['order_unknown', 'There is no order o-9.'])
    expect(await call(refunds.refundOrder, { order_id: 'o-9', amount: 1 })).toEqual(['order_unknown', 'There is no order o-9.']) // prettier-ignore
    expect(await call(refunds.cancelRefund, { refund_id: 'r-9' })).toEqual(['refund_unknown', 'There is no refund r-9.']) // prettier-ignore
    for (const amount of [0, -1])
      expect(await call(refunds.refundOrder, { order_id: 'o-1', amount })).toEqual(['too_much', 'At most 240 EUR can be refunded.']) // prettier-ignore
  })
})

describe('examples/travel', () => {
  const price = { currency: 'EUR', amount: 90 }
  const booked = () =>
    travel.bookFlight(
      { quote_id: 'bnd_1', passengers: 1 },
      within(context('inv-1', { bound: { quote_id: { price, data: { flight: 'TP534', passengers: 1 } } } })),
    )
  const refund = (booking_id: string) =>
    told(() => travel.refundBooking({ booking_id, reason: 'mistake' }, within(context())))

  it('refunds a booking once, at its full price, and keeps that', async () => {
    const { booking_id } = await booked()
    expect(await refund(booking_id)).toEqual({ booking_id, refunded: price })
    expect(await refund(booking_id)).toEqual(['already_refunded', `${booking_id} was refunded before.`])
    expect(await refund('bkg_none')).toEqual(['booking_unknown', 'There is no booking bkg_none.'])
    expect(await travel.getBooking({ booking_id }, within(context()))).toMatchObject({ price, state: 'refunded' })
    expect(JSON.parse(readFileSync(BOOKINGS, 'utf8'))).toMatchObject([{ booking_id, state: 'refunded' }])
  })

  it.each(
    readdirSync('templates/travel/src', { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.tmpl') && existsSync(join('examples/travel/src', file.replace('.tmpl', ''))),
    ),
  )('is what svc init writes: %s', (file) => {
    const written = readFileSync(join('templates/travel/src', file), 'utf8')
    const example = readFileSync(join('examples/travel/src', file.replace('.tmpl', '')), 'utf8')
    expect(written.replaceAll(/^\{\{.*\}\}\n/gmu, '')).toBe(example)
  })
})

describe('examples/pipeline', () => {
  it('reads the report that was written, and no other', async () => {
    const made = context('inv-7')
    expect(await pipeline.writeReport({ title: 'Spring', pages: 2 } as never, within(made))).toEqual({ report_id: 'rep-inv-7', pages: 2 }) // prettier-ignore
    expect(made.progress).toEqual([
      { page: 1, of: 2 },
      { page: 2, of: 2 },
    ])
    expect(await told(() => pipeline.readReport({ report_id: 'rep-inv-7' }, within(made)))).toEqual({ title: 'Spring', pages: 2 }) // prettier-ignore
    expect(await told(() => pipeline.readReport({ report_id: 'rep-1' }, within(made)))).toEqual(['report_unknown', 'There is no report rep-1.']) // prettier-ignore
  })

  it('writes no page more once it was stopped', async () => {
    const made = context('inv-8', { signal: AbortSignal.abort(new Error('enough')) })
    await expect(pipeline.writeReport({ title: 'Spring', pages: 2 } as never, within(made))).rejects.toThrow('enough')
    expect(made.progress).toEqual([])
  })

  it('computes a line for each account, and shows them where they are asked for', async () => {
    const asked = { region: 'emea-north', quarter: 'q1', currency: 'EUR' }
    const compute = (detail: string) => pipeline.computeFigures({ ...asked, detail } as never, within(context()))
    expect(await compute('long')).toEqual({ revenue: 1200, currency: 'EUR', lines: [{ account: 'Nordlys', quarter: 'q1', revenue: 700 }, { account: 'Fjord', quarter: 'q1', revenue: 500 }] }) // prettier-ignore
    expect(await compute('short')).toEqual({ revenue: 1200, currency: 'EUR', lines: [] })
  })

  it.each([
    ['emea-north', { value: 'emea-north' }],
    ['EMEA-South', { value: 'emea-south' }],
    ['Nordics', { value: 'emea-north' }],
    ['north', { value: 'emea-north' }],
    ['south', { value: 'emea-south' }],
    ['iberia', { value: 'emea-south' }],
    ['asia', { value: 'apac' }],
    ['Pacific', { value: 'apac' }],
    ['europe', { ambiguous: ['emea-north', 'emea-south'] }],
    ['moon', { unresolved: true }],
  ])('means by %s %j', async (value, meant) => {
    expect(await resolveRegion({ value } as never)).toEqual(meant)
  })

  it.each([
    ['tenant', 'human:ana@acme.example', 'acme.example'],
    ['tenant', 'agent:desk', 'default'],
    ['currency', 'human:ana@acme.example', 'EUR'],
    ['region', 'human:ana@acme.example', undefined],
  ])('takes %s of %s as %s', async (input, root_principal, value) => {
    expect(await actorPolicy({ input, token: { root_principal } } as never)).toBe(value)
  })
})

describe('examples/devops', () => {
  const target = { environment: 'staging', deployment: 'web' } as never

  it('lists each deployment with its state, also while one restarts', async () => {
    const list = (environment: string) => devops.listDeployments({ environment } as never, within(context()))
    expect(await list('production')).toEqual({ deployments: [{ name: 'web', state: 'up' }, { name: 'worker', state: 'up' }, { name: 'search', state: 'down' }] }) // prettier-ignore
    const made = context()
    const restarting = devops.restartDeployment(target, within(made))
    expect(deploymentsOf('staging').get('web')).toBe('stopping')
    expect(await restarting).toEqual({ deployment: 'web', state: 'up' })
    expect(made.progress).toEqual(['stopping', 'starting', 'up'].map((state) => ({ deployment: 'web', state })))
    expect(await told(() => devops.restartDeployment({ environment: 'staging', deployment: 'search' } as never, within(context())))).toEqual(['deployment_unknown', 'staging has no search.']) // prettier-ignore
  })

  it('asks before it deletes what has deployments, and not for what is empty', async () => {
    const remove = (approval?: object) => devops.deleteEnvironment({ environment: 'staging', reference: 'CHG-1' } as never, within(context('inv-1', approval && { approval }))) // prettier-ignore
    expect(() => remove()).toThrow(expect.objectContaining({ name: 'ApprovalAsked', preview: { environment: 'staging', deployments: ['web', 'worker'] } })) // prettier-ignore
    expect(await remove({ grant_id: 'grt_1' })).toEqual({ environment: 'staging', deleted: 2 })
    expect(await remove()).toEqual({ environment: 'staging', deleted: 0 })
  })
})

describe('examples/front-rest', () => {
  /** A help desk that answers so, and what it was asked. */
  async function deskThat(status: number, headers: { readonly [name: string]: string } = {}) {
    const asked: unknown[] = []
    const server = createServer((request, response) => {
      request.setEncoding('utf8').on('data', (body: string) => asked.push(JSON.parse(body)))
      request.on('end', () => response.writeHead(status, headers).end('[{"id":"t-1"}]'))
      asked.push(`${request.method} ${request.url} ${request.headers.authorization}`)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => (server.closeAllConnections(), void server.close()))
    useDesk({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, key: 'secret' })
    return asked
  }
  const close = () => told(() => desk.closeTicket({ ticket_id: 't-1', answer: 'Done.' }, within(context())))
  const list = () => told(() => desk.listTickets({ state: 'closed' } as never, within(context())))

  it('asks for the tickets of a state, and closes one with its answer', async () => {
    const asked = await deskThat(200)
    expect([await list(), await close()]).toEqual([{ tickets: [{ id: 't-1' }] }, { ticket_id: 't-1', state: 'closed' }])
    expect(asked).toEqual(['GET /tickets?state=closed Bearer secret', 'POST /tickets/t-1/close Bearer secret', { answer: 'Done.' }]) // prettier-ignore
  })

  it.each<[number, { readonly [name: string]: string }]>([
    [500, {}],
    [401, {}],
    [302, { location: 'http://127.0.0.1:1/' }],
  ])('says of a desk that answers %i that it did not', async (status, headers) => {
    await deskThat(status, headers)
    const failed = ['desk_unavailable', 'The help desk did not answer.']
    expect([await list(), await close()]).toEqual([failed, failed])
  })

  it('says that a ticket is unknown where the desk does', async () => {
    await deskThat(404)
    expect(await close()).toEqual(['ticket_unknown', 'There is no ticket t-1.'])
  })
})

describe('examples/oidc', () => {
  it.each([
    [{ groups: ['readers'] }, ['documents.read']],
    [{ groups: ['editors', 'readers'] }, ['documents.read', 'documents.share']],
    [{ groups: ['others'] }, []],
    [{ groups: 'readers' }, []],
    [{}, []],
  ])('entitles %j to %j', (claims, scopes) => {
    expect(entitlements(claims)).toEqual({ scopes })
  })

  it('shares a document with each person once, in the name of whose token it is', async () => {
    const share = (document_id: string) =>
      told(() => documents.shareDocument({ document_id, with: 'eve@example.org' }, within(context('inv-1', { token: { root_principal: 'human:ana' } })))) // prettier-ignore
    const shared = { document_id: 'd-2', shared_with: ['all@example.org', 'eve@example.org'], shared_by: 'human:ana' }
    expect([await share('d-2'), await share('d-2')]).toEqual([shared, shared])
    expect(await share('d-9')).toEqual(['document_unknown', 'There is no document d-9.'])
    expect(await documents.listDocuments({} as never, within(context()))).toEqual({
      documents: [
        { document_id: 'd-1', title: 'Budget', shared_with: [] },
        { document_id: 'd-2', title: 'Menu of the canteen', shared_with: ['all@example.org', 'eve@example.org'] },
      ],
    })
  })
})

it('examples/minimal says since when it is up, and its memory where that is asked for', async () => {
  vi.spyOn(process, 'memoryUsage').mockReturnValue({ rss: 10 * 2 ** 20 } as never)
  onTestFinished(() => void vi.restoreAllMocks())
  const status = (verbose: boolean) => getStatus({ verbose } as never, within(context()))
  expect(await status(true)).toMatchObject({ state: 'up', memory_megabytes: 10 })
  expect(await status(false)).toMatchObject({ state: 'up', memory_megabytes: null })
})
