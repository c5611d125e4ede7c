import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { minorUnits } from '../../src/protocol/money.js'
import type { DelegationClaims, TokenRecord, TokenRequest } from '../../src/protocol/token.js'
import { childAuthority } from '../../src/runtime/auth/child-authority.js'
import type { Capability } from '../../src/protocol/manifest.js'
import { capability } from './fixture/manifest.js'
import { startFixture, type Reading } from './fixture/service.js'

/** A million on demand: `CHAINS=1000000`. */
const CHAINS = Number(process.env['CHAINS'] ?? 100_000)

const SCOPES = ['a', 'b', 'c', 'approver:x']
const maybe = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined, freq: 2 })
const some = <Value>(...values: readonly Value[]) => fc.constantFrom(...values)
const purpose = fc.dictionary(some('task_id', 'team'), some('x', 'y'), { maxKeys: 2 })
const budget = fc.record({
  currency: some('EUR', 'JPY'),
  max_amount: fc.nat(5),
  mode: some('per_invocation', 'cumulative'),
})

/** What somebody may ask for, sensible or not. Undefined members are absent. */
const request = fc.record({
  scope: fc.subarray(SCOPES, { minLength: 1 }),
  capability: maybe(some('x', 'y')),
  subject: some('agent:1', 'agent:2', 'human:ana', 'service:s'),
  purpose_parameters: maybe(purpose),
  budget: maybe(budget),
  caller_class: maybe(some('internal', 'partner')),
  concurrent_branches: maybe(some('allowed', 'exclusive')),
  ttl_hours: maybe(some(0.5, 1, 24)),
  session_id: maybe(some('s', 't')),
  max_delegation_depth: maybe(fc.nat(5)),
}) as fc.Arbitrary<TokenRequest>

const NOW = 1_000_000
const LIMITS = { max_delegation_depth: 5, default_ttl_hours: 2, max_ttl_hours: 24 }

const ROOT: TokenRecord = {
  depth: 0,
  claims: {
    jti: 'tok_0', iss: 's', aud: 's', sub: 'agent:1', iat: NOW, nbf: NOW, exp: NOW + 7200, root_principal: 'human:ana', scope: SCOPES,
    purpose: { parameters: { team: 'x' } }, caller_class: 'partner', session_id: 's',
    constraints: { max_delegation_depth: 4, concurrent_branches: 'allowed', budget: { currency: 'EUR', max_amount: 4 } },
  },
} // prettier-ignore

/** The child of a token, or nothing where the request is refused. */
function childOf(parent: TokenRecord, asked: TokenRequest): TokenRecord | undefined {
  try {
    const authority = childAuthority(LIMITS, parent, asked, NOW)
    return {
      depth: parent.depth + 1,
      claims: { jti: `tok_${parent.depth + 1}`, iss: 's', aud: 's', iat: NOW, nbf: NOW, ...authority },
    }
  } catch {
    return undefined
  }
}

const units = (money: { readonly currency: string; readonly max_amount: number }) =>
  minorUnits({ currency: money.currency, amount: money.max_amount })!

/** Dimension -> whether a child stays within its parent: written from the document, not from the code. */
const WITHIN: { readonly [dimension: string]: (child: DelegationClaims, parent: DelegationClaims) => boolean } = {
  scope: (child, parent) => child.scope.every((scope) => parent.scope.includes(scope)),
  capability: (child, parent) => parent.capability === undefined || child.capability === parent.capability,
  purpose: (child, parent) =>
    Object.entries(parent.purpose.parameters).every(([name, value]) => child.purpose.parameters[name] === value),
  task: (child, parent) => parent.purpose.task_id === undefined || child.purpose.task_id === parent.purpose.task_id,
  budget: ({ constraints: child }, { constraints: parent }) =>
    parent.budget === undefined ||
    (child.budget?.currency === parent.budget.currency && units(child.budget) <= units(parent.budget)),
  budget_mode: ({ constraints: child }, { constraints: parent }) =>
    parent.budget?.mode !== 'cumulative' || child.budget?.mode === 'cumulative',
  caller_class: (child, parent) => child.caller_class === parent.caller_class,
  session: (child, parent) => child.session_id === parent.session_id,
  concurrency: ({ constraints: child }, { constraints: parent }) =>
    parent.concurrent_branches !== 'exclusive' || child.concurrent_branches === 'exclusive',
  depth: ({ constraints: child }, { constraints: parent }) => child.max_delegation_depth <= parent.max_delegation_depth,
  expiry: (child, parent) => child.exp <= parent.exp,
  root: (child, parent) => child.root_principal === parent.root_principal,
  subject: (child, parent) => child.sub === parent.sub || !child.sub.startsWith('human:'),
}

describe('S08: delegation', () => {
  it(`never widens authority, in any dimension, over ${CHAINS} chains`, () => {
    let issued = 0
    fc.assert(
      fc.property(fc.array(request, { minLength: 1, maxLength: 6 }), (requests) => {
        let parent = ROOT
        for (const asked of requests) {
          const child = childOf(parent, asked)
          if (child === undefined) continue
          issued += 1
          for (const [dimension, within] of Object.entries(WITHIN))
            if (!within(child.claims, parent.claims))
              throw new Error(`${dimension} widened: ${JSON.stringify([parent.claims, child.claims])}`)
          if (child.depth > parent.claims.constraints.max_delegation_depth) throw new Error('too deep')
          parent = child
        }
      }),
      { numRuns: CHAINS },
    )
    expect(issued).toBeGreaterThan(CHAINS / 20)
  }, 600_000)
})

const SIDE_EFFECTS = ['read', 'write'] as const
const declared = fc.record({
  minimum_scope: fc.subarray(['a', 'b', 'c'], { minLength: 1 }),
  requires_principal: maybe(fc.subarray(['human', 'agent'] as const, { minLength: 1 })),
  control_requirements: maybe(
    fc.subarray([{ type: 'cost_ceiling' }, { type: 'stronger_delegation_required' }] as const),
  ),
  side_effect: fc.record({ type: some(...SIDE_EFFECTS) }),
})

const without = (members: object) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))

describe('permissions and invoke', () => {
  it('P01 never disagree, over random tokens and capabilities', async () => {
    const everything = { all: capability({ minimum_scope: ['a', 'b', 'c'] }) }
    await fc.assert(
      fc.asyncProperty(declared, declared, request, maybe(request), async (one, two, asked, below) => {
        const capabilities = {
          ...everything,
          x: capability(without(one) as Partial<Capability>),
          y: capability(without(two) as Partial<Capability>),
        }
        const { post, invoke } = await startFixture({ capabilities })
        const { session_id: _, caller_class: __, purpose_parameters: ___, ...rootAsked } = asked
        const root = await post(
          '/svc/tokens',
          'ana-key',
          without({
            ...rootAsked,
            scope: rootAsked.scope
              .filter((scope) => scope.length === 1)
              .concat('a')
              .filter(unique),
          }),
        )
        const token =
          root.status === 200 && below !== undefined
            ? ((await post(
                '/svc/tokens',
                root.body['token'],
                without({ ...below, parent_token: root.body['token_id'] }),
              )) ?? root)
            : root
        const bearer = (token.status === 200 ? token : root).body['token']
        if (bearer === undefined) return
        const { body } = await post('/svc/permissions', bearer)
        for (const bucket of ['available', 'restricted', 'denied'])
          for (const entry of body[bucket] as unknown as readonly Reading[]) await agrees(bucket, entry, invoke, bearer)
      }),
      { numRuns: 500 },
    )
  }, 120_000)
})

const unique = <Value>(value: Value, index: number, all: readonly Value[]) => all.indexOf(value) === index

async function agrees(
  bucket: string,
  entry: Reading,
  invoke: Awaited<ReturnType<typeof startFixture>>['invoke'],
  bearer: string,
): Promise<void> {
  const { status, body } = await invoke(entry['capability']!, bearer)
  if (bucket === 'available') return expect([entry['capability'], status]).toEqual([entry['capability'], 200])
  if (bucket === 'denied') {
    expect(Object.keys(entry)).toEqual(['capability', 'reason', 'reason_type'])
    return expect(body['failure']).toMatchObject({ type: 'non_delegable_action', detail: entry['reason'] })
  }
  expect(body['failure']?.['resolution']?.['action']).toBe(entry['resolution_hint'])
  expect(body['failure']?.['detail']).toBe(entry['reason'])
}
