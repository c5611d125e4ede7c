/** Whom claims name: a person by a subject of bounded length, and an agent by one client alone (section 5.6). */
import { describe, expect, it } from 'vitest'
import { ambiguousProviders } from '../../../src/runtime/credentials/oidc/ambiguity.js'
import { agentOf, principalOf } from '../../../src/runtime/credentials/oidc/principal.js'

const options = { issuer: 'https://idp.example', audience: 'svc' }

it.each([
  ['a'.repeat(255), `oidc:${'a'.repeat(255)}`],
  ['a'.repeat(256), undefined],
  ['', undefined],
  [7, undefined],
  ['human:ana', 'oidc:human%3Aana'],
])('the subject %j is %s', (sub, principal) => {
  expect(principalOf(options, { sub })).toBe(principal)
})

it.each([
  [{ azp: 'app' }, 'agent:app'],
  [{ client_id: 'app' }, 'agent:app'],
  [{ cid: 'app' }, 'agent:app'],
  [{ azp: 'app', client_id: 'app', cid: 'app' }, 'agent:app'],
  [{ azp: 'app', client_id: 'other' }, undefined],
  [{ client_id: 'app', cid: 'other' }, undefined],
  [{ azp: 7 }, undefined],
  [{ azp: 'with a blank' }, undefined],
  [{}, undefined],
])('the client of %j is %s', (claims, agent) => {
  expect(agentOf(options, claims as never)).toBe(agent)
})

it('a provider with an alias has it in its names', () => {
  expect(agentOf({ ...options, alias: 'corp' }, { azp: 'app' })).toBe('agent:corp/app')
  expect(principalOf({ ...options, alias: 'corp' }, { sub: '7' })).toBe('oidc:corp/7')
})

it.each([
  ['corp', true],
  ['7-a', true],
  ['a'.repeat(32), true],
  ['a'.repeat(33), false],
  ['', false],
  ['-corp', false],
  ['Corp', false],
  ['corp/eu', false],
])('%j may be the alias of a provider: %s', (alias, mayBe) => {
  expect(ambiguousProviders([{ ...options, alias }]).length === 0).toBe(mayBe)
})

describe('of two providers', () => {
  const other = { issuer: 'https://other.example', audience: 'svc', alias: 'other', emailDomains: ['other.example'] }
  const needs = (what: string) => `The OIDC provider https://idp.example needs ${what}`
  const DOMAINS = needs("emailDomains beside other providers: the domains that it vouches for; or principal: 'sub'.")
  const ALIAS = needs('an alias beside other providers: its people are oidc:<alias>/<sub>.')

  it.each([
    [{ alias: 'corp' }, [DOMAINS]],
    [{ alias: 'corp', principal: 'email' }, [DOMAINS]],
    [{ alias: 'corp', principal: 'email', emailDomains: [] }, [DOMAINS]],
    [{ alias: 'corp', emailDomains: [] }, [DOMAINS]],
    [{ alias: 'corp', principal: 'sub' }, []],
    [{ alias: 'corp', emailDomains: ['idp.example'] }, []],
    [{ alias: 'corp', principal: 'email', emailDomains: ['idp.example'] }, []],
    [{ emailDomains: ['idp.example'] }, [ALIAS]],
    [{ principal: 'sub' }, [ALIAS]],
    [{}, [ALIAS, DOMAINS]],
    [{ alias: 'other', principal: 'sub' }, ['Two OIDC providers have the alias "other": only one may.']],
    [{ alias: 'corp', emailDomains: ['idp.example', 'other.example'] }, ['Two OIDC providers have the e-mail domain "other.example": only one may.']],
  ] as const)('one that says %j is told %j', (given, told) => {
    expect(ambiguousProviders([{ ...options, ...given }, other])).toEqual(told)
    expect(ambiguousProviders([other, { ...options, ...given }])).toEqual(told)
  }) // prettier-ignore

  it.each([[{}], [{ principal: 'email' }], [{ principal: 'sub' }]] as const)(
    'one that says %j may stand alone, under two audiences too',
    (given) => {
      const alone = { ...options, ...given }
      expect(ambiguousProviders([alone])).toEqual([])
      expect(ambiguousProviders([alone, { ...alone, audience: 'other' }])).toEqual([])
    },
  )
})
