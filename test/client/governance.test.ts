/** What the client asks beside calls, and what it takes for an answer. */
import { describe, expect, it } from 'vitest'
import { TransportError } from '../../src/client/index.js'
import { clientOf, json, type FakeClient } from './fake-service.js'

const REQUEST = { approval_request_id: 'apr_1', capability: 'pay.now', status: 'pending' }
const GRANT = { approval_request_id: 'apr_1', grant_type: 'one_time' } as const

describe.each<[string, (client: FakeClient) => Promise<unknown>, readonly [string, string, object?], object]>([
  ['delegate', (client) => client.delegate({ scope: ['a'] }), ['POST', '/svc/tokens', { scope: ['a'] }], { token: 't', token_id: 'tok_1' }],
  ['revoke', (client) => client.revoke('tok_1'), ['POST', '/svc/tokens/revoke', { token_id: 'tok_1' }], { token_id: 'tok_1' }],
  ['permissions', (client) => client.permissions(), ['POST', '/svc/permissions', {}], { available: [], restricted: [], denied: [] }],
  ['audit', (client) => client.audit({ success: false, limit: 5 }), ['POST', '/svc/audit?success=false&limit=5'], { entries: [] }],
  ['approvals.list', ({ approvals }) => approvals.list({ status: 'denied' }), ['GET', '/svc/approval_requests?status=denied'], { approval_requests: [] }],
  ['approvals.read', ({ approvals }) => approvals.read('apr_1'), ['GET', '/svc/approval_requests/apr_1'], REQUEST],
  ['approvals.read, to wait', ({ approvals }) => approvals.read('apr_1', { wait: 5 }), ['GET', '/svc/approval_requests/apr_1?wait=5'], REQUEST],
  ['approvals.grant', ({ approvals }) => approvals.grant(GRANT), ['POST', '/svc/approval_grants', GRANT], { approval_request_id: 'apr_1' }],
  ['approvals.deny', ({ approvals }) => approvals.deny('apr_1'), ['POST', '/svc/approval_requests/apr_1/deny', {}], REQUEST],
  ['approvals.deny, with a reason', ({ approvals }) => approvals.deny('apr_1', 'No'), ['POST', '/svc/approval_requests/apr_1/deny', { reason: 'No' }], REQUEST],
  ['approvals.withdraw', ({ approvals }) => approvals.withdraw('apr_1'), ['POST', '/svc/approval_requests/apr_1/withdraw', {}], REQUEST],
  ['approvals.revoke', ({ approvals }) => approvals.revoke('grt_1'), ['POST', '/-/approval_grants/grt_1/revoke', {}], { grant_id: 'grt_1' }],
  ['approvals.revoke, with a reason', ({ approvals }) => approvals.revoke('grt_1', 'No'), ['POST', '/-/approval_grants/grt_1/revoke', { reason: 'No' }], { grant_id: 'grt_1' }],
  ['checkpoints.list', ({ checkpoints }) => checkpoints.list({ limit: 2 }), ['GET', '/svc/checkpoints?limit=2'], { checkpoints: [] }],
  ['checkpoints.read', ({ checkpoints }) => checkpoints.read('ckp_1', { leaf_index: 0 }), ['GET', '/svc/checkpoints/ckp_1?leaf_index=0'], { merkle_root: 'x' }],
])('%s', (_, ask, request, answer) => {
  it('asks for this, and gives what is answered', async () => {
    const { client, seen } = clientOf([json(200, answer)])
    const given = await ask(client)
    expect(seen.map(({ method, path, body }) => [method, path, body])).toEqual([[request[0], request[1], request[2]]])
    expect(given).toMatchObject('token' in answer ? { success: true, token: answer } : { success: true, result: answer })
  })

  it.each(Object.keys(answer))('takes no answer without its %s, nor one in which it is a number', async (member) => {
    for (const value of [undefined, 7]) {
      const { client } = clientOf([json(200, { ...answer, [member]: value })])
      await expect(ask(client)).rejects.toThrow(TransportError)
    }
  })
}) // prettier-ignore
