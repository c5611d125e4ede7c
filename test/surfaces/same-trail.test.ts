/** S2: each call over MCP leaves exactly the trail of the same call over HTTP, entry by entry, whatever becomes of it. */
import { describe, expect, it } from 'vitest'
import { CAPABILITIES, CLIENTS, startWorld, type World } from './mcp-world.js'

const NOW = Date.parse('2026-11-01T12:00:00.000Z')

interface Made {
  readonly name: string
  readonly args?: object
  readonly key?: string
  readonly about?: { readonly task_id?: string; readonly client_reference_id?: string; readonly parent_invocation_id?: string } // prettier-ignore
  readonly follows?: boolean
  /** Approves what waits before this call. */
  readonly approved?: boolean
}

const CALLS: readonly (readonly [string, Made])[] = [
  ['a result', { name: 'search', args: { city: 'Faro' } }],
  ['an input too few', { name: 'search', args: {} }],
  ['no arguments at all', { name: 'search' }],
  ['an input too many', { name: 'search', args: { city: 'Faro', extra: { a: [1] } } }],
  ['an input of another type', { name: 'search', args: { city: 7 } }],
  ['an unknown tool', { name: 'nothing', args: { city: 'Faro' } }],
  ['a name like ours', { name: 'trip__nothing' }],
  ['a name of a prototype', { name: '__proto__', args: { a: 1 } }],
  ['a tool that is not listed', { name: 'secret' }],
  ['a question', { name: 'ask' }],
  ['a handler that fails', { name: 'search', args: { city: 'Nowhere' } }],
  ['a task and a reference', { name: 'search', args: { city: 'Faro' }, about: { task_id: 't', client_reference_id: 'r' } }],
  ['a parent that is none', { name: 'search', args: { city: 'Faro' }, about: { parent_invocation_id: 'inv-0' } }],
  ['a key', { name: 'search', args: { city: 'Faro' }, key: 'k' }],
  ['the same key', { name: 'search', args: { city: 'Faro' }, key: 'k' }],
  ['the same key for another call', { name: 'search', args: { city: 'Lagos' }, key: 'k' }],
  ['a call that needs an approval', { name: 'trip__book', args: { hotel: 'Ritz' } }],
  ['the same call while it waits', { name: 'trip__book', args: { hotel: 'Ritz' } }],
  ['the same call when it is approved', { name: 'trip__book', args: { hotel: 'Ritz' }, approved: true }],
  ['a bad call that needs an approval', { name: 'trip__book', args: { hotel: 1 } }],
  ['a stream', { name: 'slow', follows: true }],
] // prettier-ignore

const start = async () => {
  const found = ({ city }: { readonly city: string }) => {
    if (city === 'Nowhere') throw new Error('There is no such place.')
    return { found: `Hotels in ${city}` }
  }
  return startWorld({
    clock: () => NOW,
    capabilities: CAPABILITIES as never,
    handlers: {
      search: found,
      'trip.book': ({ hotel }: { readonly hotel: string }) => ({ booked: hotel }),
      slow: async (_: object, { progress }: { readonly progress: (data: unknown) => Promise<void> }) => {
        await progress({ done: 1 })
        return {}
      },
    },
  })
}

async function approvePending(world: World): Promise<void> {
  const { body } = await world.fixture.call('GET', '/svc/approval_requests?status=pending', { bearer: 'bob-key' })
  for (const { approval_request_id } of body['approval_requests'] as unknown as { approval_request_id: string }[])
    await world.approve(approval_request_id)
}

async function overHttp(world: World, { name, args = {}, about, key, follows }: Made): Promise<void> {
  const capability = name === 'trip__book' ? 'trip.book' : name
  const response = await fetch(`${world.url}/svc/invoke/${capability}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${world.token}`,
      'content-type': 'application/json',
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    body: JSON.stringify({ parameters: args, approval: 'continue', ...about, ...(follows && { stream: true }) }),
  })
  await response.text()
}

/** The whole trail, oldest first; what is drawn by chance is named by the order in which it appears. */
async function trailOf(world: World): Promise<readonly string[]> {
  const { token } = await world.fixture.root()
  const entries = (await world.fixture.trail(token, '?limit=1000')).toReversed()
  const names = new Map<string, string>()
  const named = (value: string) => {
    if (!names.has(value)) names.set(value, `<${names.size}>`)
    return names.get(value)!
  }
  return entries.map((entry) =>
    JSON.stringify(entry, (_, value: unknown) =>
      typeof value !== 'string' ? value : DRAWN.test(value) ? named(value) : value.replaceAll(REQUEST, named),
    ),
  )
}

/** The id of a request within a sentence. */
const REQUEST = /\bapr_[\w-]{16,}/gu

/** Ids, and the hashes over them. */
const DRAWN = /^(?:inv-[0-9a-f]{12,}|[a-z]{3,5}_[\w-]{16,})$/u

describe.each(CLIENTS)('S2: a client of the %s era over %s', (_, over, connect) => {
  it('leaves the trail that HTTP leaves', async () => {
    const [mcp, http] = [await start(), await start()]
    const agent = await connect(mcp, { over })
    for (const [what, made] of CALLS) {
      if (made.approved === true) await Promise.all([approvePending(mcp), approvePending(http)])
      const { key, about = {} } = made
      const ours = Object.entries({ ...about, ...(key !== undefined && { idempotency_key: key }) })
      const meta = Object.fromEntries(ours.map(([name, value]) => [`svc-kit/${name}`, value]))
      await agent.call(made.name, made.args, meta, made.follows === true ? () => undefined : undefined)
      await overHttp(http, made)
      const [left, right] = [await trailOf(mcp), await trailOf(http)]
      expect(left, what).toEqual(right)
    }
    expect((await trailOf(mcp)).length).toBeGreaterThan(CALLS.length)
  })
})
