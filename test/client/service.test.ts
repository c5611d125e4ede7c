import { once } from 'node:events'
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Client } from '../../examples/travel/generated/client.js'
import { build } from '../../src/cli/build/run.js'
import { init } from '../../src/cli/init/run.js'

interface Module {
  createClient(options: { baseUrl: string; credential: string }): Client
}

let folder: string
let server: ChildProcess
let baseUrl: string
let keys: { readonly [name: string]: string }
let createClient: Module['createClient']

beforeAll(async () => {
  for (const stream of [process.stdout, process.stderr]) vi.spyOn(stream, 'write').mockReturnValue(true)
  folder = join(mkdtempSync(join(tmpdir(), 'svc-client-')), 'travel')
  await init(folder, { yes: true, template: 'travel' })
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(resolve('.'), join(folder, 'node_modules/svc-kit'), 'junction')
  await build(folder, { check: false, force: false })
  vi.restoreAllMocks()
  keys = Object.fromEntries(
    [...readFileSync(join(folder, '.env'), 'utf8').matchAll(/^(\w+)=(.+)$/gmu)].map(([, name = '', key = '']) => [
      name,
      key,
    ]),
  )
  server = spawn(process.execPath, ['dist/server.mjs'], {
    cwd: folder,
    env: { ...process.env, PORT: '0', SVC_DEVELOPMENT: 'true' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  baseUrl = await new Promise((found) => {
    server.stdout?.on('data', (data: Buffer) => {
      const url = /listens on (http\S+)/u.exec(data.toString())?.[1]
      if (url !== undefined) found(url)
    })
  })
  ;({ createClient } = (await import(pathToFileURL(join(folder, 'dist/client/index.js')).href)) as Module)
})

afterAll(async () => {
  server.kill()
  await once(server, 'exit')
  rmSync(resolve(folder, '..'), { recursive: true, force: true, maxRetries: 20 })
})

const developer = () => createClient({ baseUrl, credential: keys['SVC_DEVELOPER_KEY'] ?? '' })
/** All that the service publishes: here nobody stands between. */
const publishedKids = async (): Promise<readonly string[]> => {
  const { keys: published } = (await (await fetch(`${baseUrl}/.well-known/jwks.json`)).json()) as {
    readonly keys: readonly { readonly kid: string }[]
  }
  return published.map(({ kid }) => kid)
}
const approver = () => createClient({ baseUrl, credential: keys['SVC_APPROVER_KEY'] ?? '' })

/** An agent with a narrow token of the developer's. */
async function agent(max_amount = 300): Promise<Client> {
  const scope = ['travel.search', 'travel.book']
  const root = await developer().delegate({ scope, budget: { currency: 'EUR', max_amount: 1000 } })
  if (!root.success) throw new Error(root.failure.detail)
  const child = await root.client.delegate({
    scope,
    subject: 'agent:assistant',
    budget: { currency: 'EUR', max_amount },
  })
  if (!child.success) throw new Error(child.failure.detail)
  return child.client
}

async function quoteFor(client: Client): Promise<string> {
  const found = await client.searchFlights({ origin: 'LIS', destination: 'BER', date: '2030-05-01' })
  if (!found.success) throw new Error(found.failure.detail)
  return String(found.result.quote_id)
}

describe('the generated client, against a built service', () => {
  it('finds the tools and the OpenAPI document as they were built', async () => {
    const textOf = async (path: string): Promise<string> => (await fetch(`${baseUrl}${path}`)).text()
    expect(await textOf('/tools.json')).toBe(readFileSync(join(folder, 'dist/tools.json'), 'utf8'))
    expect(await textOf('/openapi.json')).toBe(readFileSync(join(folder, 'dist/openapi.json'), 'utf8'))
    const { manifest } = await developer().manifest({ pinnedKeys: await publishedKids() })
    const { toolsSha256 } = (await import(pathToFileURL(join(folder, 'generated/tools.ts')).href)) as {
      toolsSha256: string
    }
    expect(manifest['manifest_metadata']).toMatchObject({ 'x-tools-sha256': toolsSha256 })
  })

  it('searches, waits for an approval, books and reads the trail', async () => {
    const client = await agent()
    const booking = client.bookFlight({ quote_id: await quoteFor(client), passengers: 1 }, { approval: 'wait' })
    const pending = await untilOne(approver())
    const granted = await approver().approvals.grant({ approval_request_id: pending, grant_type: 'one_time' })
    expect(granted).toMatchObject({ success: true, result: { approver: 'human:approver@localhost' } })
    const booked = await booking
    expect(booked).toMatchObject({
      success: true,
      result: { flight: 'SK 210', price: { currency: 'EUR', amount: 129 } },
      budget_context: { budget_max: 300 },
    })
    const trail = await client.audit({ capability: 'book_flight', success: true, limit: 1 })
    expect(trail).toMatchObject({
      success: true,
      result: { entries: [{ entry_type: 'invocation', event_class: 'high_risk_success' }] },
    })
  })

  it('has one effect under one key, however often it waits', async () => {
    const client = await agent()
    const options = { approval: 'wait', idempotency_key: 'one-trip' } as const
    const quote_id = await quoteFor(client)
    const booking = client.bookFlight({ quote_id, passengers: 1 }, options)
    await approver().approvals.grant({ approval_request_id: await untilOne(approver()), grant_type: 'one_time' })
    const [booked, again] = [await booking, await client.bookFlight({ quote_id, passengers: 1 }, options)]
    expect(booked.success).toBe(true)
    expect(again).toEqual(booked)
  })

  it('is refused over budget, as a value that a switch can exhaust', async () => {
    const client = await agent(100)
    const outcome = await client.bookFlight({ quote_id: await quoteFor(client), passengers: 1 })
    expect(outcome).toMatchObject({ success: false, failure: { type: 'budget_exceeded' } })
  })

  it('learns of a denial', async () => {
    const client = await agent()
    const booking = client.bookFlight({ quote_id: await quoteFor(client), passengers: 1 }, { approval: 'wait' })
    await approver().approvals.deny(await untilOne(approver()), 'not this week')
    expect(await booking).toMatchObject({
      failure: { type: 'approval_denied', decision: { status: 'denied', reason: 'not this week' } },
    })
  })

  it('verifies the manifest, and refuses a key that is not pinned', async () => {
    const pinnedKeys = await publishedKids()
    const { kid, manifest } = await developer().manifest({ pinnedKeys })
    expect(manifest).toMatchObject({ service_identity: { id: 'travel', 'x-keys': { [kid]: { role: 'manifest' } } } })
    await expect(developer().manifest()).rejects.toThrow('No key is pinned')
    for (const other of pinnedKeys.filter((each) => each !== kid))
      await expect(developer().manifest({ pinnedKeys: [other] })).rejects.toThrow('which is not pinned')
    await expect(developer().manifest({ pinnedKeys: ['other'] })).rejects.toThrow('which is not pinned')
  })

  it('sees what its token may do, and revokes it', async () => {
    const client = await agent()
    expect(await client.permissions()).toMatchObject({ success: true, result: { denied: [] } })
    const token = await developer().delegate({ scope: ['travel.search'] })
    if (!token.success) throw new Error(token.failure.detail)
    expect(await developer().revoke(token.token.token_id)).toMatchObject({ success: true, result: { revoked: true } })
    expect(await token.client.getDestination({ airport: 'BER' })).toMatchObject({ failure: { type: 'token_revoked' } })
  })

  it('raises a failure of the business', async () => {
    const client = await agent()
    expect(await client.getBooking({ booking_id: 'none' })).toMatchObject({
      success: false,
      failure: { type: 'booking_unknown' },
    })
  })
})

/** The one request that waits, as soon as it does. */
async function untilOne(client: Client): Promise<string> {
  for (;;) {
    const page = await client.approvals.list({ status: 'pending' })
    const [first] = page.success ? page.result.approval_requests : []
    if (first !== undefined) return first.approval_request_id
    await new Promise((done) => setTimeout(done, 20))
  }
}
