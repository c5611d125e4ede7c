/** N28: what one token may write is bounded in bytes, and so is each reading of it (decisions, section 20). */
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { digestOf } from '../../src/crypto/json/digest.js'
import { exportLines } from '../../src/runtime/checkpoints/export.js'
import { makeCheckpoint } from '../../src/runtime/checkpoints/make.js'
import { sealFor } from '../../src/runtime/storage/seal.js'
import { PAGE_BYTES } from '../../src/runtime/limits.js'
import { signerFor, verificationKeys } from '../../src/crypto/keys/key-ring.js'
import type { StoredRequest } from '../../src/runtime/storage/stored-request.js'
import { capability, input, ONE_TIME } from '../runtime/fixture/manifest.js'
import { API_KEYS, startFixture, type Fixture } from '../runtime/fixture/service.js'
import { draft, request } from '../runtime/storage/examples.js'

const MB = 1_000_000
const KIB = 1024
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

const AUDITOR = {
  id: 'aud',
  principal: 'human:aud',
  roles: ['auditor', 'operator'],
  sha256: sha256('aud-key'),
} as const
const MANY = Array.from({ length: 20 }, (_, at) => `field_${at}`)

const capabilities = {
  say: capability({ inputs: [input('text', { type: 'any' })], observability: { logged: true, fields_logged: ['text'] } }),
  many: capability({ inputs: MANY.map((name) => input(name, { type: 'any' })), observability: { logged: true, fields_logged: MANY } }),
  book: capability({
    inputs: [input('text'), input('more', { required: false })],
    approval: { required: 'always', grant_policy: ONE_TIME },
  }),
} as const // prettier-ignore

const start = () => startFixture({ capabilities, apiKeys: [...API_KEYS, AUDITOR] })

/** The newest entry of a call, and the bytes of its text. */
async function entryOf({ storage }: Fixture) {
  const [{ text } = { text: null }] = await storage.audit.texts(await storage.audit.size(), 1)
  return { entry: JSON.parse(text!) as { [name: string]: never }, bytes: Buffer.byteLength(text!) }
}

describe('N28 an entry', () => {
  it.each([
    ['a text', 'x'.repeat(900_000)],
    ['characters that are escaped', '"\\\u0001'.repeat(60_000)],
    ['characters of four bytes', '😀'.repeat(200_000)],
    ['a list', Array.from({ length: 20_000 }, (_, at) => at)],
    ['an object', { deep: { text: 'é'.repeat(100_000) } }],
  ])('keeps of %s of a field the beginning, the length and the digest: 8 KiB', async (_, text) => {
    const fixture = await start()
    const { token } = await fixture.root()
    expect((await fixture.invoke('say', token, { parameters: { text } })).status).toBe(200)
    const { entry } = await entryOf(fixture)
    const kept = entry['parameters']!['text'] as { readonly begins: string }
    const bytes = Buffer.byteLength(JSON.stringify(text))
    expect(kept).toMatchObject({ cut: true, bytes, digest: digestOf(text) })
    expect(kept.begins.length).toBeGreaterThan(1_500)
    expect(JSON.stringify(text).startsWith(kept.begins)).toBe(true)
    expect(Buffer.byteLength(JSON.stringify(kept))).toBeLessThanOrEqual(8 * KIB)
  })

  it('of many large fields takes 64 KiB at most', async () => {
    const fixture = await start()
    const { token } = await fixture.root()
    const parameters = Object.fromEntries(MANY.map((name) => [name, 'x'.repeat(40_000)]))
    expect((await fixture.invoke('many', token, { parameters })).status).toBe(200)
    const { entry, bytes } = await entryOf(fixture)
    expect(Object.keys(entry['parameters']!)).toEqual(MANY.toSorted())
    expect(bytes).toBeLessThanOrEqual(64 * KIB)
  })

  it('of what fits says all of it', async () => {
    const fixture = await start()
    const { token } = await fixture.root()
    const parameters = { text: 'x'.repeat(8 * KIB - 2) }
    await fixture.invoke('say', token, { parameters })
    expect((await entryOf(fixture)).entry['parameters']).toEqual(parameters)
  })

  it('of a failure with a long detail keeps its beginning, length and digest', async () => {
    const fixture = await start()
    const detail = 'é'.repeat(100_000)
    await fixture.service.record({ draft: draft({ success: false, failure_type: 'internal_error', detail }) })
    const { entry, bytes } = await entryOf(fixture)
    expect(entry['detail']).toMatch(/^é{1000,}… \(cut: 200000 bytes, sha256:[0-9a-f]{64}\)$/u)
    expect(bytes).toBeLessThanOrEqual(9 * KIB)
  })
})

describe('N28 a call that asks for an approval', () => {
  it.each([
    [65_000, '403 approval_required'],
    [65_536, '413 payload_too_large'],
    [900_000, '413 payload_too_large'],
  ])('with %i bytes of parameters is %s', async (length, outcome) => {
    const fixture = await start()
    const { token } = await fixture.root()
    const { status, body } = await fixture.invoke('book', token, { parameters: { text: 'x'.repeat(length) } })
    expect(`${status} ${String(body['failure']?.['type'])}`).toBe(outcome)
    const pending = await fixture.storage.approvals.list({ limit: 9 })
    expect(pending.length).toBe(outcome.startsWith('413') ? 0 : 1)
  })
})

const UNBOUNDED = { auditEntryBytes: Infinity, auditFieldBytes: Infinity }

/** A trail with ten entries of a megabyte each, as versions before could write them. */
async function withLargeEntries(): Promise<Fixture & { readonly token: string }> {
  const fixture = await start()
  const { token } = await fixture.root()
  const seal = sealFor(() => undefined, UNBOUNDED)
  for (let at = 0; at < 10; at++)
    await fixture.storage.audit.append(() => [{ draft: draft({ root_principal: 'human:ana', parameters: { at, text: 'x'.repeat(MB) } }) }], seal)
  return { ...fixture, token }
} // prettier-ignore

/** The numbers of large entries that the pages have, in order, and the bytes of the largest page. */
async function pagesOf({ fetch }: Fixture, path: string, bearer: string) {
  const [found, sizes]: [unknown[], number[]] = [[], []]
  for (let cursor = ''; ;) {
    const answer = await fetch(new Request(`http://127.0.0.1:4100${path}?limit=1000${cursor}`, { method: 'POST', headers: { authorization: `Bearer ${bearer}` } })) // prettier-ignore
    const text = await answer.text()
    sizes.push(text.length)
    const { entries, next_cursor } = JSON.parse(text) as {
      readonly entries: readonly { readonly parameters: { readonly at?: number } }[]
      readonly next_cursor?: string
    }
    found.push(...entries.flatMap(({ parameters }) => parameters.at ?? []))
    if (next_cursor === undefined || sizes.length > 20) return { found, most: Math.max(...sizes), pages: sizes.length }
    cursor = `&cursor=${next_cursor}`
  }
}

const ALL = Array.from({ length: 10 }, (_, at) => 9 - at)

describe('N28 large entries of a version before are read by bytes', () => {
  it('in the log, from either end', async () => {
    const { storage } = await withLargeEntries()
    const oldest = await storage.audit.texts(2, 2_000)
    const newest = await storage.audit.newest(undefined, 500)
    expect([oldest.length, newest.length]).toEqual([4, 4])
    expect((await storage.audit.texts(2, 1)).length).toBe(1)
  })

  it.each([
    ['/svc/audit', 'its holder'],
    ['/-/audit', 'an auditor'],
  ])('by %s for %s', async (path) => {
    const fixture = await withLargeEntries()
    const read = await pagesOf(fixture, path, path === '/svc/audit' ? fixture.token : 'aud-key')
    expect(read.found).toEqual(ALL)
    expect(read.most).toBeLessThan(PAGE_BYTES + 2 * MB)
    expect(read.pages).toBeGreaterThan(2)
  })

  it('by an export, which has each of them once', async () => {
    const { service, storage } = await withLargeEntries()
    const ring = service.keys.ring()
    const keys = verificationKeys(ring, 'audit', service.now())
    await makeCheckpoint({
      storage,
      signer: () => signerFor(ring, 'audit'),
      keys: () => keys,
      clock: service.now,
      newId: () => 'ckp_1',
    })
    const lines: string[] = []
    for await (const line of exportLines({
      storage,
      signer: signerFor(ring, 'audit'),
      keys: keys.map(({ publicJwk }) => publicJwk),
      serviceId: service.id,
      exportedAt: '2026-03-01T12:00:00.000Z',
      from: 1,
    }))
      lines.push(line)
    const entries = lines.map((line) => JSON.parse(line) as { type?: string; sequence: number })
    const sequences = entries.flatMap(({ type, sequence }) => (type === 'entry' ? sequence : []))
    expect(sequences).toEqual(Array.from({ length: 11 }, (_, at) => at + 1))
  })

  it('by the watch of counters, which misses none', async () => {
    const { service, storage } = await withLargeEntries()
    const asked: (readonly number[])[] = []
    const { texts } = storage.audit
    Object.assign(storage.audit, {
      texts: async (from: number, limit: number) => {
        const found = await texts(from, limit)
        asked.push(found.map(({ sequence }) => sequence))
        return found
      },
    })
    await service.counters.compare()
    expect(asked.flat()).toEqual(Array.from({ length: 11 }, (_, at) => at + 1))
    expect(Math.max(...asked.map((page) => page.length))).toBeLessThanOrEqual(5)
  })
})

describe('N28 large requests of a version before are listed by bytes', () => {
  it.each([
    ['/svc/approval_requests', ''],
    ['/svc/approval_requests', '&status=pending'],
    ['/-/approval_requests', ''],
  ])('%s?limit=1000%s', async (path, query) => {
    const { storage, call, time } = await start()
    const ids: string[] = []
    for (let at = 0; at < 10; at++) {
      const large: Partial<StoredRequest> = { requested_parameters: { text: 'x'.repeat(MB) }, requested_parameters_digest: `sha256:${at}` }
      ids.push((await openOne(storage, large)).approval_request_id)
      time.now += 1
    }
    const [found, pages]: [unknown[], number[]] = [[], []]
    for (let cursor = ''; ;) {
      const { body } = await call('GET', `${path}?limit=1000${query}${cursor}`, { bearer: path.startsWith('/svc') ? 'bob-key' : 'aud-key' })
      const page = body['approval_requests'] as unknown as readonly StoredRequest[]
      pages.push(page.length)
      found.push(...page.map((each) => each.approval_request_id))
      if (body['next_cursor'] === undefined || pages.length > 20) break
      cursor = `&cursor=${String(body['next_cursor'])}`
    }
    expect(found).toEqual(ids.toReversed())
    expect(Math.max(...pages)).toBe(4)
  }) // prettier-ignore
})

async function openOne(storage: Fixture['storage'], part: Partial<StoredRequest>): Promise<StoredRequest> {
  const made = await request(storage, 'planner', 3600_000, part)
  const limits = { pending: 100, pendingOfChain: 100, pendingOfRoot: 100, perMinute: 100 }
  await storage.approvals.open(made, limits, undefined)
  return made
}
