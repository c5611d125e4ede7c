import { expect, it } from 'vitest'
import { generateRing, generateRingKey } from '../../src/crypto/keys/key-ring.js'
import { clientOf } from '../../src/runtime/http/client-address.js'
import { createService } from '../../src/runtime/index.js'
import { openSqlite } from '../../src/runtime/storage/sqlite/index.js'
import { capability, definitionOf, input, manifestOf } from './fixture/manifest.js'

it('refuses limits that would not bound', async () => {
  const { startFixture } = await import('./fixture/service.js')
  const start = startFixture({ limits: { clockToleranceSeconds: 31, bodyBytes: Number.NaN } })
  await expect(start).rejects.toThrow(
    'The service cannot start:\n- The limit bodyBytes must be a number from 0.\n- The limit clockToleranceSeconds may be 30 at most.',
  )
})

it.each([
  [
    { resolveBindings: () => undefined, limts: {} },
    [
      '- Unknown option "resolveBindings" of createService. Known here: handlers, storage, keys, ',
      '- Unknown option "limts" of createService. Known here: handlers, storage, keys, ',
    ],
  ],
  [
    { implementation: { handlers: {}, __proto__: null, resolver: {} } },
    [
      '- Unknown member of the implementation "resolver" of createService. Known here: handlers, previews, resolvers, actorPolicy, resolveBinding.',
    ],
  ],
])('refuses options that nobody would read: %j', async (unknown, problems) => {
  const definition = definitionOf(manifestOf({}))
  const keys = generateRing()
  const storage = await openSqlite({ file: ':memory:' })
  const start = createService({ definition, implementation: { handlers: {} }, storage, keys, ...unknown })
  for (const problem of problems) await expect(start).rejects.toThrow(problem)
})

it('takes options that are undefined as absent, whatever their name', async () => {
  const definition = definitionOf(manifestOf({}))
  const keys = generateRing()
  const storage = await openSqlite({ file: ':memory:' })
  const none = { implementation: { handlers: {}, resolveBinding: undefined }, previews: undefined }
  await expect(createService({ definition, storage, keys, ...none })).resolves.toBeDefined()
})

it('refuses to forget a call by its key while it is under way', async () => {
  const { startFixture } = await import('./fixture/service.js')
  await expect(startFixture({ limits: { idempotencyMs: 600_000 } })).rejects.toThrow(
    'The limit idempotencyMs must be above handlerTimeoutMs and streamTimeoutMs.',
  )
})

it.each([
  ['as long as a stream', { handlerTimeoutMs: 1_000, streamTimeoutMs: 2_000, idempotencyMs: 2_000 }, false],
  ['longer than a stream', { handlerTimeoutMs: 1_000, streamTimeoutMs: 2_000, idempotencyMs: 2_001 }, true],
  ['as long as a handler', { handlerTimeoutMs: 2_000, streamTimeoutMs: 1_000, idempotencyMs: 2_000 }, false],
  ['longer than a handler', { handlerTimeoutMs: 2_000, streamTimeoutMs: 1_000, idempotencyMs: 2_001 }, true],
])('remembers a key %s: taken %s', async (_, limits, isTaken) => {
  const { startFixture } = await import('./fixture/service.js')
  const started = startFixture({ limits }).then(
    () => true,
    () => false,
  )
  expect(await started).toBe(isTaken)
})

it.each([
  ['*', false],
  ['null', false],
  ['app.example', false],
  ['https://app.example/', false],
  ['https://app.example/path', false],
  ['https://app.example?x=1', false],
  ['https://ana@app.example', false],
  ['HTTPS://app.example', false],
  ['https://app.example:443', false],
  ['https://app.example', true],
  ['https://app.example:8443', true],
  ['http://localhost:3000', true],
])('takes %j for an origin: %s', async (origin, isTaken) => {
  const { startFixture } = await import('./fixture/service.js')
  const problem = `The origin ${JSON.stringify(origin)} must be a scheme, a host and perhaps a port, as https://app.example.`
  const started = startFixture({ origins: [origin] }).then(
    () => '',
    ({ message }: Error) => message,
  )
  expect(await started).toBe(isTaken ? '' : `The service cannot start:\n- ${problem}`)
})

it('takes a resolver by the catalog of an input, and a function alone as a handler', async () => {
  const { startFixture } = await import('./fixture/service.js')
  const city = input('city', { catalog_ref: 'catalog.cities', resolution: { mode: 'backend_resolved' } })
  const capabilities = { search: capability({ inputs: [city] }) }
  const resolvers = { 'catalog.cities': () => ({ value: 'x' }) }
  expect((await startFixture({ capabilities, implementation: { resolvers } as never })).service.id).toBe('flights')
  await expect(startFixture({ capabilities })).rejects.toThrow('Input city of search is resolved by catalog.cities, and there is no such resolver.') // prettier-ignore
  const handlers = { search: 'no function' } as never
  await expect(startFixture({ handlers })).rejects.toThrow('Capability search has no handler.')
})

it.each([
  ['127.0.0.1', '127.0.0.1'],
  ['::ffff:10.0.0.1', '10.0.0.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  [undefined, ''],
])('counts the guesses of %s under %s', (address, client) => {
  expect(clientOf(address)).toBe(client)
})

it('refuses to start without what it cannot work without, and names it', async () => {
  const resolution = { mode: 'backend_resolved', resolver_ref: 'catalog.cities' } as const
  const capabilities = { search: capability({ inputs: [input('city', { resolution })] }), book: capability() }
  const definition = definitionOf(manifestOf(capabilities))
  const start = createService({
    definition: { ...definition, validators: { search: definition.validators['search']! } },
    implementation: { handlers: { search: () => ({}) } },
    storage: await openSqlite({ file: ':memory:' }),
    keys: { keys: [generateRingKey('tokens', 'active'), generateRingKey('manifest', 'next')] },
  })
  await expect(start).rejects.toThrow(
    [
      'The service cannot start:',
      '- Capability book has no handler. Export one from src/handlers and pass it to createService.',
      '- Capability book has no validators. Run svc build.',
      '- Input city of search is resolved by catalog.cities, and there is no such resolver.',
      '- There is no active signing key for the role manifest. Make one with: svc keys generate --role manifest',
      '- There is no active signing key for the role audit. Make one with: svc keys generate --role audit',
    ].join('\n'),
  )
})

const steps = (name: string) => ({
  kind: 'composed' as const,
  composition: {
    authority_boundary: 'same_service',
    steps: [{ id: 'one', capability: name }],
    input_mapping: {},
    output_mapping: {},
    empty_result_policy: 'fail',
    failure_policy: { child_clarification: 'propagate', child_denial: 'propagate', child_approval_required: 'propagate', child_error: 'fail_parent' },
    audit_policy: { record_child_invocations: true, parent_task_lineage: true },
  },
}) as never // prettier-ignore

it.each<[string, Parameters<typeof manifestOf>[0], string]>([
  ['a step that is nowhere', { trip: capability(steps('fly')) }, 'Composition trip: the step one must name an atomic capability.'],
  ['a step that is named like a member of every object', { trip: capability(steps('toString')) }, 'Composition trip: the step one must name an atomic capability.'],
  ['a step that is composed', { trip: capability(steps('other')), other: capability(steps('search')), search: capability() }, 'Composition trip: the step one must name an atomic capability.'],
  ['an input of an actor policy', { search: capability({ inputs: [input('city', { resolution: { mode: 'actor_policy' } })] }) }, 'Input city of search comes from the actor policy, and there is none.'],
  ['an input of a resolver without a name', { search: capability({ inputs: [input('city', { resolution: { mode: 'backend_resolved' } })] }) }, 'Input city of search is resolved by the back end, and there is no such resolver.'],
])('refuses to start with %s', async (_, capabilities, problem) => {
  const { startFixture } = await import('./fixture/service.js')
  await expect(startFixture({ capabilities })).rejects.toThrow(problem)
}) // prettier-ignore

it.each([-1, Number.NaN, Number.POSITIVE_INFINITY])('refuses a limit of %s', async (bodyBytes) => {
  const { startFixture } = await import('./fixture/service.js')
  await expect(startFixture({ limits: { bodyBytes } })).rejects.toThrow('The limit bodyBytes must be a number from 0.')
})

it.each([
  [{ idempotencyMs: 1e16 }, 'The limit idempotencyMs may be 31536000000000 at most, which is a thousand years.'],
  [
    { manifestLifetimeMs: 1e16 },
    'The limit manifestLifetimeMs may be 31536000000000 at most, which is a thousand years.',
  ],
  [{ streamTimeoutMs: 2 ** 31 }, 'The limit streamTimeoutMs may be 2147483647 at most, which is 24 days.'],
  [{ keepAliveMs: 30 * 86_400_000 }, 'The limit keepAliveMs may be 2147483647 at most, which is 24 days.'],
  [{ longPollSeconds: 2_147_484 }, 'The limit longPollSeconds may be 2147483 at most, which is 24 days.'],
])('refuses %j, for which no timer waits', async (limits, problem) => {
  const { startFixture } = await import('./fixture/service.js')
  await expect(startFixture({ limits: { idempotencyMs: 2 ** 40, ...limits } })).rejects.toThrow(problem)
})

it('takes durations that no timer waits for', async () => {
  const { startFixture } = await import('./fixture/service.js')
  const limits = { streamTimeoutMs: 2 ** 31 - 1, idempotencyMs: 2 ** 40, refusalRetentionMs: 2 ** 40, manifestLifetimeMs: 2 ** 40 } // prettier-ignore
  expect((await startFixture({ limits })).service.limits).toMatchObject(limits)
})

it('takes the tolerance of 30 s, and limits of 0', async () => {
  const { startFixture } = await import('./fixture/service.js')
  const limits = { clockToleranceSeconds: 30, invocationsPerMinute: 0 }
  expect((await startFixture({ limits })).service.limits).toMatchObject(limits)
})

it('needs no key for a manifest that is published elsewhere, and every other', async () => {
  const { KEYS, startFixture } = await import('./fixture/service.js')
  const { publishedManifest } = await import('./fixture/published.js')
  const published = { publishedManifest: await publishedManifest() }
  const halfOf = (role: string) => ({
    keys: KEYS.keys.map(({ signer, ...key }) => (key.role === role ? key : { ...key, signer: signer! })),
  })
  await expect(startFixture({ ...published, keys: halfOf('manifest') })).resolves.toBeDefined()
  await expect(startFixture({ ...published, keys: halfOf('audit') })).rejects.toThrow('no active signing key for the role audit') // prettier-ignore
})

it('refuses a key whose private half is not there', async () => {
  const { KEYS, startFixture } = await import('./fixture/service.js')
  const keys = KEYS.keys.map((key) => {
    const { signer: _, ...half } = key
    return key.role === 'tokens' ? half : key
  })
  await expect(startFixture({ keys: { keys } })).rejects.toThrow('no active signing key for the role tokens')
})
