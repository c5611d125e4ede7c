/** Query parameters that an endpoint does not know are refused, by every endpoint (decisions, section 21). */
import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { ENDPOINTS, type Operation } from '../../src/protocol/endpoints.js'
import { QUERY_PARAMETERS } from '../../src/protocol/query-parameters.js'
import { answerTo } from '../../src/runtime/rpc/rpc-answer.js'
import { capability, ONE_TIME } from './fixture/manifest.js'
import { API_KEYS, startFixture } from './fixture/service.js'

const keyOf = (role: 'auditor' | 'metrics') => ({
  id: role,
  principal: `service:${role}` as const,
  sha256: createHash('sha256').update(`${role}-key`).digest('hex'),
  roles: [role],
})
const search = capability({ approval: { required: 'always', grant_policy: ONE_TIME } })
const KEY_OF_ROLE = { operator: 'op-key', auditor: 'auditor-key', metrics: 'metrics-key' } as const

const bearerOf = (operation: Operation, token: string): string => {
  const row = ENDPOINTS[operation]
  return 'role' in row ? KEY_OF_ROLE[row.role] : token
}

it.each(Object.keys(ENDPOINTS) as Operation[])('%s knows its query parameters', async (operation) => {
  const { call, root } = await startFixture({
    capabilities: { search },
    apiKeys: [...API_KEYS, keyOf('auditor'), keyOf('metrics')],
  })
  const { method, path } = ENDPOINTS[operation]
  const named = path.replace(/\{capability\}/u, 'search').replace(/\{\w+\}/u, 'x')
  const bearer = operation === 'connections' ? 'ana-key' : bearerOf(operation, (await root()).token)
  const { status, body } = await call(method, `${named}?nothing=1`, { bearer })
  const known = operation in QUERY_PARAMETERS ? 'there are ' : 'none is known here.'
  expect([status, body['failure']!['type'], body['failure']!['detail']]).toEqual([
    400,
    'invalid_parameters',
    expect.stringContaining(`There is no query parameter "nothing"; ${known}`),
  ])
})

it('a method of stdio knows its parameters, too', async () => {
  const { service } = await startFixture()
  const answer = await answerTo(service, 'manifest', { nothing: 1 })
  expect('line' in answer && JSON.parse(answer.line(1))).toMatchObject({
    error: { code: -32_602, data: { type: 'invalid_parameters' } },
  })
})
