import { describe, expect, it } from 'vitest'
import type { Limits } from '../../src/protocol/manifest.js'
import type { DelegationClaims, TokenRecord, TokenRequest } from '../../src/protocol/token.js'
import { childAuthority } from '../../src/runtime/auth/child-authority.js'
import { rootAuthority } from '../../src/runtime/auth/root-authority.js'
import type { Identity } from '../../src/runtime/definition.js'
import { Refusal } from '../../src/runtime/errors/refusal.js'
import { capability, manifestOf } from './fixture/manifest.js'

const NOW = 1_000_000
const LIMITS: Limits = { max_delegation_depth: 4, default_ttl_hours: 2, max_ttl_hours: 24 }

/** The answer, or type and detail of the refusal. */
function outcomeOf(ask: () => unknown): unknown {
  try {
    return ask()
  } catch (error) {
    return error instanceof Refusal ? [error.failure.type, error.failure.detail] : error
  }
}

const PARENT: DelegationClaims = {
  jti: 'tok_1', iss: 's', aud: 's', sub: 'agent:1', iat: NOW, nbf: NOW, exp: NOW + 7200, root_principal: 'human:ana', scope: ['a', 'b'],
  purpose: { parameters: {} }, constraints: { max_delegation_depth: 3, concurrent_branches: 'allowed' },
} // prettier-ignore

const child = (asked: Partial<TokenRequest>, parent: Partial<DelegationClaims> = {}, depth = 1) => {
  const record: TokenRecord = { depth, claims: { ...PARENT, ...parent } }
  return outcomeOf(() => childAuthority(LIMITS, record, { scope: ['a'], ...asked }, NOW))
}
const PLAIN = {
  sub: 'agent:1', root_principal: 'human:ana', parent_token_id: 'tok_1', scope: ['a'], purpose: { parameters: {} },
  constraints: { max_delegation_depth: 3, concurrent_branches: 'allowed' }, exp: NOW + 7200,
} // prettier-ignore

const budgeted = (max_amount: number, mode?: 'cumulative' | 'per_invocation', currency = 'EUR') => ({
  ...PARENT.constraints,
  budget: { currency, max_amount, ...(mode !== undefined && { mode }) },
})

describe('a child token', () => {
  it('has no member that neither it nor its parent has', () => {
    expect(child({})).toStrictEqual(PLAIN)
  })

  it.each([
    ['its subject', { subject: 'agent:2' }, {}, { sub: 'agent:2' }],
    ['a capability', { capability: 'x' }, {}, { capability: 'x' }],
    ['the capability of its parent', {}, { capability: 'x' }, { capability: 'x' }],
    ['the capability of its parent, named again', { capability: 'x' }, { capability: 'x' }, { capability: 'x' }],
    ['the class of its parent', {}, { caller_class: 'internal' }, { caller_class: 'internal' }],
    ['the class of its parent, named again', { caller_class: 'internal' }, { caller_class: 'internal' }, { caller_class: 'internal' }],
    ['the session of its parent', {}, { session_id: 's' }, { session_id: 's' }],
    ['all scopes of its parent', { scope: ['b', 'a'] }, {}, { scope: ['b', 'a'] }],
    ['a shorter life', { ttl_hours: 1 }, {}, { exp: NOW + 3600 }],
    ['no longer life', { ttl_hours: 24 }, {}, { exp: NOW + 7200 }],
    ['half a second less where hours are no whole seconds', { ttl_hours: 1.9999 / 3600 }, {}, { exp: NOW + 1 }],
    ['a budget of its own', { budget: { currency: 'EUR', max_amount: 5 } }, {}, { constraints: budgeted(5) }],
    ['the budget of its parent', {}, { constraints: budgeted(5) }, { constraints: budgeted(5) }],
    ['the same budget', { budget: { currency: 'EUR', max_amount: 5 } }, { constraints: budgeted(5) }, { constraints: budgeted(5) }],
    ['a smaller budget', { budget: { currency: 'EUR', max_amount: 4.99 } }, { constraints: budgeted(5) }, { constraints: budgeted(4.99) }],
    ['a cumulative budget for each call', { budget: { currency: 'EUR', max_amount: 5, mode: 'cumulative' } }, { constraints: budgeted(5) }, { constraints: budgeted(5, 'cumulative') }],
    ['a cumulative budget below a cumulative one', { budget: { currency: 'EUR', max_amount: 5 } }, { constraints: budgeted(5, 'cumulative') }, { constraints: budgeted(5, 'cumulative') }],
    ['a cumulative budget, whatever it asks for', { budget: { currency: 'EUR', max_amount: 5, mode: 'per_invocation' } }, { constraints: budgeted(5, 'cumulative') }, { constraints: budgeted(5, 'cumulative') }],
    ['less depth', { max_delegation_depth: 2 }, {}, { constraints: { max_delegation_depth: 2, concurrent_branches: 'allowed' } }],
    ['the same depth', { max_delegation_depth: 3 }, {}, {}],
    ['one branch at a time', { concurrent_branches: 'exclusive' }, {}, { constraints: { max_delegation_depth: 3, concurrent_branches: 'exclusive' } }],
    ['one branch at a time, as its parent', { concurrent_branches: 'allowed' }, { constraints: { max_delegation_depth: 3, concurrent_branches: 'exclusive' } }, { constraints: { max_delegation_depth: 3, concurrent_branches: 'exclusive' } }],
    ['the purpose of its parent and more', { purpose_parameters: { team: 'x', task_id: 't' } }, { purpose: { parameters: { team: 'x' } } }, { purpose: { parameters: { task_id: 't', team: 'x' }, task_id: 't' } }],
    ['the purpose of its parent', {}, { purpose: { parameters: { task_id: 't' }, task_id: 't' } }, { purpose: { parameters: { task_id: 't' }, task_id: 't' } }],
    ['a purpose without a task where the task is no text', { purpose_parameters: { task_id: 7 } }, {}, { purpose: { parameters: { task_id: 7 } } }],
    ['a purpose that is named like a member of every object', { purpose_parameters: { toString: 'x' } }, {}, { purpose: { parameters: { toString: 'x' } } }],
  ] as const)('has %s', (_, asked, parent, expected) => {
    expect(child(asked, parent)).toStrictEqual({ ...PLAIN, ...expected })
  }) // prettier-ignore

  it('is at the depth that its parent allows', () => {
    expect(child({}, {}, 2)).toStrictEqual(PLAIN)
    expect(child({ max_delegation_depth: 3 }, {}, 2)).toStrictEqual(PLAIN)
  })

  it.each([
    [{ scope: ['a', 'c', 'd'] }, {}, 'scope_escalation', 'The parent token lacks c, d.'],
    [{ capability: 'y' }, { capability: 'x' }, 'scope_escalation', 'The member capability may not differ from that of the parent token.'],
    [{ caller_class: 'internal' }, {}, 'scope_escalation', 'The member caller_class is set on the root token and inherited.'],
    [{ caller_class: 'internal' }, { caller_class: 'partner' }, 'scope_escalation', 'The member caller_class is set on the root token and inherited.'],
    [{ session_id: 's' }, {}, 'scope_escalation', 'The member session_id is set on the root token and inherited.'],
    [{ budget: { currency: 'USD', max_amount: 1 } }, { constraints: budgeted(5) }, 'budget_currency_mismatch', 'The budget of the parent token is in EUR.'],
    [{ budget: { currency: 'EUR', max_amount: 5.01 } }, { constraints: budgeted(5) }, 'budget_exceeded', 'The budget of the parent token is 5 EUR.'],
    [{ purpose_parameters: { team: 'y' } }, { purpose: { parameters: { team: 'x' } } }, 'purpose_mismatch', 'A purpose parameter of the parent token may not change.'],
    [{ max_delegation_depth: 4 }, {}, 'delegation_depth_exceeded', 'The member max_delegation_depth must be between 2 and 3.'],
    [{ max_delegation_depth: 1 }, {}, 'delegation_depth_exceeded', 'The member max_delegation_depth must be between 2 and 3.'],
    [{ ttl_hours: 24.1 }, {}, 'invalid_parameters', 'The member ttl_hours may be 24 at most.'],
    [{ subject: 'human:ana' }, {}, 'insufficient_authority', 'Here agent:1 may name itself or a subject that begins with agent:.'],
    [{ subject: 'service:pay' }, {}, 'insufficient_authority', 'Here agent:1 may name itself or a subject that begins with agent:.'],
    [{ subject: 'human:eve' }, { sub: 'human:bob' }, 'insufficient_authority', 'Here human:bob may name itself or a subject that begins with agent: or service:.'],
    [{ subject: 'human:eve' }, { sub: 'service:pay' }, 'insufficient_authority', 'Here service:pay may name itself or a subject that begins with agent: or service:.'],
    [{ subject: 'robot:1' }, {}, 'invalid_parameters', 'The member subject must be a principal: human:, agent:, service: or oidc: and a name.'],
  ] as const)('may not ask for %j below %j: %s', (asked, parent, type, detail) => {
    expect(child(asked, parent)).toEqual([type, detail])
  }) // prettier-ignore

  it.each(['human:eve', 'oidc:eve', 'service:pay', 'agent:2'] as const)(
    'of a person below its own root may be for %s',
    (subject) => {
      expect(child({ subject }, { sub: 'human:ana' })).toStrictEqual({ ...PLAIN, sub: subject })
      expect(child({ subject }, { sub: 'oidc:1', root_principal: 'oidc:1' })).toMatchObject({ sub: subject })
    },
  )

  it('is for no other person where the manifest forbids it', () => {
    const limits = { ...LIMITS, delegate_to_humans: false }
    const record: TokenRecord = { depth: 1, claims: { ...PARENT, sub: 'human:ana' } }
    const asked = (subject: string) => outcomeOf(() => childAuthority(limits, record, { scope: ['a'], subject }, NOW))
    expect(asked('human:eve')).toEqual([
      'insufficient_authority',
      'Here human:ana may name itself or a subject that begins with agent: or service:.',
    ])
    expect(asked('agent:2')).toStrictEqual({ ...PLAIN, sub: 'agent:2' })
  })

  it('may not be below the depth that its parent allows', () => {
    expect(child({}, {}, 3)).toEqual(['delegation_depth_exceeded', 'The parent token allows a delegation depth of 3.'])
  })
})

const tiers = [{ cost_above: 5, approver_scope: 'board' }]
const grant_policy = { allowed_grant_types: ['one_time'], default_grant_type: 'one_time', expires_in_seconds: 60, max_uses: 1 } as const // prettier-ignore

/** A new one for each test: what a principal is entitled to is gathered once for each manifest. */
const manifest = () =>
  manifestOf(
    {
      x: capability({ minimum_scope: ['a', 'b'] }),
      y: capability({ minimum_scope: ['approver:x', 'desk', 'board', 'c'] }),
      z: capability({ minimum_scope: ['a'], approval: { required: 'always', grant_policy, tiers } }),
    },
    { limits: LIMITS, approvals: { approver_scope: 'desk' } as never },
  )
const root = (asked: Partial<TokenRequest>, identity: Partial<Identity> = {}) =>
  outcomeOf(() => rootAuthority(manifest(), { principal: 'human:ana', ...identity }, { scope: ['a'], ...asked }, NOW))
const ROOT = {
  sub: 'human:ana', root_principal: 'human:ana', scope: ['a'], purpose: { parameters: {} },
  constraints: { max_delegation_depth: 4, concurrent_branches: 'allowed' }, exp: NOW + 7200,
} // prettier-ignore

describe('a root token', () => {
  it('has no member that was not asked for', () => {
    expect(root({})).toStrictEqual(ROOT)
  })

  it.each([
    ['an agent as its subject', { subject: 'agent:1' }, {}, { sub: 'agent:1' }],
    ['a service as its subject', { subject: 'service:pay' }, {}, { sub: 'service:pay' }],
    ['an agent as its subject, whoever signed in', { subject: 'agent:1' }, { principal: 'oidc:4711' }, { sub: 'agent:1', root_principal: 'oidc:4711' }],
    ['a service as its subject, whoever signed in', { subject: 'service:pay' }, { principal: 'oidc:4711' }, { sub: 'service:pay', root_principal: 'oidc:4711' }],
    ['its principal as its subject', { subject: 'human:ana' }, {}, {}],
    ['the scopes of every capability', { scope: ['a', 'b', 'c'] }, {}, { scope: ['a', 'b', 'c'] }],
    ['the scopes of its credential', { scope: ['approver:x'] }, { scopes: ['approver:x'] }, { scope: ['approver:x'] }],
    ['a capability', { capability: 'x' }, {}, { capability: 'x' }],
    ['a purpose', { purpose_parameters: { task_id: 't' } }, {}, { purpose: { parameters: { task_id: 't' }, task_id: 't' } }],
    ['a budget', { budget: { currency: 'EUR', max_amount: 5 } }, {}, { constraints: { ...ROOT.constraints, budget: { currency: 'EUR', max_amount: 5 } } }],
    ['the depth of the service', { max_delegation_depth: 4 }, {}, {}],
    ['less depth', { max_delegation_depth: 0 }, {}, { constraints: { ...ROOT.constraints, max_delegation_depth: 0 } }],
    ['one branch at a time', { concurrent_branches: 'exclusive' }, {}, { constraints: { ...ROOT.constraints, concurrent_branches: 'exclusive' } }],
    ['a class of its credential', { caller_class: 'internal' }, { caller_classes: ['internal'] }, { caller_class: 'internal' }],
    ['a session', { session_id: 's' }, {}, { session_id: 's' }],
    ['the longest life', { ttl_hours: 24 }, {}, { exp: NOW + 86_400 }],
  ] as const)('has %s', (_, asked, identity, expected) => {
    expect(root(asked, identity)).toStrictEqual({ ...ROOT, ...expected })
  }) // prettier-ignore

  it.each([
    [{ scope: ['a', 'e', 'f'] }, {}, 'scope_escalation', 'The credential is not entitled to e, f.'],
    [{ scope: ['approver:x'] }, {}, 'scope_escalation', 'The credential is not entitled to approver:x.'],
    [{ scope: ['desk'] }, {}, 'scope_escalation', 'The credential is not entitled to desk.'],
    [{ scope: ['board'] }, {}, 'scope_escalation', 'The credential is not entitled to board.'],
    [{ scope: ['a', 'approver:x', 'desk', 'board', 'c'] }, {}, 'scope_escalation', 'The credential is not entitled to approver:x, desk, board.'],
    [{}, { scopes: ['b'] }, 'scope_escalation', 'The credential is not entitled to a.'],
    [{ caller_class: 'internal' }, {}, 'scope_escalation', 'The credential is not entitled to the caller class internal.'],
    [{ caller_class: 'internal' }, { caller_classes: ['partner'] }, 'scope_escalation', 'The credential is not entitled to the caller class internal.'],
    [{ capability: 'w' }, {}, 'unknown_capability', 'There is no capability w.'],
    [{ capability: 'toString' }, {}, 'unknown_capability', 'There is no capability toString.'],
    [{ max_delegation_depth: 5 }, {}, 'delegation_depth_exceeded', 'This service allows a delegation depth of 4 at most.'],
    [{ subject: 'human:eve' }, { principal: 'oidc:4711' }, 'insufficient_authority', 'Here oidc:4711 may name itself or a subject that begins with agent: or service:.'],
    [{ subject: 'human:eve' }, {}, 'insufficient_authority', 'Here human:ana may name itself or a subject that begins with agent: or service:.'],
    [{ subject: 'service:pay' }, { principal: 'agent:bot' }, 'insufficient_authority', 'Here agent:bot may name itself or a subject that begins with agent:.'],
    [{ ttl_hours: 25 }, {}, 'invalid_parameters', 'The member ttl_hours may be 24 at most.'],
  ] as const)('may not ask for %j with %j: %s', (asked, identity, type, detail) => {
    expect(root(asked, identity)).toEqual([type, detail])
  }) // prettier-ignore
})
