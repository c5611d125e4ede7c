/** `metadata_disclosure.manifest: bearer`: who may read the manifest, and everything that is made of it. */
import { expect, it } from 'vitest'
import { emit } from '../../src/compiler/emit.js'
import { openapi } from '../../src/compiler/targets/documents/openapi.js'
import { operationsOf } from '../../src/protocol/discovery.js'
import { ENDPOINTS, pathOf, type EndpointRow } from '../../src/protocol/endpoints.js'
import { methodsOf } from '../../src/runtime/rpc/rpc-call.js'
import { answerTo } from '../../src/runtime/rpc/rpc-answer.js'
import { manifestOf } from './fixture/manifest.js'
import { startFixture, type Request } from './fixture/service.js'

const GATED = { manifest: { metadata_disclosure: { manifest: 'bearer' } } } as const
const OPEN = {}

/** Paths of everything that takes no credential, of a service that shows its manifest to everybody. */
const FREE = operationsOf(manifestOf({})).filter((name) => ENDPOINTS[name].credential === 'none')
const told = (name: keyof typeof ENDPOINTS): boolean => (ENDPOINTS[name] as EndpointRow).tellsManifest === true
const TOLD = FREE.filter(told)
const pathTo = (name: keyof typeof ENDPOINTS): string => pathOf(name, { capability: 'search', id: 'cp_1' })

it('gates the manifest, the tools, OpenAPI and the graph', () => {
  expect(TOLD).toEqual(['manifest', 'tools', 'openapi', 'graph'])
})

it.each(FREE)('%s is refused without a credential only where it tells the manifest', async (name) => {
  const { call } = await startFixture(GATED)
  const { status, headers, body } = await call('GET', pathTo(name))
  expect([status === 401, headers.get('www-authenticate')]).toEqual(told(name) ? [true, 'Bearer'] : [false, null])
  if (told(name)) expect(body['failure']?.['type']).toBe('authentication_required')
})

it.each(TOLD)('%s is shown for any credential, to the caller alone', async (name) => {
  const { call, token, operate } = await fixtureWithToken(GATED)
  const free = await (await startFixture(OPEN)).call('GET', pathTo(name))
  for (const bearer of ['ana-key', 'eve-key', 'op-key', token]) {
    const { status, headers } = await call('GET', pathTo(name), { bearer })
    expect([status, /public|max-age/u.test(headers.get('cache-control') ?? '')]).toEqual([free.status, false])
  }
  expect((await call('HEAD', pathTo(name))).status).toBe(401)
  await operate('/-/tokens/revoke', { principal: 'human:ana', reason: 'left' })
  for (const bearer of ['gone-key', 'nobody', token])
    expect((await call('GET', pathTo(name), { bearer })).status).toBe(401)
})

async function fixtureWithToken(given: typeof GATED) {
  const fixture = await startFixture(given)
  const operate = (path: string, body: object) => fixture.call('POST', path, { bearer: 'op-key', body })
  return { ...fixture, token: (await fixture.root()).token, operate }
}

it('a copy of ones own is revalidated with the credential', async () => {
  const { call } = await startFixture(GATED)
  const { headers } = await call('GET', '/svc/manifest', { bearer: 'ana-key' })
  expect(headers.get('cache-control')).toBe('private, no-cache')
  const known = { 'if-none-match': headers.get('etag')! }
  const asked = async (request: Request) => (await call('GET', '/svc/manifest', { ...request, headers: known })).status
  expect([await asked({ bearer: 'ana-key' }), await asked({})]).toEqual([304, 401])
})

it('is told in discovery, which everybody may read', async () => {
  const { call } = await startFixture(GATED)
  const { status, body } = await call('GET', '/.well-known/svc')
  expect([status, body['svc_discovery']?.['metadata_disclosure']]).toEqual([200, { manifest: 'bearer' }])
})

it('holds over stdio, too', async () => {
  const { service } = await startFixture(GATED)
  const operation = methodsOf(service.manifest).get('svc.manifest')!
  const line = async (params: { readonly [name: string]: { readonly bearer: string } }) => {
    const answer = await answerTo(service, operation, params)
    return 'line' in answer ? (JSON.parse(answer.line(1)) as { readonly error?: { readonly data?: unknown } }) : {}
  }
  expect((await line({})).error?.data).toMatchObject({ type: 'authentication_required' })
  expect(await line({ auth: { bearer: 'ana-key' } })).toHaveProperty('result.manifest')
})

it('says nothing about failures, of which callers then read everything', async () => {
  const { call } = await startFixture(GATED)
  const { body } = await call('POST', '/svc/tokens', { bearer: 'ana-key', body: { scope: 'travel.search' } })
  const open = await (await startFixture(OPEN)).call('POST', '/svc/tokens', { bearer: 'ana-key', body: { scope: 'travel.search' } })
  expect(body['failure']).toEqual(open.body['failure'])
}) // prettier-ignore

it('is said by OpenAPI, too', () => {
  const document = (manifest: object) => {
    const { files } = emit(manifestOf({}, manifest), { generator: 'svc', targets: [openapi] })
    const { paths } = JSON.parse(files[0]!.text) as { paths: { [path: string]: { get: { security: object[]; responses: object } } } }
    return TOLD.map((name) => paths[ENDPOINTS[name].path]!.get).map(({ security, responses }) => [security.length, '401' in responses])
  }
  expect(document({})).toEqual(TOLD.map(() => [0, false]))
  expect(document(GATED.manifest)).toEqual(TOLD.map(() => [2, true]))
}) // prettier-ignore
