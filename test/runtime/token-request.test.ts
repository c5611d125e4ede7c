import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../src/protocol/manifest.js'
import { TOKEN_MEMBERS } from '../../src/protocol/token.js'
import { tokenRequestOf } from '../../src/runtime/auth/token-request.js'
import { DEFAULT_LIMITS } from '../../src/runtime/limits.js'
import { Refusal } from '../../src/runtime/errors/refusal.js'

const LIMITS = { ...DEFAULT_LIMITS, scopesPerToken: 2 }
const LEAST = { scope: ['travel.search'] }

/** What is read, or the detail of the refusal. */
function read(body: Json | undefined): unknown {
  try {
    return tokenRequestOf(body, LIMITS)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return error.failure.type === 'invalid_parameters'
      ? error.failure.detail
      : `${error.failure.type}: ${error.failure.detail}`
  }
}

describe('the body of a token request', () => {
  it.each<JsonObject>([
    {},
    { scope: ['a', 'b'] },
    { capability: 'book' },
    { subject: 'a'.repeat(1024) },
    { parent_token: `tok_${'-'.repeat(124)}` },
    { purpose_parameters: {} },
    { purpose_parameters: { task_id: 't', deep: [1] } },
    { budget: { currency: 'EUR', max_amount: 0 } },
    { budget: { currency: 'JPY', max_amount: 5, mode: 'cumulative' } },
    { caller_class: 'a' },
    { caller_class: `9${'.'.repeat(63)}` },
    { concurrent_branches: 'exclusive' },
    { ttl_hours: 1 / 3600 },
    { session_id: 's'.repeat(256) },
    { max_delegation_depth: 0 },
  ])('may have %j', (change) => {
    expect(read({ ...LEAST, ...change })).toStrictEqual({ ...LEAST, ...change })
  })

  it('may say of a member that it has none', () => {
    const none = Object.fromEntries(TOKEN_MEMBERS.filter((name) => name !== 'scope').map((name) => [name, null]))
    expect(read({ ...LEAST, ...none })).toStrictEqual(LEAST)
    expect(read({ ...LEAST, budget: { currency: 'EUR', max_amount: 1, mode: null } })).toStrictEqual({ ...LEAST, budget: { currency: 'EUR', max_amount: 1 } })
    expect(read({ ...LEAST, purpose_parameters: { task_id: null, team: null } })).toStrictEqual({ ...LEAST, purpose_parameters: { team: null } })
  }) // prettier-ignore

  const TOKEN = 'The member parent_token must be a token id (not a JWT), which begins with tok_.'
  const NO_TOKEN = `not_found: ${TOKEN}`
  const CLASS = 'The member caller_class must be a caller class.'
  const CURRENCY = 'The member budget.currency must be an ISO 4217 code in capitals, such as EUR.'
  const AMOUNT = 'The member budget.max_amount must be a non-negative amount in whole minor units of EUR.'
  const SCOPES = 'The member scope must be a list of 1 to 2 scope strings.'
  const SCOPE = 'Every scope must be lower-case ASCII: a-z, 0-9 and . _ : - inside.'
  const DEPTH = 'The member max_delegation_depth must be a whole number from 0.'
  const HOURS = 'The member ttl_hours must be a number of hours, at least one second.'
  it.each<[Json | undefined, string]>([
    [undefined, 'The request body must be a JSON object.'],
    [{ ...LEAST, token: 'x' }, 'The request has unknown members: "token". Known are scope, capability, subject, parent_token, purpose_parameters, budget, caller_class, concurrent_branches, ttl_hours, session_id, max_delegation_depth.'],
    [{}, SCOPES], [{ scope: 'a' }, SCOPES], [{ scope: [] }, SCOPES], [{ scope: ['a', 'b', 'c'] }, SCOPES],
    [{ scope: [1] }, SCOPE], [{ scope: ['A'] }, SCOPE], [{ scope: ['a', ''] }, SCOPE], [{ scope: ['a', 'a'] }, 'A scope is named twice.'],
    [{ ...LEAST, capability: 'Book!' }, 'The member capability must be a capability name.'],
    [{ ...LEAST, subject: 'a'.repeat(1025) }, 'The member subject must be a string of 1 to 1024 characters.'],
    [{ ...LEAST, parent_token: 'tok_' }, NO_TOKEN], [{ ...LEAST, parent_token: `tok_${'a'.repeat(125)}` }, NO_TOKEN], [{ ...LEAST, parent_token: 'xtok_a' }, NO_TOKEN],
    [{ ...LEAST, parent_token: 'tok_a.b' }, NO_TOKEN], [{ ...LEAST, parent_token: 'a.b.c' }, TOKEN],
    [{ ...LEAST, purpose_parameters: [] }, 'The member purpose_parameters must be an object.'],
    [{ ...LEAST, purpose_parameters: { task_id: 1 } }, 'The member task_id must be a string of 1 to 256 characters.'],
    [{ ...LEAST, budget: [] }, 'The member budget must be an object.'],
    [{ ...LEAST, budget: { currency: 'EUR', max_amount: 1, extra: 1 } }, 'The request has unknown members: "extra". Known are currency, max_amount, mode.'],
    [{ ...LEAST, budget: { max_amount: 1 } }, CURRENCY], [{ ...LEAST, budget: { currency: 'eur', max_amount: 1 } }, CURRENCY], [{ ...LEAST, budget: { currency: ['EUR'], max_amount: 1 } }, CURRENCY],
    [{ ...LEAST, budget: { currency: 'EUR' } }, AMOUNT], [{ ...LEAST, budget: { currency: 'EUR', max_amount: '1' } }, AMOUNT],
    [{ scope: null }, SCOPES], [{ ...LEAST, budget: { currency: null, max_amount: 1 } }, CURRENCY], [{ ...LEAST, budget: { currency: 'EUR', max_amount: null } }, AMOUNT],
    [{ ...LEAST, budget: { currency: 'EUR', max_amount: -1 } }, AMOUNT], [{ ...LEAST, budget: { currency: 'EUR', max_amount: 0.001 } }, AMOUNT],
    [{ ...LEAST, budget: { currency: 'EUR', max_amount: 1, mode: 'x' } }, 'The member mode must be one of per_invocation, cumulative.'],
    [{ ...LEAST, caller_class: 'Admin' }, CLASS], [{ ...LEAST, caller_class: '' }, CLASS], [{ ...LEAST, caller_class: '.a' }, CLASS], [{ ...LEAST, caller_class: `a${'a'.repeat(64)}` }, CLASS],
    [{ ...LEAST, caller_class: 'a b' }, CLASS],
    [{ ...LEAST, concurrent_branches: 'many' }, 'The member concurrent_branches must be one of allowed, exclusive.'],
    [{ ...LEAST, ttl_hours: 0.9999 / 3600 }, HOURS], [{ ...LEAST, ttl_hours: '1' }, HOURS],
    [{ ...LEAST, session_id: '' }, 'The member session_id must be a string of 1 to 256 characters.'],
    [{ ...LEAST, max_delegation_depth: -1 }, DEPTH], [{ ...LEAST, max_delegation_depth: 1.5 }, DEPTH], [{ ...LEAST, max_delegation_depth: '1' }, DEPTH],
  ])('may not be %j: %s', (body, detail) => {
    expect(read(body)).toBe(detail)
  }) // prettier-ignore
})
