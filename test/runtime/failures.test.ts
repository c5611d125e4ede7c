import { describe, expect, it } from 'vitest'
import { FAILURES, RECOVERY_CLASS_OF, type FailureType } from '../../src/protocol/failures.js'
import type { HandlerContext } from '../../src/runtime/index.js'
import { StorageUnavailable } from '../../src/runtime/storage/contract.js'
import { capability, composition, declares, input, ONE_TIME } from './fixture/manifest.js'
import { startFixture, type Fixture, type Reply } from './fixture/service.js'

const cost = (certainty: 'fixed' | 'estimated') => ({
  cost: { certainty, financial: { currency: 'EUR', ...(certainty === 'fixed' && { amount: 50 }) } },
})
const composed = (capabilityName: string) =>
  capability({
    kind: 'composed',
    composition: composition([{ id: 'only', capability: capabilityName, empty_result_source: true }], {
      empty_result_policy: 'deny',
    }),
  })

const capabilities = {
  search: capability(),
  write: capability({ side_effect: { type: 'write' } }),
  other: capability({ minimum_scope: ['travel.other'] }),
  erase: capability({ requires_principal: ['human'] }),
  capped: capability({ control_requirements: [{ type: 'cost_ceiling' }] }),
  priced: capability(cost('fixed')),
  guessed: capability(cost('estimated')),
  bound: capability({ inputs: [input('quote')], requires_binding: [{ type: 'quote', field: 'quote' }] }),
  book: capability({ approval: { required: 'always', grant_policy: ONE_TIME } }),
  ask: capability({ inputs: [input('city', { resolution: { mode: 'clarify' } })] }),
  broken: capability(),
  answered: capability(),
  personal: capability(),
  hangs: capability({ side_effect: { type: 'write' } }),
  down: capability(),
  failing: composed('broken'),
  empty: composed('search'),
}

type Provoke = (fixture: Fixture) => Promise<Reply>

const invoke =
  (
    name: string,
    root: object = {},
    body: object = { parameters: {} },
    headers: { [name: string]: string } = {},
  ): Provoke =>
  async (fixture) =>
    fixture.invoke(name, (await fixture.root(root)).token, body, headers)

const permissions = async (fixture: Fixture, change: (tokenId: string) => unknown) => {
  const { token, token_id } = await fixture.root()
  await change(token_id)
  return fixture.post('/svc/permissions', token)
}

const child = async (fixture: Fixture, parent: object, asked: object) => {
  const { token, token_id } = await fixture.root({ subject: 'agent:a', ...parent })
  return fixture.post('/svc/tokens', token, {
    scope: ['travel.search'],
    subject: 'agent:b',
    parent_token: token_id,
    ...asked,
  })
}

const request = async (fixture: Fixture) => {
  const { token } = await fixture.root({ subject: 'agent:a' })
  return (await fixture.invoke('book', token)).body['failure']?.['approval_request_id']
}

const grant = (fixture: Fixture, id: unknown, body: object = {}, bearer = 'bob-key') =>
  fixture.post('/svc/approval_grants', bearer, { approval_request_id: id, grant_type: 'one_time', ...body })

const twice =
  (root: object, headers: { [name: string]: string }): Provoke =>
  async (fixture) => {
    const { token } = await fixture.root(root)
    void fixture.invoke('hangs', token, { parameters: {} }, headers)
    await new Promise((resolve) => setTimeout(resolve, 60))
    return fixture.invoke('hangs', token, { parameters: {} }, headers)
  }

/** A call that a person has denied or sent back, made again. */
const refusedCall: (fixture: Parameters<Provoke>[0], body: object) => ReturnType<Provoke> = async (fixture, body) => {
  const id = await request(fixture)
  await fixture.post(`/svc/approval_requests/${id}/deny`, 'bob-key', body)
  return invoke('book', { subject: 'agent:a' })(fixture)
}

/** Every row of the table and a request that provokes it: a row without a case does not compile. */
const CASES: { readonly [type in FailureType]: Provoke } = {
  authentication_required: ({ post }) => post('/svc/permissions', undefined),
  invalid_token: ({ post }) => post('/svc/permissions', 'ana-key'),
  token_expired: (fixture) => permissions(fixture, () => (fixture.time.now += 3 * 3600_000)),
  token_revoked: (fixture) =>
    permissions(fixture, (token_id) => fixture.post('/svc/tokens/revoke', 'ana-key', { token_id })),
  scope_insufficient: invoke('other'),
  scope_escalation: (fixture) => child(fixture, {}, { scope: ['travel.other'] }),
  insufficient_authority: (fixture) => child(fixture, {}, { parent_token: 'tok_other' }),
  purpose_mismatch: invoke('search', { capability: 'write' }),
  delegation_depth_exceeded: (fixture) => child(fixture, { max_delegation_depth: 0 }, {}),
  non_delegable_action: invoke('erase', { subject: 'agent:a' }),
  control_requirement_unsatisfied: invoke('capped'),
  budget_exceeded: invoke('priced', { budget: { currency: 'EUR', max_amount: 49 } }),
  budget_currency_mismatch: invoke('priced', { budget: { currency: 'USD', max_amount: 99 } }),
  budget_not_enforceable: invoke('guessed', { budget: { currency: 'EUR', max_amount: 99 } }),
  binding_missing: invoke('bound'),
  binding_stale: invoke('bound', {}, { parameters: { quote: 'bnd_none' } }),
  approval_required: invoke('book', { subject: 'agent:a' }),
  approval_denied: (fixture) => refusedCall(fixture, { reason: 'Too dear.' }),
  approval_returned: (fixture) => refusedCall(fixture, { reason: 'Why?', holds: false }),
  approval_grant_invalid: invoke('book', {}, { parameters: {}, approval_grant: 'grt_none' }),
  approval_request_not_found: (fixture) => grant(fixture, 'apr_none'),
  approval_request_closed: async (fixture) => {
    const id = await request(fixture)
    await grant(fixture, id)
    return grant(fixture, id)
  },
  approver_not_authorized: async (fixture) => grant(fixture, await request(fixture), {}, 'ana-key'),
  grant_policy_violation: async (fixture) => grant(fixture, await request(fixture), { max_uses: 2 }),
  invalid_parameters: invoke('search', {}, { parameters: { surprise: 1 } }),
  clarification_required: invoke('ask'),
  unknown_capability: invoke('fly'),
  not_found: ({ call }) => call('GET', '/svc/checkpoints/ckp_none'),
  streaming_not_supported: invoke('search', {}, { parameters: {}, stream: true }),
  unsupported_version: invoke('search', {}, { parameters: {} }, { 'x-svc-version': '0.25.0' }),
  concurrent_request_rejected: twice({ concurrent_branches: 'exclusive' }, {}),
  idempotency_in_progress: twice({}, { 'idempotency-key': 'k' }),
  idempotency_conflict: async (fixture) => {
    const { token } = await fixture.root()
    const key = { 'idempotency-key': 'k' }
    await fixture.invoke('ask', token, { parameters: { city: 'Oslo' } }, key)
    return fixture.invoke('ask', token, { parameters: { city: 'Rome' } }, key)
  },
  rate_limited: async (fixture) => {
    for (let index = 0; index < 5; index++) await invoke('search')(fixture)
    return invoke('search')(fixture)
  },
  payload_too_large: async ({ call, root }) =>
    call('POST', '/svc/invoke/search', { bearer: (await root()).token, text: 'x'.repeat(2_000_000) }),
  unsupported_media_type: async ({ call, root }) =>
    call('POST', '/svc/invoke/search', {
      bearer: (await root()).token,
      text: '{}',
      headers: { 'content-type': 'text/plain' },
    }),
  method_not_allowed: ({ call }) => call('DELETE', '/svc/audit'),
  composition_child_failed: invoke('failing'),
  composition_empty_result: invoke('empty'),
  outcome_unknown: invoke('hangs'),
  service_unavailable: invoke('down'),
  internal_error: invoke('broken'),
  upstream_answer_invalid: invoke('answered'),
  connection_required: invoke('personal'),
}

const start = () =>
  startFixture({
    capabilities,
    limits: { handlerTimeoutMs: 500, invocationsPerMinute: 5 },
    handlers: {
      broken: () => { throw new Error('canary') },
      answered: (_: object, ctx: HandlerContext) => ctx.fail('upstream_answer_invalid', 'The answer is a page.'),
      personal: (_: object, ctx: HandlerContext) => ctx.fail('connection_required', 'No account.'),
      down: () => { throw new StorageUnavailable('canary') },
      hangs: () => new Promise(() => undefined),
    },
  }) // prettier-ignore

const FAIL_PER_TYPE = Object.keys(FAILURES) as FailureType[]

/** What can end an invocation once its capability is known (decisions, section 4). */
const AUDITED = [
  'scope_insufficient', 'purpose_mismatch', 'non_delegable_action', 'control_requirement_unsatisfied', 'budget_exceeded',
  'budget_currency_mismatch', 'budget_not_enforceable', 'binding_missing', 'binding_stale', 'approval_required', 'approval_denied', 'approval_returned', 'approval_grant_invalid',
  'invalid_parameters', 'clarification_required', 'unknown_capability', 'streaming_not_supported', 'concurrent_request_rejected',
  'idempotency_in_progress', 'idempotency_conflict', 'rate_limited', 'composition_child_failed', 'composition_empty_result',
  'outcome_unknown', 'service_unavailable', 'upstream_answer_invalid', 'connection_required', 'internal_error',
] as const satisfies readonly FailureType[] // prettier-ignore

/** Those whose case is of a capability that writes or costs money. */
const HIGH_RISK: ReadonlySet<string> = new Set([
  'budget_exceeded', 'budget_currency_mismatch', 'budget_not_enforceable', 'concurrent_request_rejected', 'idempotency_in_progress',
  'outcome_unknown',
]) // prettier-ignore

describe('every failure of the table', () => {
  it.each(FAIL_PER_TYPE)('%s can be provoked, and its answer is complete', async (type) => {
    const reply = await CASES[type](await start())
    const failure = reply.body['failure'] as unknown as {
      resolution: { action: keyof typeof RECOVERY_CLASS_OF; recovery_class: string }
    }
    expect(reply.body['success']).toBe(false)
    expect(failure).toMatchObject({
      type,
      retry: FAILURES[type].retry,
      detail: expect.stringMatching(/^[A-Z].+[.:]/su) as string,
    })
    expect(reply.status).toBe(FAILURES[type].status)
    expect(failure.resolution.recovery_class).toBe(RECOVERY_CLASS_OF[failure.resolution.action])
    if (type !== 'control_requirement_unsatisfied') expect(failure.resolution.action).toBe(FAILURES[type].action)
    expect(JSON.stringify(reply.body)).not.toContain('canary')
    expect(reply.headers.get('retry-after') === null).toBe(type !== 'rate_limited')
  })

  it.each(AUDITED)('I18 %s of an invocation leaves exactly one entry, of its class', async (type) => {
    const fixture = await start()
    const { body } = await CASES[type](fixture)
    const invocation_id = body['invocation_id'] as unknown as string
    const isHighRisk = HIGH_RISK.has(type)
    expect(await fixture.storage.audit.query({ invocation_id, limit: 10 })).toMatchObject([
      { failure_type: type, success: false, event_class: isHighRisk ? 'high_risk_failure' : 'low_risk_failure' },
    ])
  })

  it('that is terminal is never worth an unchanged retry', () => {
    const terminal = FAIL_PER_TYPE.filter((type) => RECOVERY_CLASS_OF[FAILURES[type].action] === 'terminal')
    expect(terminal.filter((type) => FAILURES[type].retry)).toEqual([])
  })

  it('from a handler is a business failure, with its own data', async () => {
    const { root, invoke: run } = await startFixture({
      capabilities: { search: capability(declares('sold_out')) },
      handlers: { search: (_: object, ctx: HandlerContext) => ctx.fail('sold_out', 'Nothing is left.', { left: 0 }) },
    })
    const reply = await run('search', (await root()).token)
    expect([reply.status, reply.body['failure']]).toEqual([
      422,
      {
        type: 'sold_out',
        detail: 'Nothing is left.',
        retry: false,
        resolution: { action: 'revalidate_state', recovery_class: 'revalidate_then_retry' },
        data: { left: 0 },
      },
    ])
  })
})

it('what nobody foresaw is in the log, and its text in no answer', async () => {
  const { root, post, storage, logged } = await startFixture()
  const { token } = await root()
  Object.assign(storage.audit, { query: () => Promise.reject(new Error('secret of the house')) })
  const reply = await post('/svc/audit', token)
  expect([reply.status, reply.body['failure']?.['type']]).toEqual([500, 'internal_error'])
  expect(JSON.stringify(reply.body)).not.toContain('secret')
  expect(logged.join()).toContain('secret of the house')
})

describe('disclosure', () => {
  const long = 'x'.repeat(300)
  const start = () =>
    startFixture({
      capabilities: {
        search: capability({ minimum_scope: ['travel.search', 'travel.other'] }),
        fails: capability(declares('sold_out')),
      },
      handlers: { fails: (_: object, ctx: HandlerContext) => ctx.fail('sold_out', long) },
      manifest: {
        metadata_disclosure: {
          caller_class: { internal: 'full', partner: 'reduced', default: 'redacted' },
          failure_detail: 'policy',
        },
      },
    })

  it.each([
    ['internal', { detail: 'The token lacks travel.other.', resolution: { action: 'request_broader_scope', recovery_class: 'redelegation_then_retry', requires: 'travel.other', grantable_by: 'human:ana' } }],
    ['partner', { detail: 'The token lacks travel.other.', resolution: { action: 'request_broader_scope', recovery_class: 'redelegation_then_retry', requires: 'travel.other' } }],
    [undefined, { detail: 'The token lacks a required scope.', resolution: { action: 'request_broader_scope', recovery_class: 'redelegation_then_retry' } }],
  ] as const)('to the class %s shows what the manifest says', async (caller_class, expected) => {
    const { root, invoke: run, trail } = await start()
    const { token } = await root(caller_class === undefined ? {} : { caller_class })
    expect((await run('search', token)).body['failure']).toEqual({ type: 'scope_insufficient', retry: false, ...expected })
    expect((await trail(token))[0]?.['detail']).toBe(expected.detail)
    const detail = (await run('fails', token)).body['failure']?.['detail'] as unknown as string
    expect(detail.length).toBe({ internal: 300, partner: 200, none: 43 }[caller_class ?? 'none'])
  }) // prettier-ignore

  it.each<[number | undefined, number, string]>([
    [undefined, 422, 'sold_out'],
    [410, 410, 'sold_out'],
    [200, 500, 'internal_error'],
    [500, 500, 'internal_error'],
    [400.5, 500, 'internal_error'],
  ])('from a handler that names the status %s is answered with %i', async (status, expected, type) => {
    const search = (_: object, ctx: HandlerContext) => ctx.fail('sold_out', 'Nothing is left.', undefined, status)
    const capabilities = { search: capability(declares('sold_out')) }
    const { root, invoke: run } = await startFixture({ capabilities, handlers: { search } })
    const reply = await run('search', (await root()).token)
    expect([reply.status, reply.body['failure']?.['type']]).toEqual([expected, type])
  })

  it.each([
    [undefined, 410],
    [409, 409],
  ])('declared with the status 410 and raised with %s is answered with %i', async (status, expected) => {
    const { root, invoke: run } = await startFixture({
      capabilities: { search: capability({ extensions: { 'x-failures': { sold_out: { status: 410 } } } }) },
      handlers: {
        search: (_: object, ctx: HandlerContext) => ctx.fail('sold_out', 'None is left.', undefined, status),
      },
    })
    expect((await run('search', (await root()).token)).status).toBe(expected)
  })

  it('never takes away what is needed to continue', async () => {
    const { root, invoke: run } = await startFixture({
      capabilities: {
        book: capability({ approval: { required: 'always', grant_policy: ONE_TIME } }),
        ask: capability({ inputs: [input('city', { resolution: { mode: 'clarify' } })] }),
      },
      manifest: { metadata_disclosure: { failure_detail: 'redacted' } },
    })
    const { token } = await root()
    expect((await run('book', token)).body['failure']).toMatchObject({
      approval_request_id: expect.stringMatching(/^apr_/u) as string,
      grant_policy: ONE_TIME,
    })
    expect((await run('ask', token)).body['failure']).toMatchObject({
      clarification: { inputs: [{ name: 'city', reason: 'missing' }] },
    })
  })
})
