/** What a tool says beside its result, what a form offers, and what a client without a credential is told. */
import { expect, it } from 'vitest'
import { failure, type FailureType } from '../../../src/protocol/failures.js'
import { clarificationForm } from '../../../src/runtime/surfaces/mcp/clarification.js'
import { toolResultOf } from '../../../src/runtime/surfaces/mcp/result.js'
import { unauthorized } from '../../../src/runtime/surfaces/mcp/unauthorized.js'

it.each([
  ['invocation_id', 'inv-0123456789ab'],
  ['client_reference_id', 'order-7'],
  ['task_id', 't-1'],
  ['parent_invocation_id', 'inv-0123456789ac'],
  ['cost_actual', { currency: 'EUR', amount: 5 }],
  ['budget_context', { remaining: 5 }],
  ['retry_after', 7],
])('%s stands beside the result', (name, value) => {
  const { _meta, structuredContent } = toolResultOf({ success: true, result: { a: 1 }, [name]: value } as never)
  expect([_meta, structuredContent]).toEqual([{ 'svc-kit/invocation': { [name]: value } }, { a: 1 }])
})

it.each([
  [{ allowed_values: ['a', 'b'], candidates: ['a'] }, ['a', 'b']],
  [{ allowed_values: ['a', 'b'] }, ['a', 'b']],
  [{ candidates: ['a'] }, ['a']],
  [{ candidates: ['a', 7] }, ['a']],
  [{ candidates: [7] }, undefined],
  [{}, undefined],
])('of %j a form offers %j', (about, choices) => {
  const form = clarificationForm([{ name: 'city', reason: 'ambiguous', ...about }])
  const field = { type: 'string', ...(choices && { enum: choices }) }
  expect(form?.requestedSchema.properties).toEqual({ city: field })
})

it.each<[FailureType, string | undefined, string]>([
  ['authentication_required', undefined, 'Bearer error="invalid_token"'],
  ['invalid_token', undefined, 'Bearer error="invalid_token"'],
  ['token_expired', undefined, 'Bearer error="invalid_token"'],
  ['token_revoked', undefined, 'Bearer error="invalid_token"'],
  ['token_expired', 'https://svc.example', 'Bearer resource_metadata="https://svc.example/.well-known/oauth-protected-resource/mcp", error="invalid_token"'],
])('a client that is refused for %s at %s is told %s', (type, publicUrl, challenge) => {
  const options = publicUrl === undefined ? {} : { publicUrl }
  const told = (status: number, authorization: string | null) => unauthorized(options, failure(type, 'No.'), { status, authorization, retryAfter: undefined }).headers // prettier-ignore
  expect(told(401, 'Bearer x')).toContain(challenge)
  expect(told(401, null)).toContain(challenge.replace(/,? ?error=.*/u, '').trim())
}) // prettier-ignore

it('a failure that no credential mends is no challenge, and says when to come back', () => {
  const { headers } = unauthorized({}, failure('rate_limited', 'No.'), { status: 429, authorization: 'Bearer x', retryAfter: 7 })
  expect(headers).toEqual(expect.arrayContaining(['retry-after', '7']))
  expect(headers).not.toContain('www-authenticate')
}) // prettier-ignore
