/** Names of people, things and credentials, and what a service says that it does (sections 2.1, 2.3 and 2.11). */
import { describe, expect, it } from 'vitest'
import { tierScopes } from '../../src/protocol/approver-scopes.js'
import { isSameCredential, type ProvenBy } from '../../src/protocol/credential.js'
import { canAskForApproval, isFinancial, operationsOf } from '../../src/protocol/discovery.js'
import { CAPABILITY_NAME, INVOCATION_ID, isIdOf, SCOPE } from '../../src/protocol/identifiers.js'
import { classOf, isPrincipal } from '../../src/protocol/principals.js'
import { servedManifest } from '../../src/protocol/served-manifest.js'
import { testClock } from '../../src/runtime/testing/clock.js'
import { entitledAs } from '../../src/runtime/testing/principals.js'
import { capability, manifestOf } from '../runtime/fixture/manifest.js'

it.each<[unknown, boolean]>([
  ['human:ana', true], ['agent:a:b', true], ['service:x', true], ['oidc:staff/7', true], [`human:${'x'.repeat(300)}`, true], [`oidc:${'%2F'.repeat(300)}`, true], [`oidc:${'%E2%82%AC'.repeat(113)}`, true], ['human:東京', true],
  [`human:${'x'.repeat(301)}`, false], [`oidc:${'%2F'.repeat(301)}`, false], [`oidc:${'%E2%82%AC'.repeat(114)}`, false], [`oidc:${'%'.repeat(301)}`, false], ['human:', false], ['human', false], ['Human:ana', false], ['root:ana', false], ['human:a b', false], [' human:ana', false],
  ['human:ana\n', false], ['human:a\u200bna', false], ['human:a\u00a0b', false], ['human:a\u202eb', false], [['human:ana'], false], [undefined, false],
])('%j is a principal: %s', (value, expected) => {
  expect(isPrincipal(value)).toBe(expected)
}) // prettier-ignore

it.each([
  [0x1680, false], [0x2000, false], [0x2003, false], [0x2007, false], [0x2009, false], [0x200a, false], [0x2028, false], [0x2029, false], [0x202f, false],
  [0x205f, false], [0x3000, false], [0x00ad, false], [0x061c, false], [0x2060, false], [0xfeff, false], [0xe000, false], [0x167f, true], [0x1681, true],
  [0x2010, true], [0x2027, true], [0x2030, true], [0x205e, true], [0x3001, true], [0x00a1, true],
])('a principal may hold the character %i: %s', (code, expected) => {
  const character = String.fromCodePoint(code)
  const names = [`human:${character}`, `human:${character}ana`, `human:a${character}b`, `human:ana${character}`]
  expect(names.map(isPrincipal)).toEqual([expected, expected, expected, expected])
}) // prettier-ignore

it('the class of a principal is what stands before its first colon', () => {
  expect([classOf('agent:human:x'), classOf('oidc:a')]).toEqual(['agent', 'oidc'])
})

it.each<[ProvenBy, ProvenBy, boolean]>([
  [{ api_key: 'a' }, { api_key: 'a' }, true],
  [{ api_key: 'a' }, { api_key: 'b' }, false],
  [{ issuer: 'i', subject: 's' }, { issuer: 'i', subject: 's' }, true],
  [{ issuer: 'i', subject: 's' }, { issuer: 'j', subject: 's' }, false],
  [{ issuer: 'i', subject: 's' }, { issuer: 'i', subject: 't' }, false],
  [{ issuer: 'i', subject: 's' }, { api_key: 's' }, false],
  [{ api_key: 's' }, { issuer: 'i', subject: 's' }, false],
])('%j and %j are the same credential: %s', (one, other, expected) => {
  expect(isSameCredential(one, other)).toBe(expected)
})

it.each([
  ['tok_', 'token', false], ['tok_a', 'token', true], [`tok_${'a'.repeat(124)}`, 'token', true], [`tok_${'a'.repeat(125)}`, 'token', false],
  ['apr_a', 'token', false], ['xtok_a', 'token', false], ['tok_a.b', 'token', false], ['tok_a\n', 'token', false], ['blk_a', 'block', true],
] as const)('%j is the id of a %s: %s', (text, kind, expected) => {
  expect(isIdOf(kind, text)).toBe(expected)
}) // prettier-ignore

it('names, scopes and ids are matched whole', () => {
  expect(['travel.book_flight', 'a', 'Travel', 'a..b', 'a_', '_a', 'a\n', 'a'.repeat(129)].map((name) => CAPABILITY_NAME.test(name))).toEqual([true, true, false, false, false, false, false, false]) // prettier-ignore
  expect(['a:b.c-d_e', 'A', '', 'a b', 'a\n', 'a'.repeat(128), 'a'.repeat(129)].map((scope) => SCOPE.test(scope))).toEqual([true, false, false, false, false, true, false]) // prettier-ignore
  expect(['inv-0123456789ab', 'inv-0123456789AB', 'inv-0123456789abc', 'inv-0123456789ab\n'].map((id) => INVOCATION_ID.test(id))).toEqual([true, false, false, false]) // prettier-ignore
})

const grant_policy = { allowed_grant_types: ['one_time'], default_grant_type: 'one_time', expires_in_seconds: 60, max_uses: 1 } as const // prettier-ignore
const tiers = [{ cost_above: 5, approver_scope: 'board' }, { cost_above: 9, approver_scope: 'board' }] as never // prettier-ignore
const approval = { required: 'always', grant_policy, tiers } as const

describe('a service', () => {
  it('takes approvals where one capability asks for them, and checkpoints where trust is anchored', () => {
    const plain = manifestOf({ search: capability() }, { trust: { level: 'signed' } })
    const asking = manifestOf({ search: capability(), book: capability({ approval }) })
    expect([canAskForApproval(plain), canAskForApproval(asking)]).toEqual([false, true])
    const [few, all] = [operationsOf(plain), operationsOf(asking)]
    expect(all.filter((operation) => !few.includes(operation))).toEqual([
      'approval_list', 'approval_read', 'approval_deny', 'approval_withdraw', 'approval_grants', 'approval_grant_revoke', 'checkpoints', 'checkpoint', 'operator_approvals',
    ]) // prettier-ignore
  })

  it('says that a capability costs money where it does itself, or a step of it', () => {
    const pay = capability({ cost: { certainty: 'fixed', financial: { currency: 'EUR', amount: 5 } } })
    const whole = (step: string) => capability({ composition: { steps: [{ id: 'one', capability: step }] } as never })
    const manifest = manifestOf({
      search: capability(),
      pay,
      trip: whole('pay'),
      look: whole('search'),
      wait: whole('slow'),
      slow: capability({ cost: { certainty: 'fixed' } }),
    })
    expect(Object.values(manifest.capabilities).map((each) => isFinancial(manifest, each))).toEqual([false, true, true, false, false, false]) // prettier-ignore
  })

  it('publishes no keys and no digest that its source made up, and nothing of what it keeps to itself', () => {
    const source = manifestOf({ search: capability() }, {
      manifest_metadata: { version: '0.24.0', 'x-team': 'travel', 'x-tools-sha256': 'made up' },
      service_identity: { id: 'flights', 'x-keys': { k: { role: 'audit' } } },
    } as never) // prettier-ignore
    const times = { issued_at: 'then', expires_at: 'later' }
    expect(servedManifest(source, times)).toMatchObject({ manifest_metadata: { version: '0.24.0', 'x-team': 'travel', ...times } }) // prettier-ignore
    const { manifest_metadata, service_identity, ...rest } = servedManifest(source, times)
    expect(manifest_metadata).not.toHaveProperty('x-tools-sha256')
    expect(service_identity).toEqual({ id: 'flights', jwks_uri: '/.well-known/jwks.json', issuer_mode: 'self' })
    expect(Object.keys(rest).toSorted()).toEqual(['capabilities', 'trust'])
  })

  it('names the scope of several tiers once', () => {
    expect(tierScopes({ book: { approval }, search: {} })).toEqual(['board'])
  })
})

describe('in a test', () => {
  const manifest = manifestOf({ search: capability({ minimum_scope: ['a', 'approver:x', 'desk'] }), book: capability({ minimum_scope: ['a', 'b'], approval }) }, { approvals: { approver_scope: 'desk' } as never }) // prettier-ignore

  it('a person is entitled to every scope but those of approvers, an approver to those, an agent to none', () => {
    expect(entitledAs(manifest, 'developer', 'human:ana').scopes).toEqual(['a', 'b'])
    expect(entitledAs(manifest, 'approver', 'human:bob').scopes).toEqual(['desk', 'approver:search', 'approver:book', 'board']) // prettier-ignore
    expect(entitledAs(manifest, 'agent', 'agent:x').scopes).toEqual([])
    expect(entitledAs(manifest, 'approver', { principal: 'human:bob', scopes: ['a'] })).toEqual({ principal: 'human:bob', scopes: ['a'] }) // prettier-ignore
  })

  it('time passes by what is said, and never back', () => {
    const clock = testClock('2030-05-01T12:00:00Z')
    clock.pass('PT15M')
    clock.pass(1)
    expect(new Date(clock.now()).toISOString()).toBe('2030-05-01T12:15:00.001Z')
    expect(() => clock.pass(-1)).toThrow('-1 is no time to pass')
    expect(() => clock.pass('soon')).toThrow('soon is no time to pass')
    expect(() => testClock('soon')).toThrow('soon is no time such as')
  })
})
