/** Whom claims name: a person by a subject of bounded length, and an agent by one client alone (section 5.6). */
import { expect, it } from 'vitest'
import { ambiguousProviders } from '../../../src/runtime/auth/oidc/ambiguity.js'
import { agentOf, principalOf } from '../../../src/runtime/auth/oidc/principal.js'

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
