/** What is compressed, for whom, and under which tag. */
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { verifyDetached } from '../../src/crypto/jws/jws.js'
import { maintain } from '../../src/runtime/index.js'
import { capability } from './fixture/manifest.js'
import { KEYS, requestOf, startFixture, type Request } from './fixture/service.js'

const MANY = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`search_${index}`, capability()]))
const GZIP = { 'accept-encoding': 'gzip' }

async function start() {
  const fixture = await startFixture({ capabilities: { search: capability(), ...MANY } })
  const raw = async (method: string, path: string, { headers, ...request }: Request = {}) => {
    const response = await fixture.fetch(requestOf(method, path, { ...request, ...(headers && { headers }) }))
    const bytes = Buffer.from(await response.arrayBuffer())
    return {
      status: response.status,
      headers: response.headers,
      bytes,
      encoding: response.headers.get('content-encoding'),
    }
  }
  return { ...fixture, raw }
}

describe('a document', () => {
  it.each(['/.well-known/svc', '/svc/manifest', '/tools.json'])('%s is compressed for who takes it', async (path) => {
    const { raw } = await start()
    const [plain, zipped] = [await raw('GET', path), await raw('GET', path, { headers: GZIP })]
    expect([plain.encoding, zipped.encoding, plain.headers.get('vary'), zipped.headers.get('vary')]).toEqual([null, 'gzip', 'accept-encoding', 'accept-encoding'])
    expect(gunzipSync(zipped.bytes)).toEqual(plain.bytes)
    expect(zipped.bytes.length).toBeLessThan(plain.bytes.length / 2)
  }) // prettier-ignore

  it('keeps its signature, over what is compressed', async () => {
    const { raw } = await start()
    const { headers, bytes } = await raw('GET', '/svc/manifest', { headers: GZIP })
    const keys = KEYS.keys.filter(({ role }) => role === 'manifest')
    expect(verifyDetached(headers.get('x-svc-signature')!, gunzipSync(bytes), keys)).toBeDefined()
  })

  it('has a tag of its own, and is known by both', async () => {
    const { raw } = await start()
    const [plain, zipped] = [await raw('GET', '/svc/manifest'), await raw('GET', '/svc/manifest', { headers: GZIP })]
    const tags = [plain, zipped].map(({ headers }) => headers.get('etag')!)
    expect(tags[1]).toBe(`${tags[0]!.slice(0, -1)}-gzip"`)
    for (const tag of [...tags, `W/${tags[1]!}`]) {
      const again = await raw('GET', '/svc/manifest', { headers: { ...GZIP, 'if-none-match': tag } })
      expect([again.status, again.headers.get('etag'), again.encoding, again.bytes.length]).toEqual([304, tags[1], null, 0])
    }
  }) // prettier-ignore

  it('of less than 1 kB is not', async () => {
    const { raw } = await start()
    expect((await raw('GET', '/.well-known/jwks.json', { headers: GZIP })).encoding).toBeNull()
  })

  it.each([
    ['gzip', 'gzip'], ['GZIP', 'gzip'], ['br, gzip;q=0.5', 'gzip'], ['*', 'gzip'], ['deflate, *;q=0.1', 'gzip'],
    ['br', null], ['gzip;q=0', null], ['gzip;q=0, *', null], ['identity', null], ['', null], ['gzip;q=x', null],
  ])('with Accept-Encoding %j is encoded as %j', async (accepted, encoding) => {
    const { raw } = await start()
    expect((await raw('GET', '/svc/manifest', { headers: { 'accept-encoding': accepted } })).encoding).toBe(encoding)
  }) // prettier-ignore

  it('is announced alike where only its head is asked for', async () => {
    const { raw } = await start()
    const head = await raw('HEAD', '/svc/manifest', { headers: GZIP })
    expect([head.status, head.encoding, head.bytes.length]).toEqual([200, 'gzip', 0])
  })
})

describe('a list', () => {
  it('of more than 1 kB is compressed', async () => {
    const { raw, root, invoke } = await start()
    const { token } = await root()
    for (let count = 0; count < 5; count++) await invoke('search', token)
    const { encoding, bytes } = await raw('POST', '/svc/audit', { bearer: token, headers: GZIP })
    expect([encoding, (JSON.parse(gunzipSync(bytes).toString()) as { count: number }).count]).toEqual(['gzip', 6])
    expect((await raw('POST', '/svc/audit?limit=1', { bearer: token, headers: GZIP })).encoding).toBeNull()
  })

  it('of checkpoints, too', async () => {
    const { raw, root, invoke, service } = await start()
    const { token } = await root()
    for (let count = 0; count < 6; count++) {
      await invoke('search', token)
      await maintain(service)()
    }
    expect((await raw('GET', '/svc/checkpoints', { headers: GZIP })).encoding).toBe('gzip')
  })

  it('that is refused is as it is', async () => {
    const { raw } = await start()
    const { status, encoding, headers } = await raw('POST', `/svc/audit?${'x'.repeat(2000)}`, { headers: GZIP })
    expect([status, encoding, headers.get('vary')]).toEqual([401, null, null])
  })
})

it('an answer to a call is never compressed: it may repeat a secret beside what a caller wrote', async () => {
  const { raw, root } = await start()
  const body = { parameters: {}, client_reference_id: 'x'.repeat(256), upstream_service: 'y'.repeat(256), task_id: 'z'.repeat(256) }
  const { token } = await root()
  const call = await raw('POST', '/svc/invoke/search', { bearer: token, body: { ...body, x: 'a' }, headers: GZIP })
  const permissions = await raw('POST', '/svc/permissions', { bearer: token, headers: GZIP })
  expect([call.encoding, permissions.encoding]).toEqual([null, null])
  expect(permissions.bytes.length).toBeGreaterThan(1024)
}) // prettier-ignore
