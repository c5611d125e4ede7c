/** What a JSON-RPC request asks of an endpoint, and how its failure is said (decisions, section 8). */
import { describe, expect, it } from 'vitest'
import { failure } from '../../src/protocol/failures.js'
import { errorLine, requestIn, resultLine } from '../../src/runtime/rpc/json-rpc.js'
import { answerTo, failureLine } from '../../src/runtime/rpc/rpc-answer.js'
import { callOf } from '../../src/runtime/rpc/rpc-call.js'
import { startFixture } from './fixture/service.js'

const LIMITS = { maxDepth: 8, maxMembers: 20 }
const read = (message: unknown) => requestIn(Buffer.from(typeof message === 'string' ? message : JSON.stringify(message)), LIMITS) // prettier-ignore

describe('a line', () => {
  it.each([[7], ['a'], [null], [0], ['']])('with the id %j is a request with that id', (id) => {
    expect(read({ jsonrpc: '2.0', id, method: 'm' })).toEqual({ id, method: 'm', params: {} })
  })

  it('without an id is a notification', () => {
    expect(read({ jsonrpc: '2.0', method: 'm', params: { a: 1 } })).toEqual({ method: 'm', params: { a: 1 } })
  })

  it.each<[unknown, unknown, number]>([
    [{ jsonrpc: '1.0', id: 7, method: 'm' }, 7, -32_600],
    [{ id: 7, method: 'm' }, 7, -32_600],
    [{ jsonrpc: '2.0', id: true, method: 'm' }, null, -32_600],
    [{ jsonrpc: '2.0', id: {}, method: 'm' }, null, -32_600],
    [{ jsonrpc: '2.0', id: 7, method: 1 }, 7, -32_600],
    [{ jsonrpc: '2.0', id: 7, method: 'm', params: [] }, 7, -32_602],
    [{ jsonrpc: '2.0', id: 7, method: 'm', params: null }, 7, -32_602],
    [[{ jsonrpc: '2.0', id: 7, method: 'm' }], null, -32_600],
    ['{', null, -32_700],
    ['{"jsonrpc":"2.0","id":1,"id":2,"method":"m"}', null, -32_700],
  ])('%j is no request: %j %i', (message, id, code) => {
    expect(read(message)).toMatchObject({ id, code, failure: { type: 'invalid_parameters' } })
  })
})

describe('what is asked', () => {
  it('has the segments of its path by name, and the rest as its body', async () => {
    const call = callOf('invoke', { capability: 'search', parameters: { a: 1 }, auth: { bearer: 'ana-key' }, idempotency_key: 'k', traceparent: 'x' }) // prettier-ignore
    expect([call.segments, call.authorization, call.idempotencyKey, call.client]).toEqual([{ capability: 'search' }, 'Bearer ana-key', 'k', 'stdio']) // prettier-ignore
    expect([await call.body(), [...call.query]]).toEqual([{ parameters: { a: 1 } }, []])
  })

  it('of the trail has a query and no body; null is no filter', async () => {
    const call = callOf('audit', { limit: 5, success: false, capability: null, auth: null })
    expect([await call.body(), [...call.query], call.authorization]).toEqual([undefined, [['limit', '5'], ['success', 'false']], null]) // prettier-ignore
  })

  it('without its capability names none', () => {
    expect([callOf('invoke', {}), callOf('invoke', { capability: 7 })].map(({ segments }) => segments)).toEqual([{ capability: '' }, { capability: '' }]) // prettier-ignore
  })

  it.each<[object, string]>([
    [{ auth: 'ana-key' }, 'The member auth must be an object whose bearer is a credential.'],
    [{ auth: { bearer: 7 } }, 'The member auth must be an object whose bearer is a credential.'],
    [{ idempotency_key: 7 }, 'The member idempotency_key must be a string.'],
  ])('with %j is refused', (params, detail) => {
    expect(() => callOf('invoke', params as never)).toThrow(detail)
  })

  it('of the trail by an object is refused', () => {
    expect(() => callOf('audit', { since: {} })).toThrow('The member since must be a string, a number, true or false.')
  })
})

describe('an answer', () => {
  it('is said under the id that was asked', () => {
    expect(resultLine('a"b', '{"x":1}')).toBe('{"jsonrpc":"2.0","id":"a\\"b","result":{"x":1}}\n')
    expect(JSON.parse(errorLine(0, -32_000, failure('not_found', 'No.')))).toMatchObject({ id: 0, error: { code: -32_000, message: 'No.', data: { type: 'not_found' } } }) // prettier-ignore
  })

  it('that failed keeps what its envelope says, and when to come back', () => {
    const body = { success: false, failure: failure('rate_limited', 'Later.'), invocation_id: 'inv-1' } as const
    const { error } = JSON.parse(failureLine(body, 3)(1)) as { readonly error: { readonly code: number; readonly data: object } } // prettier-ignore
    expect(error).toMatchObject({ code: -32_000, data: { type: 'rate_limited', invocation_id: 'inv-1', retry_after: 3 } }) // prettier-ignore
    expect(error.data).not.toHaveProperty('success')
    const invalid = JSON.parse(failureLine({ success: false, failure: failure('invalid_parameters', 'No.') })(1)) as object // prettier-ignore
    expect(invalid).toMatchObject({ error: { code: -32_602 } })
    expect(JSON.stringify(invalid)).not.toContain('retry_after')
  })

  it('says as much of a failure as the class of its caller may read', async () => {
    const { service, root, storage } = await startFixture({
      manifest: { metadata_disclosure: { caller_class: { internal: 'full', default: 'redacted' } } },
    })
    const said = async (caller_class?: string) => {
      const { token } = await root(caller_class === undefined ? {} : { caller_class })
      Object.assign(storage.audit, { query: () => Promise.reject(new Error('secret of the house')) })
      const answer = await answerTo(service, 'audit', { auth: { bearer: token } })
      return 'line' in answer ? answer.line(1) : ''
    }
    const [full, redacted] = [await said('internal'), await said()]
    expect(full).toContain('The service failed. Its log has the reason.')
    expect(redacted).not.toContain('Its log has the reason.')
    for (const line of [full, redacted]) expect(line).not.toContain('secret of the house')
  })
})

it('a refusal over stdio names the trace of its caller in the log', async () => {
  const { service, logged } = await startFixture()
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
  await answerTo(service, 'audit', { traceparent })
  expect(logged.find((line) => line.startsWith('A request was refused.'))).toContain('4bf92f3577b34da6a3ce929d0e0e4736')
})
