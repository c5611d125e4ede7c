import { verifyManifest } from '../crypto/jws/published-manifest.js'
import { isFinancial } from '../protocol/discovery.js'
import { ENDPOINTS } from '../protocol/endpoints.js'
import type { Jwks } from '../protocol/jwk.js'
import type { Capability, Manifest } from '../protocol/manifest.js'
import { ringKeysOf } from '../crypto/keys/key-ring.js'
import { SIDE_EFFECTS, TRUST_LEVELS } from '../protocol/words.js'
import { cases, casesFor } from './case.js'
import { equal, fails, holds, matches, succeeds, TIMESTAMP, VERSION } from './expect.js'
import { entriesOf, isGated, readTold, textsIn, type ServiceUnderTest } from './target.js'

const MANIFEST = '/svc/manifest'
const DOCUMENTS = ['/.well-known/svc', '/.well-known/jwks.json', MANIFEST] as const
const keysOf = async ({ send }: ServiceUnderTest) =>
  (await send('/.well-known/jwks.json')).body['keys'] as unknown as readonly { readonly [name: string]: string }[]

/** The path that a service is mounted at, before those of section 4; it is the same before each of them. */
const baseOf = (tokens: unknown): string => /^((?:\/[\w~][\w.~-]*)*)\/svc\/tokens$/u.exec(String(tokens))?.[1] ?? ''

const served = casesFor(
  '4.1-4.3',
  DOCUMENTS,
  (path) => `GET ${path} needs no credential${path === MANIFEST ? ', unless discovery says so' : ''}`,
  async (path, target) => {
    if (path !== MANIFEST || !isGated(target)) return succeeds(await target.send(path))
    const reply = await target.send(path)
    fails(reply, 'authentication_required')
    matches(reply.headers.get('www-authenticate'), /^Bearer/u, 'WWW-Authenticate')
    fails(await target.send(path, { bearer: 'none-of-this-service' }), 'authentication_required')
    succeeds(await readTold(target, path))
  },
)

const cached = casesFor('4.1-4.3', DOCUMENTS, (path) => `GET ${path} may be cached and revalidated`, async (path, target) => {
  const { headers } = await readTold(target, path)
  matches(headers.get('cache-control'), isGated(target) && path === MANIFEST ? /^private\b/u : /max-age=\d+/u, 'Cache-Control')
  const again = await readTold(target, path, { headers: { 'if-none-match': headers.get('etag') ?? '' } })
  equal(again.status, 304, 'the status of a revalidation')
}) // prettier-ignore

const typed = casesFor('4.1-4.3', DOCUMENTS, (path) => `GET ${path} is JSON and says so`, async (path, target) => {
  const { headers } = await readTold(target, path)
  matches(headers.get('content-type'), /^application\/json/u, 'Content-Type')
  equal(headers.get('x-content-type-options'), 'nosniff', 'X-Content-Type-Options')
}) // prettier-ignore

const readOnly = casesFor('4', DOCUMENTS, (path) => `POST ${path} is not allowed`, async (path, { post }) =>
  fails(await post(path, undefined, {}), 'method_not_allowed'),
) // prettier-ignore

const discovery = cases('2.1', {
  'version is a dotted version string': async ({ discovery }) => matches(discovery['version'], VERSION, 'version'),
  'version is of protocol 0.24': async ({ discovery }) => matches(discovery['version'], /^0\.24\./u, 'version'),
  'service_id is the id of the manifest': async ({ discovery, manifest }) =>
    equal(discovery['service_id'], manifest['service_identity']!['id'], 'service_id'),
  'endpoints name the required operations': async ({ discovery }) => {
    const missing = ['manifest', 'tokens', 'permissions', 'invoke', 'audit'].filter(
      (key) => !(key in discovery['endpoints']!),
    )
    equal(missing, [], 'missing endpoints')
  },
  'endpoints are the paths of section 4': async ({ discovery }) => {
    const rows = Object.values(ENDPOINTS).flatMap((row) => ('key' in row ? [[row.key, row.path] as const] : []))
    const base = baseOf(discovery['endpoints']!['tokens'])
    for (const [key, path] of rows)
      if (key in discovery['endpoints']!) equal(discovery['endpoints']![key], `${base}${path}`, key)
  },
  'the invoke path contains {capability}': async ({ discovery }) =>
    matches(discovery['endpoints']!['invoke'], /\{capability\}/u, 'endpoints.invoke'),
  'checkpoints are listed only when trust is anchored': async ({ discovery }) =>
    equal(
      'checkpoints' in discovery['endpoints']!,
      discovery['trust']!['level'] === 'anchored',
      'endpoints.checkpoints',
    ),
  'approval_grants is listed only when an approval can be asked for': async ({ discovery, manifest }) => {
    const asks = entriesOf(manifest['capabilities']).some(([, each]) => each['approval'] !== undefined)
    equal('approval_grants' in discovery['endpoints']!, asks, 'endpoints.approval_grants')
  },
  'every capability of the manifest is summarised, and no other': async ({ discovery, manifest }) =>
    equal(
      Object.keys(discovery['capabilities']!).sort(),
      Object.keys(manifest['capabilities']!).sort(),
      'capabilities',
    ),
  'a summary has description, side_effect.type, minimum_scope and financial': async ({ discovery, manifest }) => {
    for (const [name, summary] of entriesOf(discovery['capabilities'])) {
      const declared = manifest['capabilities']![name]!
      equal(summary['description'], declared['description'], `${name}.description`)
      equal(summary['side_effect'], { type: declared['side_effect']!['type'] }, `${name}.side_effect`)
      equal(summary['minimum_scope'], declared['minimum_scope'], `${name}.minimum_scope`)
      const costsMoney = isFinancial(manifest as unknown as Manifest, declared as unknown as Capability)
      equal(summary['financial'], costsMoney, `${name}.financial`)
    }
  },
  'trust.level is one of the three levels': async ({ discovery }) =>
    holds(TRUST_LEVELS.includes(discovery['trust']!['level'] as never), 'trust.level is unknown'),
  'trust is the same as in the manifest': async ({ discovery, manifest }) =>
    equal(discovery['trust'], manifest['trust'], 'trust'),
  'there are no members beyond section 2.1': async ({ discovery }) => {
    const known = ['version', 'service_id', 'endpoints', 'capabilities', 'trust', 'metadata_disclosure', 'ttl']
    equal(
      Object.keys(discovery).filter((name) => !known.includes(name)),
      [],
      'unknown members',
    )
  },
  'the root has no member but svc_discovery': async ({ send }) =>
    equal(Object.keys((await send('/.well-known/svc')).body), ['svc_discovery'], 'members'),
  'the Host header of a client is never shown': async ({ send }) => {
    const { text } = await send('/.well-known/svc', { headers: { 'x-forwarded-host': 'evil.example' } })
    holds(!text.includes('evil.example'), 'the document shows a header of the client')
  },
})

const keys = cases('2.2', {
  'there is at least one key': async (target) => holds((await keysOf(target)).length > 0, 'there is no key'),
  'every key is an ES256 signing key': async (target) => {
    for (const { kty, crv, use, alg } of await keysOf(target))
      equal({ kty, crv, use, alg }, { kty: 'EC', crv: 'P-256', use: 'sig', alg: 'ES256' }, 'a key')
  },
  'x and y are base64url of 32 bytes': async (target) => {
    for (const { x, y } of await keysOf(target))
      for (const each of [x, y]) matches(each, /^[\w-]{43}$/u, 'a coordinate')
  },
  'every kid is there, once': async (target) => {
    const kids = (await keysOf(target)).map(({ kid }) => kid)
    holds(
      kids.every((kid) => typeof kid === 'string') && new Set(kids).size === kids.length,
      'a kid is missing or repeated',
    )
  },
  'no private or other member is served': async (target) => {
    for (const key of await keysOf(target))
      equal(Object.keys(key).sort(), ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'], 'members of a key')
  },
})

const manifest = cases('2.3', {
  'X-SVC-Signature verifies against the JWKS over exactly the body, and sha256 holds': async (target) => {
    const { text, headers } = await readTold(target, MANIFEST)
    const jwks = (await target.send('/.well-known/jwks.json')).body as unknown as Jwks
    const verdict = verifyManifest(
      new TextEncoder().encode(text),
      headers.get('x-svc-signature') ?? '',
      ringKeysOf(jwks.keys, 'manifest'),
      Date.now(),
    )
    equal(verdict.findings, [], 'findings')
  },
  'a changed manifest does not verify': async (target) => {
    const { text, headers } = await readTold(target, MANIFEST)
    const jwks = (await target.send('/.well-known/jwks.json')).body as unknown as Jwks
    const verdict = verifyManifest(
      new TextEncoder().encode(`${text} `),
      headers.get('x-svc-signature') ?? '',
      ringKeysOf(jwks.keys, 'manifest'),
      Date.now(),
    )
    holds(verdict.findings.length > 0, 'the signature verifies over other bytes')
  },
  'metadata has version, sha256, issued_at and expires_at': async ({ manifest: { manifest_metadata: metadata } }) => {
    matches(metadata!['version'], VERSION, 'version')
    matches(metadata!['sha256'], /^[0-9a-f]{64}$/u, 'sha256')
    matches(metadata!['issued_at'], TIMESTAMP, 'issued_at')
    matches(metadata!['expires_at'], TIMESTAMP, 'expires_at')
  },
  'it is not expired': async ({ manifest: { manifest_metadata: metadata } }) =>
    holds(
      Date.parse(metadata!['expires_at'] as unknown as string) >
        Date.parse(metadata!['issued_at'] as unknown as string),
      'it ends before it begins',
    ),
  'the identity has id, jwks_uri and issuer_mode': async ({ manifest: { service_identity: identity } }) => {
    matches(identity!['id'], /^[a-z0-9]/u, 'id')
    matches(identity!['jwks_uri'], /^\//u, 'jwks_uri')
    equal(identity!['issuer_mode'], 'self', 'issuer_mode')
  },
  'what is for authors only is not served': async ({ manifest: served }) =>
    equal(
      ['limits', 'approvals', 'include'].filter((name) => name in served),
      [],
      'author-only members',
    ),
})

type Shape = readonly [string, (capability: Readonly<NonNullable<ServiceUnderTest['manifest']>>) => boolean]
const SHAPES: readonly Shape[] = [
  ['has a description', (each) => typeof each['description'] === 'string'],
  ['has a semantic contract_version', (each) => VERSION.test((each['contract_version'] as unknown as string).split(/[-+]/u)[0] ?? '')],
  ['lists its inputs', (each) => Array.isArray(each['inputs'])],
  ['has an output with type and fields', (each) => typeof each['output']!['type'] === 'string' && textsIn(each['output']!['fields']).every((field) => typeof field === 'string')],
  ['has one of the four side effects', (each) => SIDE_EFFECTS.includes(each['side_effect']!['type'] as never)],
  ['has minimum_scope as strings', (each) => textsIn(each['minimum_scope']).every((scope) => typeof scope === 'string')],
  ['is composed only with a composition', (each) => (each['kind'] === 'composed') === (each['composition'] !== undefined)],
  ['gives every input a name and a type', (each) => (each['inputs'] as unknown as readonly { name: unknown; type: unknown }[]).every(({ name, type }) => typeof name === 'string' && typeof type === 'string')],
  ['closes values only with allowed_values', (each) => (each['inputs'] as unknown as readonly { resolution?: { mode: string }; allowed_values?: unknown }[]).every(({ resolution, allowed_values }) => resolution?.mode !== 'closed_values' || Array.isArray(allowed_values))],
  ['refers only to capabilities that exist', () => true],
] // prettier-ignore

const declarations = casesFor('2.4-2.5', SHAPES, ([what]) => `every capability ${what}`, async ([what, shape], { manifest: served }) => {
  for (const [name, capability] of entriesOf(served['capabilities'])) holds(shape(capability as never), `${name} breaks: ${what}`)
  if (!what.startsWith('refers')) return
  for (const [name, each] of entriesOf(served['capabilities']))
    for (const other of [...textsIn(each['refresh_via']), ...textsIn(each['verify_via'])])
      holds(other in served['capabilities']!, `${name} refers to ${other}, which does not exist`)
}) // prettier-ignore

export const documentCases = [
  ...served,
  ...cached,
  ...typed,
  ...readOnly,
  ...discovery,
  ...keys,
  ...manifest,
  ...declarations,
]
