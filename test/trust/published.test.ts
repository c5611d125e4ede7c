/** Threats to what is published, over HTTP: checkpoints (C), keys (J) and the manifest (M). */
import { describe, expect, it } from 'vitest'
import { readJwks } from '../../src/crypto/keys/jwk.js'
import { jwksOf, ringKeysOf } from '../../src/crypto/keys/key-ring.js'
import { manifestDigest, verifyManifest } from '../../src/crypto/jws/published-manifest.js'
import { judgeCheckpoint } from '../../src/crypto/merkle/checkpoint-proofs.js'
import { isNoteSignedBy, readNote } from '../../src/crypto/trail/signed-note.js'
import type { JsonObject } from '../../src/protocol/manifest.js'
import { fetchHandler, maintain } from '../../src/runtime/index.js'
import { KEYS, startFixture } from '../runtime/fixture/service.js'

const AUDIT = KEYS.keys.filter(({ role }) => role === 'audit')

async function published() {
  const fixture = await startFixture()
  const rest = maintain(fixture.service)
  const { token } = await fixture.root()
  const ids: string[] = []
  for (let count = 0; count < 5; count++)
    ids.push((await fixture.invoke('search', token)).body['invocation_id'] as never)
  await rest()
  const handle = fetchHandler(fixture.service)
  const get = (path: string, headers: { readonly [name: string]: string } = {}) =>
    handle(new Request(`http://localhost${path}`, { headers }))
  const { checkpoints } = (await (await get('/svc/checkpoints')).json()) as {
    checkpoints: readonly { checkpoint_id: string }[]
  }
  return { ...fixture, ids, get, path: `/svc/checkpoints/${checkpoints[0]!.checkpoint_id}` }
}

describe('checkpoints', () => {
  it('C01: any member changed is refused by who has the audit key alone', async () => {
    const { get, path } = await published()
    const checkpoint = (await (await get(path)).json()) as JsonObject
    expect(judgeCheckpoint(checkpoint, AUDIT).findings).toEqual([])
    for (const [name, member] of Object.entries(checkpoint)) {
      const changed = typeof member === 'number' ? member + 1 : `${String(member)}0`
      expect(judgeCheckpoint({ ...checkpoint, [name]: changed }, AUDIT).findings).not.toEqual([])
    }
  })

  it('C02: every acknowledged invocation has an inclusion proof', async () => {
    const { get, path, ids } = await published()
    for (const id of ids) {
      const detail = (await (await get(`${path}?invocation_id=${id}`)).json()) as JsonObject
      expect(detail['inclusion_proof']).toBeDefined()
      expect(judgeCheckpoint(detail, AUDIT).findings).toEqual([])
    }
  })

  it.each([
    ['/svc/checkpoints/..%2f..%2fetc', 404], ["/svc/checkpoints/' or 1=1 --", 404], [`/svc/checkpoints/${'x'.repeat(5000)}`, 404],
    ['/svc/checkpoints/__proto__', 404], ['/svc/checkpoints/ckp_unknown', 404], ['/svc/checkpoints?limit=0', 400], ['/svc/checkpoints?limit=1e9', 400], ['/svc/checkpoints?limit=-1', 400],
    ['/svc/checkpoints?limit=1&limit=2', 400], ['/svc/checkpoints?order=asc', 400],
  ] as const)('C07: %s is answered with %i', async (path, status) => {
    const { get } = await published()
    const response = await get(path.replaceAll(' ', '%20'))
    expect(response.status).toBe(status)
  }) // prettier-ignore

  it('C08: a thousand proofs are made of stored subtrees, and may be cached', async () => {
    const { get, path, service } = await published()
    let entries = 0
    const { texts, query } = service.storage.audit
    Object.assign(service.storage.audit, {
      texts: (...args: never) => (entries++, Reflect.apply(texts, service.storage.audit, args)),
      query: (...args: never) => (entries++, Reflect.apply(query, service.storage.audit, args)),
    })
    for (let count = 0; count < 1000; count++) {
      const response = await get(`${path}?leaf_index=${count % 5}`)
      expect(response.status).toBe(200)
      expect(response.headers.get('cache-control')).toBe('public, max-age=3600')
    }
    expect(entries).toBe(0)
  })

  it('C10: are served as signed notes, too', async () => {
    const { get, path, service } = await published()
    const response = await get(`${path}?format=note`)
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    const note = readNote(await response.text())!
    expect(isNoteSignedBy(note, `${service.id}/svc/checkpoints`, AUDIT[0]!.publicJwk)).toBe(true)
    expect((await get(`${path}?format=xml`)).status).toBe(400)
    expect((await get('/svc/checkpoints/ckp_x?format=note')).status).toBe(404)
  })
})

describe('keys', () => {
  it('J01: only public members are published', async () => {
    const { get } = await published()
    const { keys } = (await (await get('/.well-known/jwks.json')).json()) as { keys: readonly object[] }
    expect(keys).toHaveLength(3)
    for (const key of keys) expect(Object.keys(key).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
    expect(keys).toEqual(jwksOf(KEYS, 0).keys)
  })

  it('J02: come from memory, with an ETag that gives 304', async () => {
    const { get } = await published()
    const first = await get('/.well-known/jwks.json')
    const etag = first.headers.get('etag') ?? ''
    expect(etag).not.toBe('')
    expect(first.headers.get('cache-control')).toMatch(/^public, max-age=\d+$/u)
    expect((await get('/.well-known/jwks.json', { 'if-none-match': etag })).status).toBe(304)
  })
})

describe('the manifest', () => {
  it('M01: any of 500 changed bytes is found; the digest is computed again and equal', async () => {
    const { get } = await published()
    const response = await get('/svc/manifest')
    const jws = response.headers.get('x-svc-signature') ?? ''
    const bytes = new Uint8Array(await response.arrayBuffer())
    const jwks = readJwks((await (await get('/.well-known/jwks.json')).json()) as JsonObject)
    if (typeof jwks === 'string') throw new Error(jwks)
    const keys = ringKeysOf(jwks, 'manifest')
    const now = Date.parse('2026-03-01T12:00:00.000Z')
    const { findings, document } = verifyManifest(bytes, jws, keys, now)
    expect(findings).toEqual([])
    expect((document!['manifest_metadata'] as JsonObject)['sha256']).toBe(manifestDigest(document!))
    for (let number = 0; number < 500; number++) {
      const at = (number * 7919) % bytes.length
      const changed = Uint8Array.from(bytes)
      changed[at] = (changed[at]! + 1 + (number % 255)) % 256
      expect(verifyManifest(changed, jws, keys, now).findings).not.toEqual([])
    }
  })

  it('M03: is JSON that no browser takes for something else', async () => {
    const { get } = await published()
    const { headers } = await get('/svc/manifest')
    expect(headers.get('content-type')).toBe('application/json')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })
})
