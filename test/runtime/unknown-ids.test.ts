/** An id of no known form names nothing: it is answered as an id of something that is gone. */
import { expect, it } from 'vitest'
import { ENDPOINTS } from '../../src/protocol/endpoints.js'
import { maintain } from '../../src/runtime/index.js'
import { answerTo } from '../../src/runtime/rpc/rpc-answer.js'
import { capability, ONE_TIME } from './fixture/manifest.js'
import { startFixture } from './fixture/service.js'

const NOTHING = [404, 'not_found'] as const
const NO_REQUEST = [404, 'approval_request_not_found'] as const
const NO_CAPABILITY = [404, 'unknown_capability'] as const

const IN_PATHS = [
  ['GET', '/svc/checkpoints/abc', NOTHING],
  ['GET', '/svc/checkpoints/tok_x', NOTHING],
  ['GET', '/svc/approval_requests/abc', NO_REQUEST],
  ['POST', '/svc/approval_requests/abc/deny', NO_REQUEST],
  ['POST', '/svc/approval_requests/abc/withdraw', NO_REQUEST],
  ['POST', '/-/approval_grants/abc/revoke', NO_REQUEST],
  ['POST', '/-/connections/abc/disconnect', NOTHING],
  ['GET', '/svc/graph/abc', NO_CAPABILITY],
  ['POST', '/svc/invoke/abc', NO_CAPABILITY, { parameters: {} }],
  ['POST', '/-/blocks/abc/lift', NOTHING],
  ['POST', '/-/capabilities/abc/pause', NO_CAPABILITY, { reason: 'late' }],
  ['POST', '/-/capabilities/abc/resume', NO_CAPABILITY, { reason: 'late' }],
  ['POST', '/-/invocations/abc/resolve', NOTHING, { happened: true, reason: 'seen' }],
  ['POST', '/-/events/abc/resend', NOTHING, { reason: 'away' }],
] as const

const ELSEWHERE = [
  ['GET', '/svc/checkpoints/{checkpoint}?invocation_id=x', NOTHING],
  ['GET', '/svc/checkpoints/{checkpoint}?consistency_from=abc', NOTHING],
  ['POST', '/svc/approval_grants', NO_REQUEST, { approval_request_id: 'abc' }],
  ['POST', '/svc/tokens/revoke', NOTHING, { token_id: 'abc' }],
  ['POST', '/svc/tokens', NOTHING, { scope: ['travel.search'], parent_token: 'abc', subject: 'agent:b' }],
  ['POST', '/svc/invoke/search', [403, 'approval_grant_invalid'], { parameters: {}, approval_grant: 'abc' }],
  ['POST', '/-/tokens/revoke', NOTHING, { token_id: 'abc', reason: 'stolen' }],
] as const

it.each([...IN_PATHS, ...ELSEWHERE])(
  '%s %s is %j',
  async (method, path, expected, body: object | undefined = undefined) => {
    const search = capability({ approval: { required: 'always', grant_policy: ONE_TIME } })
    const { service, root, call } = await startFixture({ capabilities: { search } })
    const { token } = await root()
    await maintain(service)()
    const [newest] = await service.storage.checkpoints.list(1)
    const bearer = path.startsWith('/-/') ? 'op-key' : token
    const reply = await call(method, path.replace('{checkpoint}', newest!.checkpoint_id), {
      bearer,
      ...(body && { body }),
    })
    expect([reply.status, reply.body['failure']?.['type']]).toEqual(expected)
  },
)

it('is so for every path that has a name in it', () => {
  const cases = new Set(IN_PATHS.map(([method, path]) => `${method} ${path.replace(/abc|tok_x/u, '{}')}`))
  const named = Object.values(ENDPOINTS).filter(({ path }) => path.includes('{'))
  const missing = named
    .map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/u, '{}')}`)
    .filter((each) => !cases.has(each))
  expect(missing).toEqual([])
})

it('is so over stdio', async () => {
  const { service } = await startFixture()
  const answer = await answerTo(service, 'checkpoint', { id: 'abc' })
  expect('line' in answer && JSON.parse(answer.line(1))).toMatchObject({ error: { data: { type: 'not_found' } } })
})
