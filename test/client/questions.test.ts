/** What is asked beside calls: each question's path and body, and which answers are believed. */
import { describe, expect, it } from 'vitest'
import { clientOf, failed, json, type FakeClient } from './fake-service.js'

type Question = (client: FakeClient) => Promise<unknown>
const REQUEST = { approval_request_id: 'apr_1', capability: 'pay.now', status: 'pending' }
const CHECKED = { version: '0.24.0' }

/** Name -> what asks it, method, path, body, and an answer of which each member is needed. */
const QUESTIONS: { readonly [name: string]: readonly [Question, string, string, unknown, object] } = {
  delegate: [(client) => client.delegate({ scope: ['a'] }), 'POST', '/svc/tokens', { scope: ['a'] }, { token: 't', token_id: 'tok_1' }],
  revoke: [(client) => client.revoke('tok_1'), 'POST', '/svc/tokens/revoke', { token_id: 'tok_1' }, { token_id: 'tok_1' }],
  permissions: [(client) => client.permissions(), 'POST', '/svc/permissions', {}, { available: [], restricted: [], denied: [] }],
  audit: [(client) => client.audit({ capability: 'a', success: false, limit: 5 }), 'POST', '/svc/audit?capability=a&success=false&limit=5', undefined, { entries: [] }],
  'approvals.list': [(client) => client.approvals.list({ status: 'pending' }), 'GET', '/svc/approval_requests?status=pending', undefined, { approval_requests: [] }],
  'approvals.read': [(client) => client.approvals.read('apr_1', { wait: 7 }), 'GET', '/svc/approval_requests/apr_1?wait=7', undefined, REQUEST],
  'approvals.grant': [(client) => client.approvals.grant({ approval_request_id: 'apr_1', grant_type: 'one_time' }), 'POST', '/svc/approval_grants', { approval_request_id: 'apr_1', grant_type: 'one_time' }, { approval_request_id: 'apr_1' }],
  'approvals.deny': [(client) => client.approvals.deny('apr_1'), 'POST', '/svc/approval_requests/apr_1/deny', {}, REQUEST],
  'approvals.deny, with a reason': [(client) => client.approvals.deny('apr_1', 'No.'), 'POST', '/svc/approval_requests/apr_1/deny', { reason: 'No.' }, REQUEST],
  'approvals.withdraw': [(client) => client.approvals.withdraw('apr_1'), 'POST', '/svc/approval_requests/apr_1/withdraw', {}, REQUEST],
  'approvals.revoke': [(client) => client.approvals.revoke('grt_1'), 'POST', '/-/approval_grants/grt_1/revoke', {}, { grant_id: 'grt_1' }],
  'approvals.revoke, with a reason': [(client) => client.approvals.revoke('grt_1', 'No.'), 'POST', '/-/approval_grants/grt_1/revoke', { reason: 'No.' }, { grant_id: 'grt_1' }],
  'checkpoints.list': [(client) => client.checkpoints.list({ limit: 2 }), 'GET', '/svc/checkpoints?limit=2', undefined, { checkpoints: [] }],
  'checkpoints.read': [(client) => client.checkpoints.read('ckp_1', { leaf_index: 0 }), 'GET', '/svc/checkpoints/ckp_1?leaf_index=0', undefined, { merkle_root: 'sha256:0' }],
  discovery: [(client) => client.discovery(), 'GET', '/.well-known/svc', undefined, { svc_discovery: CHECKED }],
} // prettier-ignore

const TERMINAL = { action: 'contact_service_owner', recovery_class: 'terminal' }

describe.each(Object.entries(QUESTIONS))('%s', (_, [ask, method, path, body, answer]) => {
  it('asks so, and believes an answer that has all of it', async () => {
    const { client, seen } = clientOf([json(200, answer)])
    expect(await ask(client)).toMatchObject({ success: true })
    expect(seen.map((each) => [each.method, each.path, each.body])).toEqual([[method, path, body]])
  })

  it('gives a refusal as a value, and is not repeated', async () => {
    const refused = () => failed(503, 'service_unavailable', true, { action: 'wait_and_retry', recovery_class: 'wait_then_retry' }) // prettier-ignore
    const { client, seen } = clientOf([refused()])
    expect(await ask(client)).toMatchObject({ success: false, failure: { type: 'service_unavailable' } })
    expect(seen).toHaveLength(1)
  })

  it.each(Object.keys(answer))('believes no answer without %s, nor with another kind of it', async (member) => {
    const { [member]: value, ...others } = answer as { readonly [name: string]: unknown }
    await expect(ask(clientOf([json(200, others)]).client)).rejects.toThrow()
    const other = Array.isArray(value) ? {} : []
    await expect(ask(clientOf([json(200, { ...others, [member]: other })]).client)).rejects.toThrow()
  })
})

describe('the client that a delegation gives', () => {
  it('speaks with the new token, in the same way', async () => {
    const answers = [json(200, { token: 'narrow', token_id: 'tok_2' }), failed(503, 'service_unavailable', true, { action: 'wait_and_retry', recovery_class: 'wait_then_retry' })] // prettier-ignore
    const { client, seen } = clientOf(answers, { retries: 0 })
    const delegated = await client.delegate({ scope: ['a'] })
    if (!delegated.success) throw new Error('It was refused.')
    expect(delegated.token).toEqual({ token: 'narrow', token_id: 'tok_2' })
    await delegated.client.read()
    expect(seen.map(({ headers }) => headers['authorization'])).toEqual(['Bearer key', 'Bearer narrow'])
  })

  it('streams what streams, and nothing else', () => {
    expect(Object.keys(clientOf([]).client.streaming)).toEqual(['pay', 'follow'])
  })
})

it('asks with no credential where there is none', async () => {
  const { client, seen } = clientOf([json(200, { svc_discovery: CHECKED })], { credential: undefined as never })
  await client.discovery()
  expect(Object.keys(seen[0]!.headers)).not.toContain('authorization')
})

describe('an envelope', () => {
  const success = { success: true, invocation_id: 'inv-1', result: {} }
  const failure = { type: 'rate_limited', detail: 'no', retry: false, resolution: TERMINAL }
  it.each<[string, object]>([
    ['without its id', { success: true, result: {} }],
    ['without a result', { success: true, invocation_id: 'inv-1' }],
    ['that does not say how it ended', { invocation_id: 'inv-1', result: {} }],
    ['with a reference of another kind', { ...success, client_reference_id: 1 }],
    ['with a task of another kind', { ...success, task_id: 1 }],
    ['with a parent of another kind', { ...success, parent_invocation_id: 1 }],
    ['with a cost of another kind', { ...success, cost_actual: 1 }],
    ['with a budget of another kind', { ...success, budget_context: [] }],
    ['of a failure without a type', { success: false, failure: { ...failure, type: undefined } }],
    ['of a failure without a detail', { success: false, failure: { ...failure, detail: undefined } }],
    ['of a failure without a resolution', { success: false, failure: { ...failure, resolution: undefined } }],
    ['of a failure that does not say whether it may pass', { success: false, failure: { ...failure, retry: undefined } }],
    ['of a failure with an id of another kind', { success: false, invocation_id: 1, failure }],
    ['of a list', { success: false, failure: [] }],
  ])('%s is none', async (_, body) => {
    const { client } = clientOf([json(200, body)], { retries: 0 })
    await expect(client.read()).rejects.toThrow('without an envelope')
  }) // prettier-ignore

  it('of a refusal needs no id', async () => {
    const { client } = clientOf([json(403, { success: false, failure })])
    expect(await client.read()).toEqual({ success: false, failure })
  })

  it.each(['client_reference_id', 'task_id', 'parent_invocation_id', 'upstream_service'])('with another %s is one of another call, and is not asked for again', async (name) => {
    const { client } = clientOf([json(200, { ...success, [name]: 'other' }), json(200, { ...success, [name]: 'own' })])
    await expect(client.read({}, { [name]: 'own' })).rejects.toThrow(
      `The answer is one of another call: its ${name} is not the one that was sent.`,
    )
    expect(await client.read({}, { [name]: 'own' })).toMatchObject({ success: true })
  }) // prettier-ignore

  it('of a refusal with another task is one of another call, too', async () => {
    const { client } = clientOf([json(403, { success: false, task_id: 'other', failure })])
    await expect(client.read({}, { task_id: 'own' })).rejects.toThrow('The answer is one of another call')
  })
})
