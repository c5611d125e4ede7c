import { describe, expect, it } from 'vitest'
import { readClaims } from '../../src/crypto/jws/delegation-claims.js'
import type { JsonObject } from '../../src/protocol/manifest.js'

const LEAST: JsonObject = {
  jti: 'tok_1', iss: 'flights', aud: 'flights', sub: 'agent:bot', iat: 1000, exp: 2000, scope: [], root_principal: 'human:ana',
} // prettier-ignore
const CONSTRAINTS = { max_delegation_depth: 3, concurrent_branches: 'allowed' }
const BUDGET = { currency: 'EUR', max_amount: 0 }

const read = (change: JsonObject) => readClaims({ ...LEAST, ...change }, 'flights')
const READ = {
  ...LEAST,
  nbf: 1000,
  purpose: { parameters: {} },
  constraints: { max_delegation_depth: 0, concurrent_branches: 'exclusive' },
}

describe('claims', () => {
  it.each<[string, JsonObject, object]>([
    ['the least: valid from its issue, for no purpose, no deeper and one at a time', {}, {}],
    ['the service among others in its audience', { aud: ['hotels', 'flights'] }, { aud: 'flights' }],
    ['times within a second', { iat: 1000.9, nbf: 1001.9, exp: 2000.9 }, { iat: 1000, nbf: 1001, exp: 2000 }],
    ['scopes', { scope: ['a', 'b'] }, { scope: ['a', 'b'] }],
    ['a claim that nobody knows, which is left out', { surprise: 1 }, {}],
    ['an empty purpose', { purpose: { parameters: {} } }, {}],
    ['a purpose', { purpose: { parameters: { a: [1] }, task_id: 't' } }, { purpose: { parameters: { a: [1] }, task_id: 't' } }],
    ['constraints', { constraints: CONSTRAINTS }, { constraints: CONSTRAINTS }],
    ['one branch at a time', { constraints: { ...CONSTRAINTS, concurrent_branches: 'exclusive' } }, { constraints: { ...CONSTRAINTS, concurrent_branches: 'exclusive' } }],
    ['a budget', { constraints: { ...CONSTRAINTS, budget: BUDGET } }, { constraints: { ...CONSTRAINTS, budget: BUDGET } }],
    ['a budget for all calls', { constraints: { ...CONSTRAINTS, budget: { ...BUDGET, mode: 'cumulative' } } }, { constraints: { ...CONSTRAINTS, budget: { ...BUDGET, mode: 'cumulative' } } }],
    ['a budget for each call', { constraints: { ...CONSTRAINTS, budget: { ...BUDGET, mode: 'per_invocation' } } }, { constraints: { ...CONSTRAINTS, budget: { ...BUDGET, mode: 'per_invocation' } } }],
    ['whatever else is optional', { capability: 'book', parent_token_id: 'tok_0', caller_class: 'internal', session_id: 's' }, { capability: 'book', parent_token_id: 'tok_0', caller_class: 'internal', session_id: 's' }],
  ])('may have %s', (_, change, expected) => {
    expect(read(change)).toStrictEqual({ ...READ, ...expected })
  }) // prettier-ignore

  it.each(Object.keys(LEAST))('must have %s', (name) => {
    const { [name]: _, ...rest } = LEAST
    expect(readClaims(rest as JsonObject, 'flights')).toBeUndefined()
  })

  it.each<JsonObject>([
    { jti: '' }, { jti: 1 }, { jti: null }, { iss: '' }, { iss: 1 }, { aud: 'hotels' }, { aud: ['hotels'] }, { aud: [] }, { aud: ['flights', 1] },
    { aud: { flights: 'flights' } }, { aud: 'flights,hotels' }, { sub: 'bot' }, { sub: 1 }, { root_principal: 'ana' }, { root_principal: null },
    { iat: '1000' }, { nbf: '1000' }, { nbf: null }, { exp: '2000' }, { exp: null }, { scope: 'a' }, { scope: ['a', 1] }, { scope: ['a', ''] }, { scope: {} },
    { capability: 1 }, { capability: '' }, { parent_token_id: null }, { caller_class: [] }, { session_id: {} },
    { purpose: null }, { purpose: 'x' }, { purpose: [] }, { purpose: {} }, { purpose: { parameters: [] } }, { purpose: { parameters: null } }, { purpose: { parameters: 'x' } },
    { purpose: { parameters: {}, task_id: 1 } }, { purpose: { parameters: {}, task_id: '' } }, { purpose: { parameters: {}, extra: 1 } },
    { constraints: null }, { constraints: [] }, { constraints: {} }, { constraints: { ...CONSTRAINTS, extra: 1 } },
    { constraints: { max_delegation_depth: 3 } }, { constraints: { concurrent_branches: 'allowed' } },
    { constraints: { ...CONSTRAINTS, max_delegation_depth: '3' } }, { constraints: { ...CONSTRAINTS, max_delegation_depth: 1.5 } },
    { constraints: { ...CONSTRAINTS, concurrent_branches: 'many' } }, { constraints: { ...CONSTRAINTS, concurrent_branches: 1 } },
    { constraints: { ...CONSTRAINTS, budget: null } }, { constraints: { ...CONSTRAINTS, budget: [] } }, { constraints: { ...CONSTRAINTS, budget: {} } },
    { constraints: { ...CONSTRAINTS, budget: { currency: 'EUR' } } }, { constraints: { ...CONSTRAINTS, budget: { max_amount: 1 } } },
    { constraints: { ...CONSTRAINTS, budget: { ...BUDGET, currency: '' } } }, { constraints: { ...CONSTRAINTS, budget: { ...BUDGET, max_amount: '1' } } },
    { constraints: { ...CONSTRAINTS, budget: { ...BUDGET, max_amount: -0.01 } } }, { constraints: { ...CONSTRAINTS, budget: { ...BUDGET, mode: 'daily' } } },
    { constraints: { ...CONSTRAINTS, budget: { ...BUDGET, extra: 1 } } },
  ])('may not be %j', (change) => {
    expect(read(change)).toBeUndefined()
  }) // prettier-ignore
})
