import { expect, it } from 'vitest'
import { connect, TransportError, type ClientOptions } from '../../src/client/index.js'
import { signDetached } from '../../src/crypto/jws/jws.js'
import { canonicalBytes } from '../../src/crypto/json/canonical.js'
import { publishedKeysOf } from '../../src/crypto/keys/published-keys.js'
import { generateRingKey } from '../../src/crypto/keys/key-ring.js'
import { publishManifest } from '../../src/crypto/jws/published-manifest.js'
import { capability, manifestOf } from '../runtime/fixture/manifest.js'
import { KEYS, startFixture } from '../runtime/fixture/service.js'
import { clientOf, type FakeClient } from './fake-service.js'

const key = generateRingKey('manifest', 'active')
const TOKENS = generateRingKey('tokens', 'active')
const pinnedKeys = [key.kid]
const now = () => Date.parse('2026-03-01T12:00:00.000Z')

async function answers(
  issued_at: string,
  expires_at: string,
  change = (bytes: Uint8Array): Uint8Array => bytes,
  say = (document: object): object => document,
) {
  const keys = publishedKeysOf({ keys: [key, TOKENS] })
  const { document } = publishManifest(manifestOf({ search: capability() }), { issued_at, expires_at }, keys)
  const bytes = canonicalBytes(say(document))
  const signature = await signDetached(key.signer!, bytes)
  const body = new Uint8Array(change(bytes))
  const jwks = Response.json({ keys: [key.publicJwk] })
  return [new Response(body, { headers: { 'X-SVC-Signature': signature } }), jwks]
}

const january = () => answers('2026-01-01T00:00:00.000Z', '2026-04-01T00:00:00.000Z')
const february = () => answers('2026-02-01T00:00:00.000Z', '2026-04-01T00:00:00.000Z')

it('verifies a manifest and says which key signed it', async () => {
  const { client } = clientOf(await january())
  expect((await client.manifest({ now, pinnedKeys: [key.kid] })).kid).toBe(key.kid)
})

it('takes a key that is not the first of those that are pinned', async () => {
  const { client } = clientOf(await january())
  expect((await client.manifest({ now, pinnedKeys: [TOKENS.kid, key.kid] })).kid).toBe(key.kid)
})

it('M01 refuses a manifest that was changed', async () => {
  const changed = await answers('2026-01-01T00:00:00.000Z', '2026-04-01T00:00:00.000Z', (bytes) =>
    bytes.map((byte, index) => (index === 40 ? byte ^ 1 : byte)),
  )
  await expect(clientOf(changed).client.manifest({ now, pinnedKeys })).rejects.toThrow(
    'The signature of the manifest does not hold',
  )
})

it('M02 refuses a manifest that has expired', async () => {
  const ended = await answers('2026-01-01T00:00:00.000Z', '2026-03-01T12:00:00.000Z')
  await expect(clientOf(ended).client.manifest({ now, pinnedKeys })).rejects.toThrow(
    'The manifest expired at 2026-03-01T12:00:00.000Z.',
  )
})

it('M02 refuses a manifest that is older than the one seen before', async () => {
  const { client } = clientOf([...(await february()), ...(await january()), ...(await january())])
  await client.manifest({ now, pinnedKeys })
  for (const _ of ['once', 'again'])
    await expect(client.manifest({ now, pinnedKeys })).rejects.toThrow('is older than one seen before')
})

it('M02 refuses a manifest that is older than the one the caller remembers', async () => {
  const { client } = clientOf(await january())
  await expect(client.manifest({ now, pinnedKeys, issuedSince: '2026-02-01T00:00:00.000Z' })).rejects.toThrow(
    'is older',
  )
})

it('M02 refuses a manifest that is older than the one seen before, where the caller remembers an older one still', async () => {
  const { client } = clientOf([...(await february()), ...(await january())])
  await client.manifest({ now, pinnedKeys })
  await expect(client.manifest({ now, pinnedKeys, issuedSince: '2025-12-01T00:00:00.000Z' })).rejects.toThrow(
    'The manifest of 2026-01-01T00:00:00.000Z is older than one seen before.',
  )
})

it('reads the same manifest again', async () => {
  const { client } = clientOf([...(await january()), ...(await january())])
  await client.manifest({ now, pinnedKeys })
  expect((await client.manifest({ now, pinnedKeys })).kid).toBe(key.kid)
})

it('M02 refuses any manifest where what the caller remembers is no time', async () => {
  const { client } = clientOf(await january())
  await expect(client.manifest({ now, pinnedKeys, issuedSince: 'last month' })).rejects.toThrow('is older')
})

it('takes the keys that are named in the place of those that the client pins', async () => {
  const answered = async () => {
    const left = await january()
    return connect<FakeClient>({ baseUrl: 'https://service.test', fetch: async () => left.shift()! }, {} as never, [
      key.kid,
    ])
  }
  expect((await (await answered()).manifest({ now })).kid).toBe(key.kid)
  for (const others of [['another'], []])
    await expect((await answered()).manifest({ now, pinnedKeys: others })).rejects.toThrow(/pinned/u)
})

it('below a delegation pins the same keys', async () => {
  const issued = Response.json({ issued: true, token: 't', token_id: 'tok_1', expires_at: '2026-03-01T13:00:00.000Z', scope: ['a'], root_principal: 'human:ana', subject: 'human:ana' }) // prettier-ignore
  const left = [issued, ...(await january())]
  const broad = connect<FakeClient>({ baseUrl: 'https://service.test', fetch: async () => left.shift()! }, {} as never, [key.kid]) // prettier-ignore
  const delegation = await broad.delegate({ scope: ['a'] })
  expect(delegation.success && (await delegation.client.manifest({ now })).kid).toBe(key.kid)
})

it('verifies a manifest of any length', async () => {
  const { client } = clientOf(await saying((document) => ({ ...document, 'x-notes': 'é'.repeat(50_000) })))
  expect((await client.manifest({ now, pinnedKeys })).kid).toBe(key.kid)
})

it('refuses a signature that is none', async () => {
  const [answer] = await january()
  const [header] = answer!.headers.get('X-SVC-Signature')!.split('.')
  answer!.headers.set('X-SVC-Signature', `${header}..%%%`)
  await expect(clientOf([answer!]).client.manifest({ now, pinnedKeys })).rejects.toThrow(
    new TransportError('The manifest is not signed with ES256.'),
  )
})

it.each(['none', 'HS256', 'ES384', undefined])('refuses a signature that says that it is made with %s', async (alg) => {
  const [answer, jwks] = await january()
  const bytes = new Uint8Array(await answer!.arrayBuffer())
  const header = Buffer.from(JSON.stringify({ alg, kid: key.kid })).toString('base64url')
  const input = Buffer.concat([Buffer.from(`${header}.`), Buffer.from(Buffer.from(bytes).toString('base64url'))])
  const signature = Buffer.from(await key.signer!.sign(input)).toString('base64url')
  const headers = { 'X-SVC-Signature': `${header}..${signature}` }
  await expect(
    clientOf([new Response(bytes, { headers }), jwks!]).client.manifest({ now, pinnedKeys }),
  ).rejects.toThrow(new TransportError('The manifest is not signed with ES256.'))
})

it('says that keys were answered with a page', async () => {
  const [answer] = await january()
  const { client } = clientOf([answer!, new Response('<html>', { status: 502 })])
  await expect(client.manifest({ now, pinnedKeys })).rejects.toThrow('answered 502 without a JSON object')
})

it('refuses a key that is not pinned', async () => {
  const { client } = clientOf(await january())
  await expect(client.manifest({ now, pinnedKeys: ['another'] })).rejects.toThrow('which is not pinned')
})

it('refuses a key that is published under the name of the pinned one', async () => {
  const thief = generateRingKey('manifest', 'active')
  const [answer] = await january()
  const bytes = new Uint8Array(await answer!.arrayBuffer())
  const signature = await signDetached({ ...thief.signer!, kid: key.kid }, bytes)
  const jwks = Response.json({ keys: [{ ...thief.publicJwk, kid: key.kid }] })
  const { client } = clientOf([new Response(bytes, { headers: { 'X-SVC-Signature': signature } }), jwks])
  await expect(client.manifest({ now, pinnedKeys })).rejects.toThrow('is not what its name says')
})

it('N06: refuses any manifest while no key is pinned', async () => {
  const { client, seen } = clientOf(await january())
  await expect(client.manifest({ now })).rejects.toThrow('No key is pinned, so nobody knows whose manifest this is.')
  expect(seen.map(({ path }) => path)).toEqual(['/svc/manifest'])
})

interface Document {
  readonly [name: string]: Document
}
const saying = (change: (document: Document) => object) =>
  answers('2026-01-01T00:00:00.000Z', '2026-04-01T00:00:00.000Z', undefined, change as never)
const inCapability = (change: (search: Document) => object) => saying((document) => ({
  ...document, capabilities: { search: change(document['capabilities']!['search']!) },
})) // prettier-ignore

it.each<[string, (document: Document) => object]>([
  ['lists no keys', (document) => ({ ...document, service_identity: { id: 'flights' } })],
  ['lists its own key for tokens', (document) => ({ ...document, service_identity: { ...document['service_identity'], 'x-keys': { [key.kid]: { role: 'tokens' } } } })],
])('N06: refuses a manifest that %s', async (_, change) => {
  const { client } = clientOf(await saying(change))
  await expect(client.manifest({ now, pinnedKeys })).rejects.toThrow('as one that signs manifests')
}) // prettier-ignore

it.each<[string, () => Promise<readonly Response[]>]>([
  ['version 0.25.0', () => saying((document) => ({ ...document, manifest_metadata: { ...document['manifest_metadata'], version: '0.25.0' } }))],
  ['version 1.0.0', () => saying((document) => ({ ...document, manifest_metadata: { ...document['manifest_metadata'], version: '1.0.0' } }))],
  ['version null', () => saying((document) => ({ ...document, manifest_metadata: { ...document['manifest_metadata'], version: null } }))],
  ['the field quotas in the document', () => saying((document) => ({ ...document, quotas: {} }))],
  ['the field escrow in capabilities.search', () => inCapability((search) => ({ ...search, escrow: true }))],
  ['pay as capabilities.search.side_effect.type', () => inCapability((search) => ({ ...search, side_effect: { type: 'pay' } }))],
  ['guess as capabilities.search.inputs.0.resolution.mode', () => inCapability((search) => ({ ...search, inputs: [{ name: 'a', type: 'string', resolution: { mode: 'guess' } }] }))],
  ['the field secret in capabilities.search.inputs.0', () => inCapability((search) => ({ ...search, inputs: [{ name: 'a', type: 'string', secret: true }] }))],
  ['the field veto in capabilities.search.approval', () => inCapability((search) => ({ ...search, approval: { required: 'always', veto: true } }))],
  ['whenever as capabilities.search.approval.required', () => inCapability((search) => ({ ...search, approval: { required: 'whenever' } }))],
  ['the field between in capabilities.search.approval.required.when.0', () => inCapability((search) => ({ ...search, approval: { required: { when: [{ input: 'a', between: [1, 2] }] } } }))],
  ['the field below in capabilities.search.approval.required.when.0.cost', () => inCapability((search) => ({ ...search, approval: { required: { when: [{ cost: { below: 1 } }] } } }))],
  ['forever as capabilities.search.approval.grant_policy.allowed_grant_types.1', () => inCapability((search) => ({ ...search, approval: { required: 'always', grant_policy: { allowed_grant_types: ['one_time', 'forever'] } } }))],
  ['the field quorum in capabilities.search.approval.grant_policy', () => inCapability((search) => ({ ...search, approval: { required: 'always', grant_policy: { quorum: 2 } } }))],
  ['the field fee in capabilities.search.cost.financial', () => inCapability((search) => ({ ...search, cost: { certainty: 'fixed', financial: { currency: 'EUR', amount: 1, fee: 2 } } }))],
  ['guessed as capabilities.search.cost.certainty', () => inCapability((search) => ({ ...search, cost: { certainty: 'guessed' } }))],
  ['robot as capabilities.search.requires_principal.0', () => inCapability((search) => ({ ...search, requires_principal: ['robot'] }))],
  ['retry as capabilities.search.composition.failure_policy.child_error', () => inCapability((search) => ({ ...search, composition: { failure_policy: { child_error: 'retry' } } }))],
  ['captcha as capabilities.search.control_requirements.0.type', () => inCapability((search) => ({ ...search, control_requirements: [{ type: 'captcha' }] }))],
  ['the field = in capabilities.search.approval.required', () => inCapability((search) => ({ ...search, approval: { required: { '=': 1 } } }))],
  ['the field  in trust', () => saying((document) => ({ ...document, trust: { level: 'signed', '': 1 } }))],
  ['the field __proto__ in trust', () => saying((document) => ({ ...document, trust: JSON.parse('{"level":"signed","__proto__":1}') as object }))],
  ['sworn as trust.level', () => saying((document) => ({ ...document, trust: { level: 'sworn' } }))],
])('refuses what it does not support: %s', async (what, made) => {
  const { client } = clientOf(await made())
  await expect(client.manifest({ now, pinnedKeys })).rejects.toThrow(`does not support: ${what}`)
}) // prettier-ignore

it('takes what is an extension, and an older version', async () => {
  const { client } = clientOf(await saying((document) => ({
    ...document, 'x-a': 1, manifest_metadata: { ...document['manifest_metadata'], version: '0.14.0' },
    capabilities: { search: { ...document['capabilities']!['search']!, 'x-b': 2, cost: { certainty: 'fixed', 'x-c': { any: 'thing' } } } },
  }))) // prettier-ignore
  expect((await client.manifest({ now, pinnedKeys })).kid).toBe(key.kid)
})

it.each([
  ['version 0.25.0', { version: '0.25.0' }], ['the field quotas in svc_discovery', { version: '0.24.0', quotas: 1 }],
  ['sworn as svc_discovery.trust.level', { version: '0.24.0', trust: { level: 'sworn' } }],
  ['the field secret in svc_discovery.capabilities.search', { version: '0.24.0', capabilities: { search: { secret: 1 } } }],
  ['pay as svc_discovery.capabilities.search.side_effect.type', { version: '0.24.0', capabilities: { search: { side_effect: { type: 'pay' } } } }],
])('refuses a discovery document for %s', async (what, svc_discovery) => {
  const { client } = clientOf([Response.json({ svc_discovery })])
  await expect(client.discovery()).rejects.toThrow(`does not support: ${what}`)
}) // prettier-ignore

it('says at once that an address is none', () => {
  expect(() => clientOf([], { baseUrl: 'not a url' })).toThrow(
    'The baseUrl "not a url" is not an address such as http://127.0.0.1:4100.',
  )
})

it('reads a manifest that is for callers with a credential, with its own', async () => {
  const { fetch } = await startFixture({ manifest: { metadata_disclosure: { manifest: 'bearer' } } })
  const kid = KEYS.keys.find(({ role }) => role === 'manifest')!.kid
  const given = { baseUrl: 'http://127.0.0.1:4100', fetch: (url: string, init: RequestInit) => fetch(new Request(url, init)) } as unknown as ClientOptions
  const at = () => Date.parse('2026-03-01T12:00:00.000Z')
  const manifest = (credential?: string) => connect({ ...given, ...(credential !== undefined && { credential }) }, {}).manifest({ pinnedKeys: [kid], now: at })
  await expect(manifest()).rejects.toThrow('The manifest was answered with 401.')
  expect((await manifest('ana-key')).kid).toBe(kid)
}) // prettier-ignore
