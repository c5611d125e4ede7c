/** The headers of each kind of answer, all of them (section 4; decisions, section 9). */
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { maintain } from '../../src/runtime/lifecycle/maintenance.js'
import { capability } from './fixture/manifest.js'
import { API_KEYS, requestOf, startFixture, type Fixture, type Request } from './fixture/service.js'

const folder = mkdtempSync(join(tmpdir(), 'svc-headers-'))
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }))
const OPENAPI = pathToFileURL(join(folder, 'openapi.json'))
writeFileSync(OPENAPI, '{}')
const capabilities = { search: capability({ response_modes: ['unary', 'streaming'] }) }
const JSON_TYPE = { 'content-type': 'application/json', 'x-content-type-options': 'nosniff' }
const PRIVATE = { ...JSON_TYPE, 'cache-control': 'no-store' }
const DOCUMENT = {
  ...JSON_TYPE,
  'cache-control': 'public, max-age=300',
  etag: expect.any(String) as string,
  vary: 'accept-encoding',
}
const NOT_STORED = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' }

const METRICS = { id: 'metrics', principal: 'service:metrics', sha256: createHash('sha256').update('metrics-key').digest('hex'), roles: ['metrics'] } as const // prettier-ignore

type Ask = (fixture: Fixture) => readonly [method: string, path: string, request?: Request]
const body = { parameters: {} }
let token = ''
let checkpoint = ''

it.each<[string, Ask, number, object]>([
  ['discovery', () => ['GET', '/.well-known/svc'], 200, DOCUMENT],
  ['the published keys', () => ['GET', '/.well-known/jwks.json'], 200, { ...DOCUMENT, 'cache-control': 'public, max-age=60' }],
  ['the manifest', () => ['GET', '/svc/manifest'], 200, { ...DOCUMENT, 'x-svc-signature': expect.any(String) as string }],
  ['the tools', () => ['GET', '/tools.json'], 200, DOCUMENT],
  ['the OpenAPI document', () => ['GET', '/openapi.json'], 200, DOCUMENT],
  ['a checkpoint', () => ['GET', `/svc/checkpoints/${checkpoint}`], 200, { ...JSON_TYPE, 'cache-control': 'public, max-age=3600' }],
  ['a checkpoint as a note', () => ['GET', `/svc/checkpoints/${checkpoint}?format=note`], 200, { ...NOT_STORED, 'content-type': 'text/plain; charset=utf-8' }],
  ['the list of checkpoints', () => ['GET', '/svc/checkpoints'], 200, { ...PRIVATE, vary: 'accept-encoding' }],
  ['health', () => ['GET', '/-/live'], 200, PRIVATE],
  ['metrics', () => ['GET', '/-/metrics', { bearer: 'metrics-key' }], 200, { ...NOT_STORED, 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }],
  ['a call', () => ['POST', '/svc/invoke/search', { bearer: token, body }], 200, PRIVATE],
  ['a call that was made before', () => ['POST', '/svc/invoke/search', { bearer: token, body, headers: { 'idempotency-key': 'k' } }], 200, { ...PRIVATE, 'idempotency-replayed': 'true' }],
  ['a stream', () => ['POST', '/svc/invoke/search', { bearer: token, body: { ...body, stream: true } }], 200, { ...NOT_STORED, 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' }],
  ['what is not there', () => ['GET', '/nowhere'], 404, PRIVATE],
  ['another method', () => ['PUT', '/svc/tokens'], 405, { ...PRIVATE, allow: 'POST' }],
  ['another method than GET', () => ['DELETE', '/svc/manifest'], 405, { ...PRIVATE, allow: 'GET, HEAD' }],
  ['no credential', () => ['POST', '/svc/permissions'], 401, { ...PRIVATE, 'www-authenticate': 'Bearer' }],
  ['a body that is too large', () => ['POST', '/svc/permissions', { bearer: token, text: ' '.repeat(2_001) }], 413, { ...PRIVATE, connection: 'close' }],
  ['what is to be asked again later', () => ['POST', '/svc/audit', { bearer: token }], 429, { ...PRIVATE, 'retry-after': '60' }],
  ['a request of another version', () => ['GET', '/-/live', { headers: { 'x-svc-version': '9.0' } }], 400, PRIVATE],
])('%s', async (_, ask, status, headers) => {
  const fixture = await startFixture({ apiKeys: [...API_KEYS, METRICS], capabilities, openapi: OPENAPI, limits: { bodyBytes: 2_000, auditQueriesPerMinute: 0 } })
  token = (await fixture.root()).token
  await fixture.invoke('search', token, body, { 'idempotency-key': 'k' })
  await maintain(fixture.service, { every: () => () => undefined, uptime: () => 0 })()
  checkpoint = (await fixture.storage.checkpoints.latest())!.checkpoint_id
  const [method, path, request] = ask(fixture)
  const response = await fixture.fetch(requestOf(method, path, request))
  await response.body?.cancel()
  expect([response.status, Object.fromEntries(response.headers)]).toEqual([status, headers])
}) // prettier-ignore
