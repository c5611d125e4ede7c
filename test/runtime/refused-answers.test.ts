/** What the answer to a refused call says, by the operation and the class of its caller (section 7). */
import { expect, it } from 'vitest'
import { ENDPOINTS, type Operation } from '../../src/protocol/endpoints.js'
import { failure } from '../../src/protocol/failures.js'
import { errorResponseOf } from '../../src/runtime/endpoint/error-response.js'
import { Refusal } from '../../src/runtime/errors/refusal.js'
import { StorageUnavailable } from '../../src/runtime/storage/contract.js'
import { startFixture } from './fixture/service.js'

const operations = [...(Object.keys(ENDPOINTS) as Operation[]), 'mcp', 'console'] as const
const secret = new Refusal(failure('not_found', 'It was in drawer 7.'))

it('an invocation alone has an id and the reference of its caller', async () => {
  const { service } = await startFixture()
  const caller = { reference: 'order-7' }
  const named = operations.filter((operation) => 'invocation_id' in errorResponseOf(service, operation, { caller }, secret).body)
  const referred = operations.filter((operation) => 'client_reference_id' in errorResponseOf(service, operation, { caller }, secret).body)
  expect([named, referred]).toEqual([['invoke'], ['invoke']])
}) // prettier-ignore

it.each([
  ['internal', 'It was in drawer 7.'],
  ['partner', 'There is no such resource.'],
  [undefined, 'There is no such resource.'],
])('a caller of the class %s reads: %s', async (name, detail) => {
  const metadata_disclosure = { caller_class: { internal: 'full', default: 'redacted' } } as const
  const { service } = await startFixture({ manifest: { metadata_disclosure } })
  const caller = name === undefined ? {} : { class: name }
  expect(errorResponseOf(service, 'token_list' as Operation, { caller }, secret).body.failure.detail).toBe(detail)
})

it.each([
  [secret, { status: 404 }],
  [new Refusal(failure('rate_limited', 'Wait.'), { retryAfter: 7 }), { status: 429, retryAfter: 7 }],
  [new Refusal(failure('not_found', 'No.'), { status: 410 }), { status: 410 }],
  [new StorageUnavailable('password=hunter2'), { status: 503 }],
  [new Error('password=hunter2'), { status: 500 }],
  ['hunter2', { status: 500 }],
])('%s is answered with %j, and with nothing of what nobody foresaw', async (error, expected) => {
  const { service } = await startFixture()
  const { body, ...answer } = errorResponseOf(service, 'audit', { caller: {} }, error)
  expect(answer).toEqual(expected)
  expect(JSON.stringify(body)).not.toContain('hunter2')
})
