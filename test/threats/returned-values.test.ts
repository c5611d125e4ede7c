/**
 * N43: what user code returns is read once, judged, and used as it was read (decisions, section 20). A row for each
 * option of a service and each member of its implementation: a new one fails here until it has one.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { IMPLEMENTATION_MEMBERS, RUNTIME_OPTIONS } from '../../src/runtime/lifecycle/known-options.js'
import type { HandlerContext } from '../../src/runtime/definition.js'
import { Refusal } from '../../src/runtime/errors/refusal.js'
import { deliverBatch } from '../../src/runtime/events/deliver.js'
import { capability, input, ONE_TIME } from '../runtime/fixture/manifest.js'
import { API_KEYS, startFixture, type Given } from '../runtime/fixture/service.js'
import { fakeProvider, jwt } from '../runtime/oidc/fake-provider.js'

type Members = { readonly [name: string]: unknown }

/** An object that says what the given one does, in a way that may say otherwise the next time. */
const DISGUISES: { readonly [name: string]: (plain: Members) => unknown } = {
  'a getter of its own': (plain) =>
    Object.defineProperties({}, Object.fromEntries(Object.entries(plain).map(([name, value]) => [name, { get: () => value, enumerable: true }]))),
  'a getter that throws': (plain) => ({ ...plain, get extra(): never { throw new Error('later') } }),
  'inherited members': (plain) => Object.create(plain) as object,
  'a getter of its class': (plain) => {
    class Answer { readonly kind = 'answer' }
    for (const [name, value] of Object.entries(plain)) Object.defineProperty(Answer.prototype, name, { get: () => value })
    return new Answer()
  },
  'an instance of a class': (plain) => Object.assign(new (class Answer { readonly kind = 'answer' })(), plain),
  'a proxy': (plain) => new Proxy(plain, {}),
  'a proxy that throws': (plain) => new Proxy(plain, { ownKeys: () => { throw new Error('later') } }),
  'a proxy inside': (plain) => ({ ...plain, extra: new Proxy([], {}) }),
  toJSON: (plain) => ({ ...plain, toJSON: () => plain }),
  'a number that is none': (plain) => ({ ...plain, extra: Number.NaN }),
  'a list with a hole': (plain) => ({ ...plain, extra: Array.from({ length: 1, 1: 0 }).concat(Array(1)) }),
  'a list of a class': (plain) => ({ ...plain, extra: new (class List extends Array {})() }),
  itself: (plain) => { const answer: { [name: string]: unknown } = { ...plain }; answer['extra'] = answer; return answer },
} // prettier-ignore

interface Row {
  /** An answer that is taken. */
  readonly plain: Members
  /** What comes of an answer: a status of HTTP, or a word. */
  readonly outcome: (answer: unknown) => Promise<number | string>
  /** What comes of one that is taken, and of each disguise. */
  readonly taken: number | string
  readonly refused: number | string
}

const SCOPE = { scope: ['travel.search'] }
let provider: Awaited<ReturnType<typeof fakeProvider>>
beforeAll(async () => void (provider = await fakeProvider()))
afterAll(() => provider.close())

/** The status of a token that is bought by a credential. */
const bought = async (given: Given, bearer: string) =>
  (await (await startFixture(given)).post('/svc/tokens', bearer, SCOPE)).status

/** The status of a call of `look`, with an input `place` of any type. */
async function called(
  differences: Parameters<typeof input>[1],
  given: Given,
  more: Parameters<typeof capability>[0] = {},
) {
  const { invoke, root } = await startFixture({
    capabilities: { look: capability({ inputs: [input('place', { type: 'any', ...differences })], ...more }) },
    ...given,
  })
  const parameters = differences?.resolution?.mode === 'actor_policy' ? {} : { place: 'x' }
  return (await invoke('look', (await root()).token, { parameters })).status
}

const target = (deliver: () => Promise<never>) => ({ name: 'ops', events: [], problems: [], deliver })

/** Options that give no value that decides, and why. */
const NO_ANSWER = {
  storage: 'The stores are the project’s own.',
  keys: 'Signers give bytes, of which the length is judged; keys are data that holds functions.',
  reloadKeys: 'Gives keys.',
  clock: 'Gives a number.',
  uptime: 'Gives a number.',
  log: 'Gives nothing.',
  limits: 'Numbers, judged at the start.',
  publishedManifest: 'Texts, verified at the start.',
  hosts: 'Texts, put into a set at the start.',
  origins: 'Texts, put into a set at the start.',
  ids: 'Gives texts.',
  stateDir: 'A text.',
  metrics: 'true or false.',
  development: 'true or false.',
  tracing: 'Spans decide nothing.',
} as const

const ROWS = {
  authenticate: {
    plain: { principal: 'human:ana', scopes: ['travel.search'] },
    outcome: (answer) => bought({ authenticate: () => answer as never }, 'some-bearer'),
    taken: 200,
    refused: 401,
  },
  oidc: {
    plain: { scopes: ['travel.search'], caller_classes: ['partner'] },
    outcome: (answer) =>
      bought(
        { clock: Date.now, oidc: [{ issuer: provider.issuer, audience: 'svc', entitlements: () => answer as never }] },
        jwt(provider.key, provider.claims()),
      ),
    taken: 200,
    refused: 401,
  },
  apiKeys: {
    plain: { ...API_KEYS[0]! },
    outcome: (answer) => bought({ apiKeys: [answer as never] }, 'ana-key').catch(() => 'does not start'),
    taken: 200,
    refused: 'does not start',
  },
  checkpointMemory: {
    plain: { sequence: 0 },
    outcome: async (answer) => {
      const memory = { last: async () => answer as never, keep: async () => undefined }
      const { service } = await startFixture({ checkpointMemory: memory })
      return service.checkpointMemory!.last('log').then(() => 'read', () => 'rejected') // prettier-ignore
    },
    taken: 'read',
    refused: 'rejected',
  },
  notify: {
    plain: { ok: true },
    outcome: async (answer) => {
      const { service } = await startFixture({ notify: [target(async () => answer as never)] })
      const due = [{ sequence: 1, body: '{}', attempts: 0 }] as never
      const { delivered } = await deliverBatch(service, service.notify[0]!, due, new AbortController().signal)
      return delivered === 1 ? 'delivered' : 'failed'
    },
    taken: 'delivered',
    refused: 'failed',
  },
  resolvers: {
    plain: { value: { id: 'p1' } },
    outcome: (answer) =>
      called(
        { resolution: { mode: 'backend_resolved', resolver_ref: 'places' } },
        { implementation: { resolvers: { places: () => answer as never } } },
      ),
    taken: 200,
    refused: 500,
  },
  actorPolicy: {
    plain: { id: 'p1' },
    outcome: (answer) =>
      called({ resolution: { mode: 'actor_policy' } }, { implementation: { actorPolicy: () => answer as never } }),
    taken: 200,
    refused: 500,
  },
  resolveBinding: {
    plain: { binding_id: 'x', type: 'quote', issued_at: Date.parse('2026-03-01T12:00:00.000Z') },
    outcome: (answer) =>
      called(
        { type: 'string' },
        { implementation: { resolveBinding: () => answer as never } },
        { requires_binding: [{ type: 'quote', field: 'place' }] },
      ),
    taken: 200,
    refused: 500,
  },
  previews: {
    plain: { shows: 'a room' },
    outcome: (answer) =>
      called(
        {},
        { implementation: { previews: { look: () => answer as never } } },
        { approval: { required: 'always', grant_policy: ONE_TIME } },
      ),
    taken: 403,
    refused: 500,
  },
} satisfies { readonly [name: string]: Row }

/** What a handler did cannot be refused: it is what its one JSON text says (below). */
const BY_TEXT = ['handlers']

it('N43: every option of a service and every member of its implementation has a row', () => {
  expect([...Object.keys(NO_ANSWER), ...Object.keys(ROWS), ...BY_TEXT].toSorted()).toEqual(
    [...Object.keys(RUNTIME_OPTIONS), ...Object.keys(IMPLEMENTATION_MEMBERS)].toSorted(),
  )
})

describe.each(Object.entries<Row>(ROWS))('an answer of %s', (_, { plain, outcome, taken, refused }) => {
  it('that is plain is taken', async () => {
    expect(await outcome(plain)).toBe(taken)
  })

  it.each(Object.keys(DISGUISES))('that is, or holds, %s is refused', async (name) => {
    expect(await outcome(DISGUISES[name]!(plain))).toBe(refused)
  })
})

describe('what a handler hands over', () => {
  const FIELDS = { output: { type: 'object', fields: [{ name: 'total', type: 'number' }] } } as const

  /** What a call is answered with whose handler gives an object, and how often that was read. */
  async function answered(result: object) {
    const { invoke, root } = await startFixture({
      capabilities: { look: capability(FIELDS) },
      handlers: { look: () => result },
    })
    const { status, body } = await invoke('look', (await root()).token)
    return status === 200 ? body['result'] : status
  }

  it('is judged and used by one reading', async () => {
    let reads = 0
    const changing = { get total() { return (reads += 1) === 1 ? 7 : 'none' } } // prettier-ignore
    expect([await answered(changing), reads]).toEqual([{ total: 7 }, 1])
  })

  it('has no inherited members', async () => {
    expect(await answered(Object.create({ total: 7 }) as object)).toBe(500)
  })

  it.each([
    [
      'a price that may change',
      ({ bindings }: Handing) =>
        bindings.issue({
          type: 'quote',
          get price() {
            return { currency: 'EUR', amount: 1 }
          },
        }),
    ],
    ['a preview that may change', ({ approvalRequired }: Handing) => approvalRequired(new Proxy({}, {}))],
  ])('is no %s', async (_, hand) => {
    const { invoke, root } = await startFixture({
      capabilities: {
        look: capability({ approval: { required: 'handler', grant_policy: ONE_TIME } }),
        pay: capability({ inputs: [input('quote')], requires_binding: [{ type: 'quote', field: 'quote' }] }),
      },
      handlers: { look: async (_: never, context: Handing) => (await hand(context), {}) },
    })
    expect((await invoke('look', (await root()).token)).status).toBe(500)
  })
})

type Handing = Pick<HandlerContext, 'bindings' | 'approvalRequired'>

/** What is thrown so that looking at it runs code of its own, or fails. */
const THROWN: { readonly [name: string]: () => unknown } = {
  'a proxy that was revoked': revoked,
  'an object whose prototype was revoked': () => Object.create(revoked()) as object,
  'a proxy that passes for a refusal': () => new Proxy({}, { getPrototypeOf: () => Refusal.prototype, get: () => ({ type: 'scope_insufficient', detail: 'No.' }) }),
  'an error whose text is a getter that throws': () => Object.defineProperty(new Error('x'), 'stack', { get: () => { throw new Error('later') } }),
  'an error whose text is none': () => Object.assign(new Error('x'), { stack: { toJSON: () => { throw new Error('later') } } }),
  'a value whose text throws': () => ({ toJSON: () => { throw revoked() } }),
} // prettier-ignore

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

describe('N43: what user code throws', () => {
  it.each(Object.entries(THROWN))('%s: an effect is told and on the trail all the same', async (_, thrown) => {
    const write = capability({ side_effect: { type: 'write' } })
    for (const handler of [() => { throw thrown() }, () => Promise.reject(thrown() as Error), () => ({ given: { toJSON: () => { throw thrown() } } })]) {
      const { root, invoke, trail } = await startFixture({ capabilities: { search: write }, handlers: { search: handler } as never })
      const { token } = await root()
      const { status, body } = await invoke('search', token)
      expect([status, body['failure']!['type']]).toEqual([500, 'outcome_unknown'])
      const last = (await trail(token)).find(({ capability: of }) => of === 'search')
      expect([last!['success'], last!['failure_type']]).toEqual([false, 'outcome_unknown'])
    }
  }) // prettier-ignore

  it.each(Object.entries(THROWN))('%s: a preview or a policy that fails is on the trail', async (_, thrown) => {
    const book = capability({ inputs: [input('place', { required: false, resolution: { mode: 'actor_determined', on_missing: 'actor_policy' } as never })], approval: { required: 'always', grant_policy: ONE_TIME } })
    for (const implementation of [{ previews: { book: () => { throw thrown() } } }, { actorPolicy: () => { throw thrown() } }]) {
      const { root, invoke, trail } = await startFixture({ capabilities: { book }, implementation: implementation as never })
      const { token } = await root()
      const { body } = await invoke('book', token)
      const last = (await trail(token)).find(({ capability: of }) => of === 'book')
      expect([last!['success'], last!['failure_type']]).toEqual([false, body['failure']!['type']])
    }
  }) // prettier-ignore
})
