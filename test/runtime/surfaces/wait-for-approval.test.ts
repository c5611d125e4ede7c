/** One round of waiting for a decision over MCP: every way in which it may end. */
import { describe, expect, it } from 'vitest'
import { waitForApproval } from '../../../src/runtime/surfaces/mcp/wait-for-approval.js'
import type { McpConnection } from '../../../src/runtime/surfaces/mcp/connection.js'
import { capability, input } from '../fixture/manifest.js'
import { startFixture } from '../fixture/service.js'

const policy = { allowed_grant_types: ['one_time'], default_grant_type: 'one_time', expires_in_seconds: 900, max_uses: 1 } as const // prettier-ignore
const book = capability({
  inputs: [input('hotel')],
  side_effect: { type: 'irreversible' },
  approval: { required: 'always', grant_policy: policy },
})

async function waiting() {
  const fixture = await startFixture({ capabilities: { book }, limits: { longPollSeconds: 0 } })
  const { token, token_id } = await fixture.root({ subject: 'agent:planner' })
  const { body } = await fixture.invoke('book', token, { parameters: { hotel: 'Ritz' } })
  const request = String(body['failure']!['approval_request_id'])
  const connection = {
    service: fixture.service,
    states: { mint: async (state: object) => JSON.stringify(state) },
  } as unknown as McpConnection
  const wait = async (reply: 'opened' | 'declined' = 'opened', round = 1) =>
    (await waitForApproval(connection, { tool: 'book', caller: 'c', request, round, key: 'k' }, reply, {
      bearer: token,
      client: 'test',
    })) as Outcome
  const decide = (path: string, more: object = {}) => fixture.post(path, 'bob-key', more)
  return { ...fixture, token_id, request, wait, decide }
}

interface Outcome {
  readonly grantId?: string
  readonly requestState?: string
  readonly isError?: boolean
  readonly structuredContent?: { readonly failure: object }
}

describe('a round ends', () => {
  it('with the grant', async () => {
    const { wait, decide, request } = await waiting()
    const { body } = await decide('/svc/approval_grants', { approval_request_id: request, grant_type: 'one_time' })
    expect(await wait()).toEqual({ grantId: body['grant_id'] })
  })

  it('with the next round, seven times, and then with an answer that may be asked for again', async () => {
    const { wait, request } = await waiting()
    const states = await Promise.all([1, 7].map(async (round) => JSON.parse((await wait('opened', round)).requestState!) as object)) // prettier-ignore
    expect(states).toEqual([2, 8].map((round) => ({ tool: 'book', caller: 'c', request, round, key: 'k' })))
    const last = await wait('opened', 8)
    expect(last.isError).toBe(true)
    expect(last.structuredContent!.failure).toMatchObject({
      type: 'approval_required',
      detail: expect.stringMatching(/^Wait, then make the same call again: a person decides/u) as string,
      retry: true,
      resolution: { action: 'wait_and_retry' },
      approval_request_id: request,
    })
  })

  it('with a denial, its reason and its time', async () => {
    const { wait, decide, request } = await waiting()
    await decide(`/svc/approval_requests/${request}/deny`, { reason: 'Too dear' })
    expect((await wait()).structuredContent!.failure).toMatchObject({
      type: 'approval_denied',
      detail: 'Denied by a person: Too dear.',
      approval_request_id: request,
      decision: { status: 'denied', reason: 'Too dear', decided_at: '2026-03-01T12:00:00.000Z' },
    })
  })

  it('with the failure of a token that has expired meanwhile', async () => {
    const { wait, time } = await waiting()
    time.now += 3 * 3_600_000
    expect((await wait()).structuredContent!.failure).toMatchObject({ type: 'token_expired' })
  })

  it('with the failure of a token that was revoked meanwhile, opened or declined', async () => {
    const { wait, post, token_id } = await waiting()
    await post('/svc/tokens/revoke', 'ana-key', { token_id })
    for (const reply of ['opened', 'declined'] as const)
      expect((await wait(reply)).structuredContent!.failure).toMatchObject({ type: 'token_revoked' })
  })

  it('with the withdrawal, where the person declines in time', async () => {
    const { wait, storage, request } = await waiting()
    expect((await wait('declined')).structuredContent!.failure).toMatchObject({
      detail: `Approval request ${request} was withdrawn. The same call opens a new one.`,
      decision: { status: 'withdrawn', reason: null },
    })
    expect((await storage.approvals.get(request))!.status).toBe('withdrawn')
  })

  it('with what was decided, where the person declines too late', async () => {
    const { wait, decide, request } = await waiting()
    await decide(`/svc/approval_requests/${request}/deny`, { reason: 'No' })
    expect((await wait('declined')).structuredContent!.failure).toMatchObject({ decision: { status: 'denied' } })
  })
})
